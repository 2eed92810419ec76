-- Rows that cost less to write.
--
-- Whatever Postgres derives or checks by itself it prepares anew for every statement, from the text of the expression: two derived
-- columns and two checks were half of what it took to write a single run's row. So `due_at` and `rank` are plain columns now. Who
-- writes a row writes them too: the engine with its own statements, the triggers for statements of others, and the functions below in rows that
-- nobody mentioned. What they hold follows from the other columns, as before:
--
--   rank     the priority, and within it what was begun before what was not
--   due_at   when the run falls due: its lease ends, or its time comes; NULL for one that only a message wakes, has ended or is hidden
--
-- Nobody else may write them. The checks of `status` and `bond` are made by the triggers, which look at statements of others only.
--
-- An older Pawl does not know that it has to write the two: it cannot work beside one that has this script.

ALTER TABLE workflow.workflow_run
  ALTER COLUMN rank DROP EXPRESSION,
  ALTER COLUMN due_at DROP EXPRESSION,
  DROP CONSTRAINT workflow_run_status_check,
  DROP CONSTRAINT workflow_run_bond_check;

CREATE FUNCTION workflow.rank_of(run workflow.workflow_run) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT run.priority::bigint * 2 + CASE WHEN run.begun THEN 0 ELSE 1 END
$$;

CREATE FUNCTION workflow.due_of(run workflow.workflow_run) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN run.deleted_at IS NOT NULL THEN NULL
    WHEN run.status = 'leased' THEN run.lease_until
    WHEN run.status IN ('pending', 'suspended') THEN run.run_at
  END
$$;

-- ---- what an end means for others, as before, with due_at ----

CREATE OR REPLACE FUNCTION workflow.tell_parent(child workflow.workflow_run, said json, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  parent workflow.workflow_run;
  awake  boolean := false;
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
  IF parent.status = 'suspended' AND parent.wake_after > 0
    AND EXISTS (SELECT FROM workflow.workflow_wait w WHERE w.workflow_id = parent.id AND w.kind = 'child')
  THEN
    parent.wake_after := CASE WHEN child.status = 'succeeded' THEN parent.wake_after - 1 ELSE 0 END;
    awake := parent.wake_after = 0;
  END IF;
  IF awake AND (parent.run_at IS NULL OR parent.run_at > at) THEN
    parent.run_at := at;
  END IF;
  UPDATE workflow.workflow_run r
  SET wakes = r.wakes + 1, wake_after = parent.wake_after, version = r.version + 1,
    run_at = parent.run_at, due_at = workflow.due_of(parent)
  WHERE r.id = parent.id;
  IF awake THEN
    PERFORM workflow.hint_due(parent.type, at, at);
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION workflow.end_cancelled(run workflow.workflow_run, reason text, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM workflow.append(run.id, run.epoch, 'cancelled', '{"reason":' || reason || '}', at);
  PERFORM workflow.empty(run.id);
  UPDATE workflow.workflow_run r
  SET status = 'cancelled', leased_by = NULL, lease_until = NULL, due_at = NULL, epoch = r.epoch + 1, sql_epoch = NULL, wake_after = 0,
    updated_at = at, finished_at = at, version = r.version + 1
  WHERE r.id = run.id
  RETURNING * INTO run;
  PERFORM workflow.tell_parent(run, ('{"reason":' || reason || '}')::json, at);
  PERFORM workflow.hint('f' || run.id);
END
$$;

CREATE OR REPLACE FUNCTION workflow.cancel_children(parent uuid, reason text, at timestamptz) RETURNS void
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
      IF child.status <> 'leased' AND (child.run_at IS NULL OR child.run_at > at) THEN
        child.run_at := at;
      END IF;
      UPDATE workflow.workflow_run r
      SET wakes = r.wakes + 1, version = r.version + 1, run_at = child.run_at, due_at = workflow.due_of(child)
      WHERE r.id = child.id;
      PERFORM workflow.hint_due(child.type, at, at);
    END IF;
    PERFORM workflow.cancel_children(child.id, reason, at);
  END LOOP;
END
$$;

-- ---- a new run ----

-- As before, with what checks and triggers of their own looked at.
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

CREATE FUNCTION workflow.refuse_ttl(run uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ttl of run % cannot be written in SQL', run
    USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Leave the column out. To have the run removed, set deleted_at when it has ended.';
END
$$;

-- ---- a changed run ----

-- Refuses what a change in SQL may not say at all, whatever the run's state.
CREATE FUNCTION workflow.check_sayable(was workflow.workflow_run, run workflow.workflow_run) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF run.status IS NULL OR run.status NOT IN ('pending', 'leased', 'suspended', 'succeeded', 'failed', 'cancelled') THEN
    RAISE EXCEPTION 'run % cannot become %', was.id, coalesce('''' || run.status || '''', 'NULL')
      USING ERRCODE = 'check_violation', HINT = 'A run is pending, leased, suspended, succeeded, failed or cancelled.';
  ELSIF run.due_at IS DISTINCT FROM was.due_at OR run.rank IS DISTINCT FROM was.rank THEN
    RAISE EXCEPTION 'run %: Pawl itself keeps due_at and rank; leave them out', was.id
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'A pending run can be brought forward by its run_at.';
  ELSIF run.ttl IS DISTINCT FROM was.ttl THEN
    PERFORM workflow.refuse_ttl(was.id);
  END IF;
END
$$;

-- A lease that is taken or renewed, cut to the time that the attempt has.
CREATE FUNCTION workflow.cut_lease(was workflow.workflow_run, run workflow.workflow_run, at timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
  attempt interval := workflow.duration_tag(run.tags, 'pawl.timeout');
BEGIN
  IF run.lease_until IS NULL OR NOT coalesce(attempt > interval '0', false) THEN
    RETURN run.lease_until;
  END IF;
  RETURN least(run.lease_until,
    CASE WHEN was.status = 'leased' AND run.leased_by IS NOT DISTINCT FROM was.leased_by THEN workflow.attempt_ends(was)
      ELSE at + attempt END);
END
$$;

CREATE OR REPLACE FUNCTION workflow.before_sql_update() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  at   timestamptz := workflow.clock();
  was  workflow.workflow_run := OLD;
  run  workflow.workflow_run := NEW;
  live boolean := OLD.status IN ('pending', 'leased', 'suspended');
BEGIN
  PERFORM workflow.check_sayable(was, run);
  PERFORM workflow.check_fixed(was, run);
  run.updated_at := was.updated_at;
  IF run.status = 'leased' AND run.tags IS NOT NULL AND run.lease_until IS DISTINCT FROM was.lease_until THEN
    run.lease_until := workflow.cut_lease(was, run, at);
  END IF;
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
  run.rank := workflow.rank_of(run);
  run.due_at := workflow.due_of(run);
  IF run *<> was THEN
    run.version := was.version + 1;
    run.sql_writes := was.sql_writes + 1;
  END IF;
  RETURN run;
END
$$;

DROP TRIGGER before_any_ttl ON workflow.workflow_run;

DROP TRIGGER before_another_ttl ON workflow.workflow_run;

DROP TRIGGER before_long_lease ON workflow.workflow_run;

DROP FUNCTION workflow.before_sql_ttl();

DROP FUNCTION workflow.before_long_lease();
