-- The SQL contract: whoever speaks SQL may produce, claim, renew, finish and cancel runs with plain INSERT and UPDATE statements on
-- workflow_run. What they write is made a lawful move here, with the entry in the log that belongs to it, so that for a run of theirs
-- as for any other the row is what the log adds up to.
--
-- The triggers fire for writes of others alone. The engine's are known by their `version`: 1 or more in a new row, another one in a changed row.
-- What the functions below write to rows that nobody mentioned (a parent, a child) they write as the engine does, and raise the version.
--
--   before a row is written    the row's own move: what is missing is filled in, what is not possible is refused, the entry goes into the log
--   after the statement        what follows for others: the parent's mailbox, the children, the hints
--
-- Others' rows wait until after the statement, because the same statement may be about to write them too. Everything is one transaction with the
-- statement that caused it. A log entry is written where the log ends; if a worker of the engine writes there at the same moment, one of them
-- has the place and the other sees it: the function tries the next place, the engine's worker is fenced.
--
--   sql_writes   how often somebody wrote the row in SQL. It tells the trigger after the statement what the one before has done.
--   sql_epoch    the number of the last lease that was taken in SQL. While it is the run's epoch, a worker in SQL holds the run; a claim by the
--                engine raises the epoch, and nobody need remember to say that it is over.
--
-- All moments are cut to milliseconds, which is Pawl's resolution; what is still to come is rounded up, so that nothing is early.

ALTER TABLE workflow.workflow_run ADD COLUMN sql_writes bigint NOT NULL DEFAULT 0;

ALTER TABLE workflow.workflow_run ADD COLUMN sql_epoch bigint;

CREATE INDEX workflow_run_sql_lease ON workflow.workflow_run (lease_until) WHERE status = 'leased' AND sql_epoch = epoch;

-- ---- time and words ----

-- The time as Pawl tells it. Not now(), which stands still within a transaction: entries of a log must not go back in time.
CREATE FUNCTION workflow.clock() RETURNS timestamptz
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT date_trunc('milliseconds', clock_timestamp())
$$;

CREATE FUNCTION workflow.millis(moment timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT floor(extract(epoch FROM moment) * 1000)::bigint
$$;

-- The first whole millisecond that is not before a moment to come; the last that is not after one that has come. `at` is the clock.
CREATE FUNCTION workflow.whole(moment timestamptz, at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT date_trunc('milliseconds', moment)
    + CASE WHEN moment >= at + interval '1 millisecond' AND date_trunc('milliseconds', moment) <> moment THEN interval '1 millisecond' ELSE interval '0' END
$$;

-- How long to wait after the attempt with this number has failed: as many minutes as its square, and up to a tenth more by chance.
CREATE FUNCTION workflow.backoff(attempt integer) RETURNS interval
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT interval '1 minute' * (attempt::float8 * attempt * (1 + 0.1 * random()))
$$;

-- What is wrong with a name; NULL if nothing is. Characters count as in Java: one beyond the basic plane is two.
CREATE FUNCTION workflow.flaw_of_name(what text, name text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN name = '' THEN what || ' must not be empty'
    WHEN char_length(name) > 100 AND char_length(name) + char_length(regexp_replace(name, '[^\U00010000-\U0010FFFF]', '', 'g')) > 200
      THEN what || ' has at most 200 characters, this one has ' || char_length(name) || ': ' || left(name, 40) || '…'
    WHEN name ~ '[\u0001-\u001F\u007F-\u009F]' THEN what || ' has a control character in it: ' || to_json(name)
  END
$$;

CREATE FUNCTION workflow.flaw_of_type(type text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(
    workflow.flaw_of_name('a type', type),
    CASE WHEN type ~ '[% \u1680\u2000-\u2006\u2008-\u200A\u2028\u2029\u205F\u3000]'
      THEN 'the type ''' || type || ''' has a ''' || substring(type FROM '[% \u1680\u2000-\u2006\u2008-\u200A\u2028\u2029\u205F\u3000]')
        || ''' in it; a type looks like billing.invoice.send.v1'
    END)
$$;

-- A JSON value without white space around it: so the row holds the same text as the log.
CREATE FUNCTION workflow.bare(value json) RETURNS json
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT btrim(value::text, E' \t\n\r')::json
$$;

-- A failure for the record from what a worker left in last_error: a sentence, or an object with a message and perhaps a code, a type,
-- data and a stack.
CREATE FUNCTION workflow.failure(run workflow.workflow_run, said text, again boolean) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  given  json;
  place  text := '"source":{"kind":"run","id":"' || run.id || '","name":' || to_json(run.type) || '}';
  counts text := CASE WHEN again THEN '"retryable":true,' ELSE '' END || '"attempt":' || run.attempt;
BEGIN
  IF said ~ '^\s*\{' THEN
    BEGIN
      given := said::json;
      IF coalesce(given ->> 'message', '') <> '' AND json_typeof(given -> 'message') = 'string' THEN
        RETURN '{"code":' || to_json(coalesce(nullif(given ->> 'code', ''), 'ERROR'))
          || coalesce(',"type":' || to_json(nullif(given ->> 'type', '')), '')
          || ',"message":' || to_json(given ->> 'message')
          || CASE WHEN coalesce(json_typeof(given -> 'data'), 'null') <> 'null' THEN ',"data":' || (given -> 'data')::text ELSE '' END
          || ',' || counts || ',' || place
          || coalesce(',"stack":' || to_json(nullif(given ->> 'stack', '')), '') || '}';
      END IF;
    EXCEPTION WHEN data_exception THEN
      NULL; -- Not JSON after all, or not such that Postgres can take it apart: a sentence, then.
    END;
  END IF;
  RETURN '{"code":"ERROR","message":'
    || to_json(coalesce(nullif(said, ''), 'the worker gave no reason; last_error is the place for it'))
    || ',' || counts || ',' || place || '}';
END
$$;

-- ---- hints ----

-- A word to the engine's workers, in the form in which they tell each other: the sender, then a hint to a line. Delivered when the transaction
-- commits, once if it is said twice.
CREATE FUNCTION workflow.hint(word text) RETURNS void
LANGUAGE sql VOLATILE AS $$
  SELECT pg_notify('pawl', E'sql\n' || word)
$$;

CREATE FUNCTION workflow.hint_due(type text, due timestamptz, at timestamptz) RETURNS void
LANGUAGE sql VOLATILE AS $$
  SELECT workflow.hint(CASE WHEN due > at THEN 's' || workflow.millis(due) || ' ' || type ELSE 'c' || type END)
$$;

-- ---- logs and mailboxes ----

CREATE FUNCTION workflow.append(run uuid, under bigint, kind text, said text, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    INSERT INTO workflow.workflow_event (workflow_id, seq, epoch, event_type, data, created_at)
    SELECT run, coalesce(max(e.seq), 0) + 1, under, kind, said::json, at
    FROM workflow.workflow_event e
    WHERE e.workflow_id = run
    ON CONFLICT (workflow_id, seq) DO NOTHING;
    EXIT WHEN FOUND;
  END LOOP;
END
$$;

CREATE FUNCTION workflow.last_said(run uuid) RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT e.data FROM workflow.workflow_event e WHERE e.workflow_id = run AND e.seq IS NOT NULL ORDER BY e.seq DESC LIMIT 1
$$;

-- The reason in the request to cancel that lies in a mailbox, as a JSON string.
CREATE FUNCTION workflow.cancel_request(run uuid) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT m.data::text FROM workflow.workflow_mail m
  WHERE m.workflow_id = run AND m.message = '00000000-0000-0000-0000-000000000000'
$$;

CREATE FUNCTION workflow.request_cancel(run uuid, place bigint, reason text, at timestamptz) RETURNS void
LANGUAGE sql VOLATILE AS $$
  INSERT INTO workflow.workflow_mail (workflow_id, id, kind, message, data, created_at)
  VALUES (run, place, 'cancel', '00000000-0000-0000-0000-000000000000', reason::json, at)
$$;

CREATE FUNCTION workflow.empty(run uuid) RETURNS void
LANGUAGE sql VOLATILE AS $$
  DELETE FROM workflow.workflow_mail WHERE workflow_id = run;
  DELETE FROM workflow.workflow_wait WHERE workflow_id = run;
$$;

-- Whether the program of a run that is leased has recorded anything since the lease.
CREATE FUNCTION workflow.progressed(run uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT e.event_type <> 'leased' FROM workflow.workflow_event e
  WHERE e.workflow_id = run AND e.seq IS NOT NULL AND e.event_type <> 'heartbeat'
  ORDER BY e.seq DESC
  LIMIT 1
$$;

-- Whether a worker in SQL holds the run.
CREATE FUNCTION workflow.is_held_in_sql(run workflow.workflow_run) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT run.status = 'leased' AND coalesce(run.sql_epoch = run.epoch, false)
$$;

-- ---- what an end means for others ----

-- Puts the outcome of a child into its parent's mailbox, and wakes a parent that waits for it: at once if it did not go well.
CREATE FUNCTION workflow.tell_parent(child workflow.workflow_run, said json, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  parent workflow.workflow_run;
  awake  boolean := false;
  needed integer;
BEGIN
  IF child.parent_id IS NULL OR child.bond = 'detached' THEN
    RETURN;
  END IF;
  SELECT * INTO parent FROM workflow.workflow_run r WHERE r.id = child.parent_id FOR UPDATE;
  IF NOT FOUND OR parent.status IN ('succeeded', 'failed', 'cancelled') THEN
    RETURN;
  END IF;
  INSERT INTO workflow.workflow_mail (workflow_id, id, kind, data, created_at)
  VALUES (parent.id, parent.wakes + 1, 'child', (
    '{"child":"' || child.id || '","status":"' || child.status || '",'
    || CASE child.status
      WHEN 'succeeded' THEN '"value":' || (said -> 'result')::text
      WHEN 'failed' THEN '"failure":' || (said -> 'failure')::text
      ELSE '"reason":' || (said -> 'reason')::text
    END || '}')::json, at);
  needed := parent.wake_after;
  IF parent.status = 'suspended' AND needed > 0
    AND EXISTS (SELECT FROM workflow.workflow_wait w WHERE w.workflow_id = parent.id AND w.kind = 'child')
  THEN
    needed := CASE WHEN child.status = 'succeeded' THEN needed - 1 ELSE 0 END;
    awake := needed = 0;
  END IF;
  UPDATE workflow.workflow_run r
  SET wakes = r.wakes + 1, wake_after = needed, version = r.version + 1,
    run_at = CASE WHEN awake AND (r.run_at IS NULL OR r.run_at > at) THEN at ELSE r.run_at END
  WHERE r.id = parent.id;
  IF awake THEN
    PERFORM workflow.hint_due(parent.type, at, at);
  END IF;
END
$$;

-- Ends a run that somebody else's statement cancels. The reason is a JSON string.
CREATE FUNCTION workflow.end_cancelled(run workflow.workflow_run, reason text, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM workflow.append(run.id, run.epoch, 'cancelled', '{"reason":' || reason || '}', at);
  PERFORM workflow.empty(run.id);
  UPDATE workflow.workflow_run r
  SET status = 'cancelled', leased_by = NULL, lease_until = NULL, epoch = r.epoch + 1, sql_epoch = NULL, wake_after = 0,
    updated_at = at, finished_at = at, version = r.version + 1
  WHERE r.id = run.id
  RETURNING * INTO run;
  PERFORM workflow.tell_parent(run, ('{"reason":' || reason || '}')::json, at);
  PERFORM workflow.hint('f' || run.id);
END
$$;

-- Cancels the children that a cancelled run awaits, and theirs. One that is held by a worker of the engine, or has something to clean
-- up, is asked to end itself.
CREATE FUNCTION workflow.cancel_children(parent uuid, reason text, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  child workflow.workflow_run;
BEGIN
  FOR child IN
    SELECT * FROM workflow.workflow_run r
    WHERE r.parent_id = parent AND r.bond = 'awaited' AND r.status IN ('pending', 'leased', 'suspended')
    ORDER BY r.id
    FOR UPDATE
  LOOP
    IF workflow.is_held_in_sql(child) OR (child.status <> 'leased' AND NOT child.cleanup) THEN
      PERFORM workflow.end_cancelled(child, reason, at);
    ELSIF child.cancelling IS NULL AND workflow.cancel_request(child.id) IS NULL THEN
      PERFORM workflow.request_cancel(child.id, child.wakes + 1, reason, at);
      UPDATE workflow.workflow_run r
      SET wakes = r.wakes + 1, version = r.version + 1,
        run_at = CASE WHEN r.status <> 'leased' AND (r.run_at IS NULL OR r.run_at > at) THEN at ELSE r.run_at END
      WHERE r.id = child.id;
      PERFORM workflow.hint_due(child.type, at, at);
    END IF;
    PERFORM workflow.cancel_children(child.id, reason, at);
  END LOOP;
END
$$;

-- ---- a new run ----

CREATE FUNCTION workflow.flaw_of_tags(tags json) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN json_typeof(tags) <> 'object' THEN 'tags are a JSON object of texts, not ' || json_typeof(tags)
    ELSE (
      SELECT coalesce(
        workflow.flaw_of_name('a tag''s name', t.key),
        CASE WHEN json_typeof(t.value) <> 'string' THEN 'the tag ''' || t.key || ''' has to be a text, not ' || json_typeof(t.value) END)
      FROM json_each(CASE WHEN json_typeof(tags) = 'object' THEN tags ELSE '{}' END) t
      WHERE workflow.flaw_of_name('', t.key) IS NOT NULL OR json_typeof(t.value) <> 'string'
      LIMIT 1)
  END
$$;

CREATE FUNCTION workflow.flaw_of_new(run workflow.workflow_run) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    workflow.flaw_of_type(run.type),
    CASE
      WHEN run.status <> 'pending' THEN 'a new run is pending, not ' || run.status || '; workers move it on from there'
      WHEN run.max_attempts < 1 THEN 'a run needs at least 1 attempt, not ' || run.max_attempts
      WHEN octet_length(run.payload::text) > 33554432 THEN 'a payload has at most 32 MiB, this one has '
        || octet_length(run.payload::text) || ' bytes'
      WHEN run.parent_id IS NOT NULL OR run.bond <> 'detached' OR coalesce(run.root_id, run.id) <> run.id
        THEN 'a run that is inserted has no parent; only its parent can start a child'
      WHEN run.definition IS NOT NULL
        AND NOT EXISTS (SELECT FROM workflow.workflow_definition d WHERE d.hash = run.definition AND d.type = run.type)
        THEN 'the type ' || run.type || ' has no definition ' || run.definition || '; deploy it first, or leave the column out'
    END,
    workflow.flaw_of_name('an idempotency key', run.idempotency_key),
    workflow.flaw_of_tags(run.tags),
    'a new run has not begun, so these columns have to be left out: ' || nullif(concat_ws(', ',
      CASE WHEN run.attempt <> 0 THEN 'attempt' END,
      CASE WHEN run.leased_by IS NOT NULL THEN 'leased_by' END,
      CASE WHEN run.lease_until IS NOT NULL THEN 'lease_until' END,
      CASE WHEN run.last_error IS NOT NULL THEN 'last_error' END,
      CASE WHEN run.result IS NOT NULL THEN 'result' END,
      CASE WHEN run.finished_at IS NOT NULL THEN 'finished_at' END,
      CASE WHEN run.deleted_at IS NOT NULL THEN 'deleted_at' END,
      CASE WHEN run.epoch <> 0 THEN 'epoch' END,
      CASE WHEN run.begun THEN 'begun' END,
      CASE WHEN run.resumed THEN 'resumed' END,
      CASE WHEN run.crashes <> 0 THEN 'crashes' END,
      CASE WHEN run.cleanup THEN 'cleanup' END,
      CASE WHEN run.wakes <> 0 THEN 'wakes' END,
      CASE WHEN run.wake_after <> 0 THEN 'wake_after' END,
      CASE WHEN run.cancelling IS NOT NULL THEN 'cancelling' END,
      CASE WHEN run.since <> 0 THEN 'since' END,
      CASE WHEN run.forked_from IS NOT NULL THEN 'forked_from' END,
      CASE WHEN run.sql_writes <> 0 THEN 'sql_writes' END,
      CASE WHEN run.sql_epoch IS NOT NULL THEN 'sql_epoch' END), ''))
$$;

-- The tag tells the engine's workers to wait between attempts as workflow.backoff does. A producer who says otherwise is heard.
CREATE FUNCTION workflow.with_backoff(tags json) RETURNS json
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN tags -> 'pawl.backoff' IS NOT NULL THEN tags
    WHEN tags IS NULL OR NOT EXISTS (SELECT FROM json_object_keys(tags)) THEN '{"pawl.backoff":"quadratic"}'
    ELSE ('{"pawl.backoff":"quadratic",' || substr(tags::text, 2))::json
  END
$$;

CREATE FUNCTION workflow.before_sql_insert() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  at   timestamptz := workflow.clock();
  flaw text;
BEGIN
  NEW.id := coalesce(NEW.id, workflow.new_id());
  NEW.payload := coalesce(workflow.bare(NEW.payload), 'null');
  NEW.tags := workflow.bare(NEW.tags);
  flaw := workflow.flaw_of_new(NEW);
  IF flaw IS NOT NULL THEN
    RAISE EXCEPTION '%', flaw USING ERRCODE = 'invalid_parameter_value';
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
  RETURN NEW;
END
$$;

-- After the row is there: one that an ON CONFLICT clause gives up leaves nothing behind.
CREATE FUNCTION workflow.after_sql_insert() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO workflow.workflow_event (workflow_id, seq, epoch, event_type, data, created_at)
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

-- ---- a changed run ----

-- Refuses a change of what is not the subject of a move. `may` names the columns that may differ.
CREATE FUNCTION workflow.allow(was workflow.workflow_run, run workflow.workflow_run, move text, VARIADIC may text[]) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  others text;
BEGIN
  SELECT string_agg(c.name, ', ') INTO others
  FROM (VALUES
    ('leased_by', was.leased_by IS DISTINCT FROM run.leased_by),
    ('lease_until', was.lease_until IS DISTINCT FROM run.lease_until),
    ('run_at', was.run_at IS DISTINCT FROM run.run_at),
    ('attempt', was.attempt <> run.attempt),
    ('last_error', was.last_error IS DISTINCT FROM run.last_error),
    ('result', was.result::text IS DISTINCT FROM run.result::text),
    ('deleted_at', was.deleted_at IS DISTINCT FROM run.deleted_at)) AS c (name, differs)
  WHERE c.differs AND c.name <> ALL (may);
  IF others IS NOT NULL THEN
    RAISE EXCEPTION 'run % is %: % cannot change %', was.id, was.status, move, others
      USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = 'It may change: status, updated_at' || coalesce(', ' || nullif(array_to_string(may, ', '), ''), '') || '.';
  END IF;
END
$$;

-- What a run is cannot be changed, by anybody.
CREATE FUNCTION workflow.check_fixed(was workflow.workflow_run, run workflow.workflow_run) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  named text := nullif(concat_ws(', ',
    CASE WHEN was.id <> run.id THEN 'id' END,
    CASE WHEN was.type <> run.type THEN 'type' END,
    CASE WHEN was.payload::text <> run.payload::text THEN 'payload' END,
    CASE WHEN was.priority <> run.priority THEN 'priority' END,
    CASE WHEN was.idempotency_key IS DISTINCT FROM run.idempotency_key THEN 'idempotency_key' END,
    CASE WHEN was.max_attempts <> run.max_attempts THEN 'max_attempts' END,
    CASE WHEN was.created_at <> run.created_at THEN 'created_at' END,
    CASE WHEN was.definition IS DISTINCT FROM run.definition THEN 'definition' END,
    CASE WHEN was.tags::text IS DISTINCT FROM run.tags::text THEN 'tags' END,
    CASE WHEN was.deadline IS DISTINCT FROM run.deadline THEN 'deadline' END,
    CASE WHEN was.parent_id IS DISTINCT FROM run.parent_id THEN 'parent_id' END,
    CASE WHEN was.root_id IS DISTINCT FROM run.root_id THEN 'root_id' END,
    CASE WHEN was.bond <> run.bond THEN 'bond' END,
    CASE WHEN was.forked_from IS DISTINCT FROM run.forked_from THEN 'forked_from' END), '');
  kept  text := nullif(concat_ws(', ',
    CASE WHEN was.epoch <> run.epoch THEN 'epoch' END,
    CASE WHEN was.begun <> run.begun THEN 'begun' END,
    CASE WHEN was.resumed <> run.resumed THEN 'resumed' END,
    CASE WHEN was.crashes <> run.crashes THEN 'crashes' END,
    CASE WHEN was.cleanup <> run.cleanup THEN 'cleanup' END,
    CASE WHEN was.wakes <> run.wakes THEN 'wakes' END,
    CASE WHEN was.wake_after <> run.wake_after THEN 'wake_after' END,
    CASE WHEN was.cancelling IS DISTINCT FROM run.cancelling THEN 'cancelling' END,
    CASE WHEN was.since <> run.since THEN 'since' END,
    CASE WHEN was.finished_at IS DISTINCT FROM run.finished_at THEN 'finished_at' END,
    CASE WHEN was.sql_writes <> run.sql_writes THEN 'sql_writes' END,
    CASE WHEN was.sql_epoch IS DISTINCT FROM run.sql_epoch THEN 'sql_epoch' END), '');
BEGIN
  IF named IS NOT NULL THEN
    RAISE EXCEPTION 'run %: % cannot be changed once the run is recorded', was.id, named
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Cancel the run and insert another.';
  ELSIF kept IS NOT NULL THEN
    RAISE EXCEPTION 'run %: Pawl itself keeps %; leave it out', was.id, kept
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
END
$$;

CREATE FUNCTION workflow.ended(
  was workflow.workflow_run, run workflow.workflow_run, status text, said text, at timestamptz) RETURNS workflow.workflow_run
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM workflow.append(was.id, was.epoch, status, said, at);
  PERFORM workflow.empty(was.id);
  run.status := status;
  run.leased_by := NULL;
  run.lease_until := NULL;
  run.run_at := was.run_at;
  run.attempt := was.attempt;
  run.epoch := was.epoch + 1;
  run.sql_epoch := NULL;
  run.wake_after := 0;
  run.updated_at := at;
  run.finished_at := at;
  RETURN run;
END
$$;

CREATE FUNCTION workflow.failed(
  was workflow.workflow_run, run workflow.workflow_run, failure text, at timestamptz) RETURNS workflow.workflow_run
LANGUAGE plpgsql AS $$
BEGIN
  run := workflow.ended(was, run, 'failed', '{"failure":' || failure || '}', at);
  run.last_error := failure;
  run.result := was.result;
  RETURN run;
END
$$;

-- A worker in SQL takes a run that is due: by the same rules as the engine's claim. A run that has lost too many leases fails here, and one
-- with a request to cancel in its mailbox ends here: then the row says so instead of `leased`.
CREATE FUNCTION workflow.claimed(
  was workflow.workflow_run, run workflow.workflow_run, at timestamptz) RETURNS workflow.workflow_run
LANGUAGE plpgsql AS $$
DECLARE
  expired    boolean := was.status = 'leased';
  progressed boolean;
  reason     text := workflow.cancel_request(was.id);
  flaw       text := coalesce(
    workflow.flaw_of_name('the name of a worker', run.leased_by),
    CASE
      WHEN run.leased_by IS NULL THEN 'a claim names its worker in leased_by'
      WHEN run.lease_until IS NULL OR run.lease_until <= at THEN 'a claim says in lease_until, a moment to come, until when it holds'
    END);
BEGIN
  IF flaw IS NOT NULL THEN
    RAISE EXCEPTION 'run % cannot be claimed: %', was.id, flaw USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM workflow.allow(was, run, 'a claim', 'leased_by', 'lease_until', 'attempt');
  IF was.run_at > at AND NOT expired OR was.run_at IS NULL AND was.status = 'suspended' THEN
    RAISE EXCEPTION 'run % cannot be claimed: it is not due before %', was.id, coalesce(was.run_at::text, 'it gets a message')
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Claim what has run_at <= now().';
  END IF;
  IF EXISTS (SELECT FROM workflow.workflow_registry g WHERE g.workflow_name = was.type AND NOT g.is_enabled) THEN
    RAISE EXCEPTION 'run % cannot be claimed: the type % is disabled in workflow.workflow_registry', was.id, was.type
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Leave disabled types out of the claim.';
  END IF;
  IF reason IS NOT NULL THEN
    RETURN workflow.ended(was, run, 'cancelled', '{"reason":' || reason || '}', at);
  END IF;
  progressed := expired AND workflow.progressed(was.id);
  run.resumed := was.status = 'suspended' OR expired AND (progressed OR was.resumed);
  run.crashes := CASE WHEN expired AND was.resumed AND NOT progressed THEN was.crashes + 1 ELSE 0 END;
  run.attempt := was.attempt + CASE WHEN run.resumed THEN 0 ELSE 1 END;
  IF expired AND run.attempt > was.max_attempts THEN
    RETURN workflow.failed(was, was, workflow.failure(was, json_build_object('code', 'WORKER_LOST', 'message',
      format('run %s of %s failed: its worker died in attempt %s of %s (last: %s)',
        was.id, was.type, was.attempt, was.max_attempts, was.leased_by))::text, false), at);
  ELSIF run.crashes >= 5 THEN
    RETURN workflow.failed(was, was, workflow.failure(was, json_build_object('code', 'POISONED', 'message',
      format('run %s of %s failed: its worker died %s times in a row without getting any further (last: %s)',
        was.id, was.type, run.crashes, was.leased_by))::text, false), at);
  END IF;
  run.lease_until := date_trunc('milliseconds', run.lease_until);
  run.epoch := was.epoch + 1;
  run.sql_epoch := run.epoch;
  run.begun := true;
  run.wake_after := 0;
  run.updated_at := at;
  DELETE FROM workflow.workflow_wait WHERE workflow_id = was.id;
  PERFORM workflow.append(was.id, run.epoch, 'leased',
    '{"worker":' || to_json(run.leased_by) || ',"epoch":' || run.epoch || ',"until":' || workflow.millis(run.lease_until)
    || ',"attempt":' || run.attempt || CASE WHEN run.resumed THEN ',"resumed":true' ELSE '' END
    || CASE WHEN run.crashes > 0 THEN ',"crashes":' || run.crashes ELSE '' END || ',"ticket":0}', at);
  RETURN run;
END
$$;

-- The attempt failed: another is due, or it was the last one. A worker that takes one off the count of attempts gives the run back unharmed.
CREATE FUNCTION workflow.put_back(
  was workflow.workflow_run, run workflow.workflow_run, at timestamptz) RETURNS workflow.workflow_run
LANGUAGE plpgsql AS $$
DECLARE
  said     text := CASE WHEN run.last_error IS DISTINCT FROM was.last_error THEN run.last_error END;
  unharmed boolean := run.attempt = was.attempt - 1 AND NOT was.resumed;
  failure  text;
BEGIN
  PERFORM workflow.allow(was, run, 'a retry', 'leased_by', 'lease_until', 'run_at', 'attempt', 'last_error');
  IF run.attempt NOT IN (was.attempt, was.attempt + 1) AND NOT unharmed THEN
    RAISE EXCEPTION 'run % is in attempt %, which was counted when it was claimed: it cannot be attempt %',
      was.id, was.attempt, run.attempt
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Leave attempt out.';
  END IF;
  run.leased_by := NULL;
  run.lease_until := NULL;
  IF unharmed THEN
    run.run_at := workflow.whole(coalesce(run.run_at, at), at);
    run.last_error := was.last_error;
    PERFORM workflow.append(was.id, was.epoch, 'released',
      '{"reason":' || to_json(coalesce(said, 'given back by ' || was.leased_by)) || ',"runAt":' || workflow.millis(run.run_at) || '}', at);
  ELSIF was.attempt >= was.max_attempts THEN
    RETURN workflow.failed(was, run, workflow.failure(was, said, false), at);
  ELSE
    failure := workflow.failure(was, said, true);
    run.run_at := workflow.whole(
      CASE WHEN run.run_at IS DISTINCT FROM was.run_at AND run.run_at IS NOT NULL THEN run.run_at
        ELSE at + workflow.backoff(was.attempt) END, at);
    run.attempt := was.attempt;
    run.last_error := failure;
    run.crashes := 0;
    PERFORM workflow.append(was.id, was.epoch, 'retried',
      '{"failure":' || failure || ',"runAt":' || workflow.millis(run.run_at)
      || CASE WHEN was.cleanup THEN ',"cleanup":true' ELSE '' END || '}', at);
  END IF;
  run.sql_epoch := NULL;
  run.updated_at := at;
  RETURN run;
END
$$;

-- A run ends at once, whoever holds it. One whose program may have something to clean up, because it has suspended or recorded a step,
-- is asked to end itself: it keeps its status, is due at once, and finds the request in its mailbox.
CREATE FUNCTION workflow.cancelled(
  was workflow.workflow_run, run workflow.workflow_run, at timestamptz) RETURNS workflow.workflow_run
LANGUAGE plpgsql AS $$
DECLARE
  reason text := to_json(coalesce(
    nullif(CASE WHEN run.last_error IS DISTINCT FROM was.last_error THEN run.last_error END, ''), 'cancelled in SQL'))::text;
BEGIN
  PERFORM workflow.allow(was, run, 'a cancellation', 'leased_by', 'lease_until', 'last_error', 'deleted_at');
  run.last_error := was.last_error;
  IF workflow.is_held_in_sql(was) OR NOT (was.cleanup OR was.status = 'leased' AND workflow.progressed(was.id)) THEN
    RETURN workflow.ended(was, run, 'cancelled', '{"reason":' || reason || '}', at);
  ELSIF run.deleted_at IS DISTINCT FROM was.deleted_at THEN
    RAISE EXCEPTION 'run % has something to clean up before it ends: it can be cancelled, and deleted afterwards', was.id
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  run := was;
  IF was.cancelling IS NULL AND workflow.cancel_request(was.id) IS NULL THEN
    run.wakes := was.wakes + 1;
    PERFORM workflow.request_cancel(was.id, run.wakes, reason, at);
    IF was.status <> 'leased' AND (was.run_at IS NULL OR was.run_at > at) THEN
      run.run_at := at;
    END IF;
  END IF;
  RETURN run;
END
$$;

-- The status stays: a lease is renewed or taken over, a start is brought forward, a finished run is hidden.
CREATE FUNCTION workflow.kept(
  was workflow.workflow_run, run workflow.workflow_run, at timestamptz) RETURNS workflow.workflow_run
LANGUAGE plpgsql AS $$
BEGIN
  IF was.status = 'leased' THEN
    IF run.leased_by IS DISTINCT FROM was.leased_by AND was.lease_until <= at THEN
      RETURN workflow.claimed(was, run, at);
    ELSIF run.leased_by IS DISTINCT FROM was.leased_by
      OR run.lease_until IS DISTINCT FROM was.lease_until AND NOT workflow.is_held_in_sql(was)
    THEN
      RAISE EXCEPTION 'run % is held by worker % until %: nobody else can take or renew its lease', was.id, was.leased_by, was.lease_until
        USING ERRCODE = 'object_in_use', HINT = 'If you believed to hold it, your lease has expired and the run was claimed by another.';
    ELSIF run.lease_until IS NULL THEN
      RAISE EXCEPTION 'run % is leased: a renewal says in lease_until until when', was.id USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM workflow.allow(was, run, 'a renewal of its lease', 'lease_until');
    run.lease_until := greatest(was.lease_until, date_trunc('milliseconds', run.lease_until));
  ELSIF was.status = 'pending' THEN
    PERFORM workflow.allow(was, run, 'a change before its start', 'run_at');
    IF run.run_at IS NULL OR run.run_at > was.run_at THEN
      RAISE EXCEPTION 'run % is to start at %: it can be brought forward, not put off', was.id, was.run_at
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Cancel the run and insert another.';
    END IF;
    run.run_at := date_trunc('milliseconds', run.run_at);
  ELSIF was.status = 'suspended' THEN
    PERFORM workflow.allow(was, run, 'a change in SQL', VARIADIC '{}');
  ELSE
    PERFORM workflow.allow(was, run, 'a change behind its end', 'deleted_at');
    run.deleted_at := date_trunc('milliseconds', run.deleted_at);
  END IF;
  RETURN run;
END
$$;

CREATE FUNCTION workflow.before_sql_update() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  at   timestamptz := workflow.clock();
  was  workflow.workflow_run := OLD;
  run  workflow.workflow_run := NEW;
  live boolean := OLD.status IN ('pending', 'leased', 'suspended');
BEGIN
  PERFORM workflow.check_fixed(was, run);
  run.updated_at := was.updated_at;
  IF run.status = was.status THEN
    run := workflow.kept(was, run, at);
  ELSIF NOT live THEN
    RAISE EXCEPTION 'run % has ended (%): it cannot become %', was.id, was.status, run.status
      USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = 'The first end counts. ''pawl retry'' and ''pawl rewind'' reopen a run on the record.';
  ELSIF run.status = 'cancelled' THEN
    run := workflow.cancelled(was, run, at);
  ELSIF run.status = 'leased' THEN
    run := workflow.claimed(was, run, at);
  ELSIF was.status <> 'leased' OR run.status = 'suspended' THEN
    RAISE EXCEPTION 'run % is %: it cannot become % in SQL', was.id, was.status, run.status
      USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = 'A worker claims a run (leased), and then makes it succeeded, failed or pending again.';
  ELSIF NOT workflow.is_held_in_sql(was) THEN
    RAISE EXCEPTION 'run % is held by worker % until %: only that worker can make it %', was.id, was.leased_by, was.lease_until, run.status
      USING ERRCODE = 'object_in_use', HINT = 'If you believed to hold it, your lease has expired and the run was claimed by another.';
  ELSIF run.status = 'pending' THEN
    run := workflow.put_back(was, run, at);
  ELSIF run.status = 'failed' THEN
    PERFORM workflow.allow(was, run, 'a failure', 'leased_by', 'lease_until', 'run_at', 'attempt', 'last_error');
    run := workflow.failed(was, run, workflow.failure(
      was, CASE WHEN run.last_error IS DISTINCT FROM was.last_error THEN run.last_error END, false), at);
  ELSE
    PERFORM workflow.allow(was, run, 'a success', 'leased_by', 'lease_until', 'result',
      CASE WHEN run.last_error IS NULL THEN 'last_error' ELSE 'result' END);
    run.result := coalesce(workflow.bare(run.result), 'null');
    run.last_error := was.last_error;
    run := workflow.ended(was, run, 'succeeded', '{"result":' || run.result::text || '}', at);
  END IF;
  run.rank := was.rank; -- Postgres derives these two after this function.
  run.due_at := was.due_at;
  IF run *<> was THEN
    run.version := was.version + 1;
    run.sql_writes := was.sql_writes + 1;
  END IF;
  RETURN run;
END
$$;

CREATE FUNCTION workflow.after_sql_update() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  at   timestamptz := workflow.clock();
  said json;
BEGIN
  IF OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL THEN
    said := workflow.last_said(NEW.id);
    PERFORM workflow.tell_parent(NEW, said, NEW.finished_at);
    IF NEW.status = 'cancelled' THEN
      PERFORM workflow.cancel_children(NEW.id, (said -> 'reason')::text, at);
    END IF;
    PERFORM workflow.hint('f' || NEW.id);
  ELSIF NEW.wakes > OLD.wakes THEN
    PERFORM workflow.cancel_children(NEW.id, workflow.cancel_request(NEW.id), at);
    PERFORM workflow.hint_due(NEW.type, at, at);
  ELSIF NEW.status = 'pending' THEN
    PERFORM workflow.hint_due(NEW.type, NEW.run_at, at);
  END IF;
  RETURN NULL;
END
$$;

-- Expired leases of workers in SQL become claimable for a claim that looks for `pending` alone: another attempt, or a failure if there is
-- none left. Returns how many. The engine's workers claim expired leases by themselves, these too.
CREATE FUNCTION workflow.reap(max integer DEFAULT 100) RETURNS integer
LANGUAGE sql VOLATILE AS $$
  WITH lost AS (
    SELECT r.id
    FROM workflow.workflow_run r
    WHERE r.status = 'leased' AND r.sql_epoch = r.epoch AND r.lease_until <= clock_timestamp()
    ORDER BY r.lease_until
    LIMIT max
    FOR UPDATE SKIP LOCKED
  ), reaped AS (
    UPDATE workflow.workflow_run r
    SET status = 'pending', run_at = clock_timestamp(), last_error = json_build_object('code', 'WORKER_LOST', 'message',
      format('run %s of %s lost its worker %s in attempt %s of %s: the lease ended at %s',
        r.id, r.type, r.leased_by, r.attempt, r.max_attempts, r.lease_until))
    FROM lost
    WHERE r.id = lost.id
    RETURNING 1)
  SELECT count(*)::integer FROM reaped
$$;

-- ---- removal ----

-- Only what was hidden, and so has ended, can be removed: with all it has.
CREATE FUNCTION workflow.before_delete() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'run % is %: it cannot be deleted as long as it is not hidden', OLD.id, OLD.status
    USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Cancel it if it has not ended, then set deleted_at: that hides it, and it is removed when its time is over.';
END
$$;

CREATE FUNCTION workflow.after_delete() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM workflow.workflow_event e USING gone WHERE e.workflow_id = gone.id;
  DELETE FROM workflow.workflow_mail m USING gone WHERE m.workflow_id = gone.id;
  DELETE FROM workflow.workflow_wait w USING gone WHERE w.workflow_id = gone.id;
  RETURN NULL;
END
$$;

-- ---- notes ----

-- A sign of life from a worker in SQL is an entry of the log, in its form. Everything else that others write is a note: it stands beside
-- the log, without a number, as it was written; a number would fence a worker of the engine that holds the run.
CREATE FUNCTION workflow.before_note() RETURNS trigger
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
    NEW.seq := 1 + (SELECT max(e.seq) FROM workflow.workflow_event e WHERE e.workflow_id = run.id);
    NEW.data := '{"progress":' || NEW.data::text || '}';
  END IF;
  RETURN NEW;
END
$$;

CREATE FUNCTION workflow.before_event_update() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what is written in workflow.workflow_event cannot be changed' USING ERRCODE = 'object_not_in_prerequisite_state';
END
$$;

CREATE FUNCTION workflow.after_event_delete() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  kept uuid;
BEGIN
  SELECT r.id INTO kept
  FROM (SELECT DISTINCT gone.workflow_id FROM gone) g
  JOIN workflow.workflow_run r ON r.id = g.workflow_id AND r.deleted_at IS NULL
  LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the log of run % cannot be deleted while there is the run', kept
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Set deleted_at of a finished run: it is removed with its log.';
  END IF;
  RETURN NULL;
END
$$;

-- A request to cancel that the engine puts into the mailbox of a run that a worker in SQL holds: that worker does not read mail, it looks at the
-- status. So the run ends, when everything else in the transaction is done.
CREATE FUNCTION workflow.after_cancel_request() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  run workflow.workflow_run;
BEGIN
  SELECT * INTO run FROM workflow.workflow_run r WHERE r.id = NEW.workflow_id FOR UPDATE;
  IF workflow.is_held_in_sql(run) THEN
    PERFORM workflow.end_cancelled(run, NEW.data::text, workflow.clock());
  END IF;
  RETURN NULL;
END
$$;

-- A type that was switched on, or given to another runtime, may have runs that are due.
CREATE FUNCTION workflow.after_registry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM workflow.hint('c' || NEW.workflow_name);
  RETURN NULL;
END
$$;

-- ---- the triggers ----

CREATE TRIGGER before_sql_insert BEFORE INSERT ON workflow.workflow_run
FOR EACH ROW WHEN (NEW.version = 0) EXECUTE FUNCTION workflow.before_sql_insert();

CREATE TRIGGER after_sql_insert AFTER INSERT ON workflow.workflow_run
FOR EACH ROW WHEN (NEW.sql_writes > 0) EXECUTE FUNCTION workflow.after_sql_insert();

CREATE TRIGGER before_sql_update BEFORE UPDATE ON workflow.workflow_run
FOR EACH ROW WHEN (NEW.version = OLD.version) EXECUTE FUNCTION workflow.before_sql_update();

CREATE TRIGGER after_sql_update AFTER UPDATE ON workflow.workflow_run
FOR EACH ROW WHEN (NEW.sql_writes <> OLD.sql_writes) EXECUTE FUNCTION workflow.after_sql_update();

CREATE TRIGGER before_delete BEFORE DELETE ON workflow.workflow_run
FOR EACH ROW WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION workflow.before_delete();

CREATE TRIGGER after_delete AFTER DELETE ON workflow.workflow_run
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION workflow.after_delete();

CREATE TRIGGER before_note BEFORE INSERT ON workflow.workflow_event
FOR EACH ROW WHEN (NEW.seq IS NULL) EXECUTE FUNCTION workflow.before_note();

CREATE TRIGGER before_event_update BEFORE UPDATE ON workflow.workflow_event
FOR EACH ROW EXECUTE FUNCTION workflow.before_event_update();

CREATE TRIGGER after_event_delete AFTER DELETE ON workflow.workflow_event
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION workflow.after_event_delete();

CREATE CONSTRAINT TRIGGER after_cancel_request AFTER INSERT ON workflow.workflow_mail
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'cancel') EXECUTE FUNCTION workflow.after_cancel_request();

CREATE TRIGGER after_registry AFTER INSERT OR UPDATE ON workflow.workflow_registry
FOR EACH ROW WHEN (NEW.is_enabled) EXECUTE FUNCTION workflow.after_registry();
