-- Entries of a log that are written with the run's row are kept in it.
--
-- A log begins in the statement that inserts its run, and mostly ends in the one that ends it. Entries of both were rows of their own, each
-- with a place in an index; they cost more than a third of what a short run costs. Now the row of the run holds them, in `entries`, and the table of
-- logs, workflow_log, holds the others. workflow_event is a view of both, and what it was: all that there is, to be read by anybody, and written by those who leave notes.
--
-- What is in a row need not be fenced by the index on places, workflow_log_place: it is written only when nobody else can be about to write the same
-- place. Either the run is new. Or it is ended by a worker of the engine that holds it, on condition that the row still has the version which that worker knows, and whoever takes a run away
-- changes its version. Everything else is in workflow_log: what takes a lease over, first of all, since that is what a worker that has lost it runs into.
--
--   entries    pages, separated by chr(29); in a page a number and entries, separated by chr(30); in an entry its place, its moment in
--              milliseconds, its epoch, its type and its data, separated by chr(31). JSON as it is stored has none of these characters.
--
-- The number of a page is drawn from the sequence of workflow_log.id, and entry n of the page has the id number + n - 1. So the sequence counts in steps
-- of 64, which is more than a page may hold, and ids still tell the order of writing.
--
-- An older Pawl knows nothing of the column: it cannot work beside one that has this script.

ALTER TABLE workflow.workflow_event RENAME TO workflow_log;

ALTER INDEX workflow.workflow_event_place RENAME TO workflow_log_place;

ALTER INDEX workflow.workflow_event_id RENAME TO workflow_log_id;

ALTER INDEX workflow.workflow_event_received RENAME TO workflow_log_received;

ALTER SEQUENCE workflow.workflow_event_id_seq RENAME TO workflow_log_id_seq;

ALTER TABLE workflow.workflow_log ALTER COLUMN id SET INCREMENT BY 64;

ALTER TABLE workflow.workflow_run ADD COLUMN entries text;

-- ---- what a row holds ----

CREATE FUNCTION workflow.entries(kept text)
RETURNS TABLE (id bigint, seq bigint, created_at timestamptz, epoch bigint, event_type text, data json)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT
    split_part(p.page, E'\x1e', 1)::bigint + e.place - 2,
    split_part(e.entry, E'\x1f', 1)::bigint,
    workflow.moment(split_part(e.entry, E'\x1f', 2)::bigint),
    split_part(e.entry, E'\x1f', 3)::bigint,
    split_part(e.entry, E'\x1f', 4),
    split_part(e.entry, E'\x1f', 5)::json
  FROM unnest(string_to_array(kept, E'\x1d')) AS p (page)
  CROSS JOIN LATERAL unnest(string_to_array(p.page, E'\x1e')) WITH ORDINALITY AS e (entry, place)
  WHERE e.place > 1
$$;

-- The last place that a row holds; NULL if it holds none.
CREATE FUNCTION workflow.last_kept(kept text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT nullif(split_part(split_part(kept, E'\x1e', -1), E'\x1f', 1), '')::bigint
$$;

CREATE FUNCTION workflow.last_place(run uuid) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT greatest(
    (SELECT max(e.seq) FROM workflow.workflow_log e WHERE e.workflow_id = run),
    (SELECT workflow.last_kept(r.entries) FROM workflow.workflow_run r WHERE r.id = run),
    0)
$$;

-- The last entry of a log that is not of this type.
CREATE FUNCTION workflow.last_entry(run uuid, other_than text) RETURNS TABLE (seq bigint, event_type text, data json)
LANGUAGE sql STABLE AS $$
  SELECT l.seq, l.event_type, l.data
  FROM (
    (SELECT e.seq, e.event_type, e.data
     FROM workflow.workflow_log e
     WHERE e.workflow_id = run AND e.seq IS NOT NULL AND e.event_type <> other_than COLLATE "C"
     ORDER BY e.seq DESC
     LIMIT 1)
    UNION ALL
    (SELECT k.seq, k.event_type COLLATE "C", k.data
     FROM workflow.workflow_run r
     CROSS JOIN LATERAL workflow.entries(r.entries) k
     WHERE r.id = run AND k.event_type <> other_than
     ORDER BY k.seq DESC
     LIMIT 1)) l
  ORDER BY l.seq DESC
  LIMIT 1
$$;

-- ---- the view ----

CREATE VIEW workflow.workflow_event AS
SELECT e.id, e.workflow_id, e.event_type, e.data, e.created_at, e.seq, e.epoch
FROM workflow.workflow_log e
UNION ALL
SELECT k.id, r.id, k.event_type COLLATE "C", k.data, k.created_at, k.seq, k.epoch
FROM workflow.workflow_run r
CROSS JOIN LATERAL workflow.entries(r.entries) k;

CREATE FUNCTION workflow.instead_of_event_insert() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO workflow.workflow_log (id, workflow_id, event_type, data, created_at, seq, epoch)
  VALUES (
    coalesce(NEW.id, nextval('workflow.workflow_log_id_seq')), NEW.workflow_id, NEW.event_type, coalesce(NEW.data, '{}'),
    coalesce(NEW.created_at, now()), NEW.seq, NEW.epoch)
  RETURNING id, workflow_id, event_type, data, created_at, seq, epoch INTO NEW;
  RETURN NEW;
END
$$;

CREATE FUNCTION workflow.instead_of_event_delete() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM workflow.workflow_run r WHERE r.id = OLD.workflow_id AND r.deleted_at IS NULL) THEN
    RAISE EXCEPTION 'the log of run % cannot be deleted while there is the run', OLD.workflow_id
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Set deleted_at of a finished run: it is removed with its log.';
  END IF;
  DELETE FROM workflow.workflow_log e WHERE e.workflow_id = OLD.workflow_id AND e.id = OLD.id;
  RETURN OLD;
END
$$;

CREATE TRIGGER instead_of_event_insert INSTEAD OF INSERT ON workflow.workflow_event
FOR EACH ROW EXECUTE FUNCTION workflow.instead_of_event_insert();

CREATE TRIGGER instead_of_event_update INSTEAD OF UPDATE ON workflow.workflow_event
FOR EACH ROW EXECUTE FUNCTION workflow.before_event_update();

CREATE TRIGGER instead_of_event_delete INSTEAD OF DELETE ON workflow.workflow_event
FOR EACH ROW EXECUTE FUNCTION workflow.instead_of_event_delete();

-- Whoever could read or write the table may do so with the view, and a user of the engine that is not the owner may draw numbers.
DO $$
DECLARE
  had record;
BEGIN
  FOR had IN
    SELECT a.privilege_type AS act, '' AS columns, a.grantee, a.is_grantable
    FROM pg_class c
    CROSS JOIN LATERAL aclexplode(c.relacl) a
    WHERE c.oid = 'workflow.workflow_log'::regclass AND a.grantee <> c.relowner
    UNION ALL
    SELECT a.privilege_type, format('(%I)', t.attname), a.grantee, a.is_grantable
    FROM pg_attribute t
    CROSS JOIN LATERAL aclexplode(t.attacl) a
    WHERE t.attrelid = 'workflow.workflow_log'::regclass
  LOOP
    CONTINUE WHEN had.act NOT IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE');
    EXECUTE format('GRANT %s %s ON workflow.workflow_event TO %s %s',
      had.act, had.columns,
      CASE WHEN had.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(had.grantee)) END,
      CASE WHEN had.is_grantable THEN 'WITH GRANT OPTION' END);
    IF had.act = 'INSERT' AND had.columns = '' AND had.grantee <> 0 THEN
      EXECUTE format('GRANT USAGE ON SEQUENCE workflow.workflow_log_id_seq TO %I', pg_get_userbyid(had.grantee));
    END IF;
  END LOOP;
END
$$;

-- ---- the contract, as before, over both ----

CREATE OR REPLACE FUNCTION workflow.append(run uuid, under bigint, kind text, said text, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    INSERT INTO workflow.workflow_log (workflow_id, seq, epoch, event_type, data, created_at)
    VALUES (run, workflow.last_place(run) + 1, under, kind, said::json, at)
    ON CONFLICT (workflow_id, seq) DO NOTHING;
    EXIT WHEN FOUND;
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION workflow.last_said(run uuid) RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT l.data FROM workflow.last_entry(run, '') l
$$;

CREATE OR REPLACE FUNCTION workflow.progressed(run uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT l.event_type <> 'leased' FROM workflow.last_entry(run, 'heartbeat') l
$$;

CREATE OR REPLACE FUNCTION workflow.before_sql_insert() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  at   timestamptz := workflow.clock();
  flaw text;
BEGIN
  NEW.id := coalesce(NEW.id, workflow.new_id());
  NEW.payload := coalesce(workflow.bare(NEW.payload), 'null');
  NEW.tags := workflow.bare(NEW.tags);
  flaw := coalesce(
    CASE WHEN NEW.due_at IS NOT NULL OR NEW.rank IS NOT NULL
      THEN 'a run''s due_at and rank follow from its other columns; leave them out, and say in run_at when it is to start' END,
    CASE WHEN NEW.entries IS NOT NULL THEN 'a run''s entries are written by Pawl itself; leave them out' END,
    workflow.flaw_of_new(NEW));
  IF flaw IS NOT NULL THEN
    RAISE EXCEPTION '%', flaw USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NEW.ttl IS NOT NULL THEN
    PERFORM workflow.refuse_ttl(NEW.id);
  END IF;
  NEW.tags := workflow.with_backoff(NEW.tags);
  NEW.root_id := NEW.id;
  NEW.run_at := workflow.whole(coalesce(NEW.run_at, at), at);
  NEW.deadline := workflow.whole(NEW.deadline, at);
  NEW.created_at := at;
  NEW.updated_at := at;
  NEW.since := (SELECT p.position FROM workflow.workflow_position p);
  NEW.version := 1;
  NEW.sql_writes := 1;
  NEW.rank := workflow.rank_of(NEW);
  NEW.due_at := workflow.due_of(NEW);
  RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION workflow.after_sql_insert() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO workflow.workflow_log (workflow_id, seq, epoch, event_type, data, created_at)
  VALUES (NEW.id, 1, 0, 'created', (
    '{"type":' || to_json(NEW.type)
    || ',"payload":' || NEW.payload::text
    || ',"priority":' || NEW.priority
    || ',"runAt":' || workflow.millis(NEW.run_at)
    || coalesce(',"key":' || to_json(NEW.idempotency_key), '')
    || ',"maxAttempts":' || NEW.max_attempts
    || ',"root":"' || NEW.id || '","bond":"detached"'
    || coalesce(',"definition":' || to_json(NEW.definition), '')
    || ',"tags":' || NEW.tags::text
    || coalesce(',"deadline":' || workflow.millis(NEW.deadline), '')
    || ',"since":' || NEW.since || '}')::json, NEW.created_at);
  PERFORM workflow.hint_due(NEW.type, NEW.run_at, NEW.created_at);
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION workflow.check_sayable(was workflow.workflow_run, run workflow.workflow_run) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF run.status IS NULL OR run.status NOT IN ('pending', 'leased', 'suspended', 'succeeded', 'failed', 'cancelled') THEN
    RAISE EXCEPTION 'run % cannot become %', was.id, coalesce('''' || run.status || '''', 'NULL')
      USING ERRCODE = 'check_violation', HINT = 'A run is pending, leased, suspended, succeeded, failed or cancelled.';
  ELSIF run.due_at IS DISTINCT FROM was.due_at OR run.rank IS DISTINCT FROM was.rank OR run.entries IS DISTINCT FROM was.entries THEN
    RAISE EXCEPTION 'run %: Pawl itself keeps due_at, rank and entries; leave them out', was.id
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'A pending run can be brought forward by its run_at.';
  ELSIF run.ttl IS DISTINCT FROM was.ttl THEN
    PERFORM workflow.refuse_ttl(was.id);
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION workflow.after_delete() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM workflow.workflow_log e USING gone WHERE e.workflow_id = gone.id;
  DELETE FROM workflow.workflow_mail m USING gone WHERE m.workflow_id = gone.id;
  DELETE FROM workflow.workflow_wait w USING gone WHERE w.workflow_id = gone.id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION workflow.before_note() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  run  workflow.workflow_run;
  flaw text := workflow.flaw_of_name('the type of an event', NEW.event_type);
BEGIN
  IF flaw IS NOT NULL THEN
    RAISE EXCEPTION '%', flaw USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NEW.event_type = 'heartbeat' THEN
    SELECT * INTO run FROM workflow.workflow_run r WHERE r.id = NEW.workflow_id FOR UPDATE;
  ELSE
    SELECT * INTO run FROM workflow.workflow_run r WHERE r.id = NEW.workflow_id FOR KEY SHARE;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no run %', NEW.workflow_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  NEW.data := coalesce(workflow.bare(NEW.data), '{}');
  NEW.created_at := workflow.clock();
  NEW.epoch := NULL;
  IF NEW.event_type = 'heartbeat' AND workflow.is_held_in_sql(run) THEN
    NEW.epoch := run.epoch;
    NEW.seq := 1 + workflow.last_place(run.id);
    NEW.data := '{"progress":' || NEW.data::text || '}';
  END IF;
  RETURN NEW;
END
$$;
