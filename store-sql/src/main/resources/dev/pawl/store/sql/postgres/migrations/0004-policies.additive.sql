-- What whoever started a run said about its attempts holds for workers in SQL as it does for the engine's. It travels in the run's tags:
--
--   pawl.timeout                                       how long an attempt may take, such as PT30S
--   pawl.retry.initial, .factor, .cap, .jitter         the waits between attempts
--   pawl.retry.nonRetryable                            codes that are not tried again, with a blank between them
--
-- A lease in SQL ends at the latest when the attempt's time is over, however far it is renewed, and workflow.reap() then says TIMEOUT. The waits are
-- those of the engine; a run that says nothing about them keeps those of workflow.backoff(attempt).
--
-- A Pawl that does not know this script may work on beside one that does: it only adds to what workers in SQL are held to.

-- A tag as text; NULL if there is none, or none that Postgres can take apart.
CREATE FUNCTION workflow.tag(tags json, name text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN tags ->> name;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$$;

-- A duration as the engine writes it; NULL if it is none.
CREATE FUNCTION workflow.duration_tag(tags json, name text) RETURNS interval
LANGUAGE plpgsql STABLE AS $$
DECLARE
  said text := workflow.tag(tags, name);
BEGIN
  RETURN CASE WHEN said ~ '^P[0-9DTHMS.]+$' THEN said::interval END;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$$;

CREATE FUNCTION workflow.number_tag(tags json, name text) RETURNS float8
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN workflow.tag(tags, name)::float8;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$$;

-- Whether a run says itself how long to wait between attempts.
CREATE FUNCTION workflow.has_waits(tags json) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(workflow.tag(tags, 'pawl.retry.initial'), workflow.tag(tags, 'pawl.retry.factor'),
    workflow.tag(tags, 'pawl.retry.cap'), workflow.tag(tags, 'pawl.retry.jitter')) IS NOT NULL
$$;

-- How long to wait after the present attempt at a run has failed.
CREATE FUNCTION workflow.backoff(run workflow.workflow_run) RETURNS interval
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  initial float8 := extract(epoch FROM coalesce(workflow.duration_tag(run.tags, 'pawl.retry.initial'), interval '2 seconds'));
  factor  float8 := coalesce(workflow.number_tag(run.tags, 'pawl.retry.factor'), 2);
  longest float8 := extract(epoch FROM coalesce(workflow.duration_tag(run.tags, 'pawl.retry.cap'), interval '5 minutes'));
  times   float8;
BEGIN
  IF NOT workflow.has_waits(run.tags) OR workflow.tag(run.tags, 'pawl.backoff') = 'quadratic' THEN
    RETURN workflow.backoff(run.attempt);
  END IF;
  IF workflow.tag(run.tags, 'pawl.retry.cap') IS NULL THEN
    longest := greatest(longest, initial);
  END IF;
  times := exp(least((run.attempt - 1) * ln(greatest(factor, 1)), 300)); -- Far beyond any cap, and still a number.
  RETURN interval '1 second' * least(initial * times, longest)
    * CASE WHEN workflow.tag(run.tags, 'pawl.retry.jitter') = 'false' THEN 1 ELSE random() END;
END
$$;

-- Whether a failure is not to be tried again, because of its code.
CREATE FUNCTION workflow.is_final(run workflow.workflow_run, failure text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(failure::json ->> 'code' = ANY (string_to_array(workflow.tag(run.tags, 'pawl.retry.nonRetryable'), ' ')), false);
EXCEPTION WHEN data_exception THEN
  RETURN false;
END
$$;

-- As before, but whoever says something about waits is heard.
CREATE OR REPLACE FUNCTION workflow.with_backoff(tags json) RETURNS json
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN tags -> 'pawl.backoff' IS NOT NULL OR workflow.has_waits(tags) THEN tags
    WHEN tags IS NULL OR NOT EXISTS (SELECT FROM json_object_keys(tags)) THEN '{"pawl.backoff":"quadratic"}'
    ELSE ('{"pawl.backoff":"quadratic",' || substr(tags::text, 2))::json
  END
$$;

-- As before, with the waits of the run, and an end for a failure that is not to be tried again.
CREATE OR REPLACE FUNCTION workflow.put_back(
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
  ELSE
    failure := workflow.failure(was, said, true);
    IF was.attempt >= was.max_attempts OR workflow.is_final(was, failure) THEN
      RETURN workflow.failed(was, run, workflow.failure(was, said, false), at);
    END IF;
    run.run_at := workflow.whole(
      CASE WHEN run.run_at IS DISTINCT FROM was.run_at AND run.run_at IS NOT NULL THEN run.run_at
        ELSE at + workflow.backoff(was) END, at);
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

-- When the time of the present attempt of a run that is leased is over; NULL if it has no limit. Whoever may reap need not be able to read logs.
CREATE FUNCTION workflow.attempt_ends(run workflow.workflow_run) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT e.created_at + workflow.duration_tag(run.tags, 'pawl.timeout')
  FROM workflow.workflow_event e
  WHERE e.workflow_id = run.id AND e.seq IS NOT NULL AND e.event_type = 'leased'
  ORDER BY e.seq DESC
  LIMIT 1
$$;

-- Cuts a lease that is taken or renewed to the time that the attempt has. Goes before before_sql_update, which makes the move.
CREATE FUNCTION workflow.before_long_lease() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  attempt interval := workflow.duration_tag(NEW.tags, 'pawl.timeout');
BEGIN
  IF attempt > interval '0' AND NEW.lease_until IS NOT NULL THEN
    NEW.lease_until := least(NEW.lease_until,
      CASE WHEN OLD.status = 'leased' AND NEW.leased_by IS NOT DISTINCT FROM OLD.leased_by THEN workflow.attempt_ends(OLD)
        ELSE workflow.clock() + attempt END);
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER before_long_lease BEFORE UPDATE ON workflow.workflow_run
FOR EACH ROW WHEN (NEW.version = OLD.version AND NEW.status = 'leased' AND NEW.tags IS NOT NULL
  AND NEW.lease_until IS DISTINCT FROM OLD.lease_until)
EXECUTE FUNCTION workflow.before_long_lease();

-- As before; a lease that ended with the time of its attempt is not a lost worker, and waits as any failed attempt does. The lease was cut a moment
-- before the entry in the log was made, by a clock that goes on: hence the allowance.
CREATE OR REPLACE FUNCTION workflow.reap(max integer DEFAULT 100) RETURNS integer
LANGUAGE sql VOLATILE AS $$
  WITH lost AS (
    SELECT r.id, coalesce(
      r.lease_until >= workflow.attempt_ends(r) - least(interval '1 second', workflow.duration_tag(r.tags, 'pawl.timeout') / 2), false) AS late
    FROM workflow.workflow_run r
    WHERE r.status = 'leased' AND r.sql_epoch = r.epoch AND r.lease_until <= clock_timestamp()
    ORDER BY r.lease_until
    LIMIT max
    FOR UPDATE SKIP LOCKED
  ), reaped AS (
    UPDATE workflow.workflow_run r
    SET status = 'pending',
      run_at = CASE WHEN lost.late THEN r.run_at ELSE clock_timestamp() END,
      last_error = CASE WHEN lost.late
        THEN json_build_object('code', 'TIMEOUT', 'message',
          format('the task took longer than its limit of %s, in attempt %s of %s at worker %s',
            workflow.tag(r.tags, 'pawl.timeout'), r.attempt, r.max_attempts, r.leased_by))
        ELSE json_build_object('code', 'WORKER_LOST', 'message',
          format('run %s of %s lost its worker %s in attempt %s of %s: the lease ended at %s',
            r.id, r.type, r.leased_by, r.attempt, r.max_attempts, r.lease_until))
      END
    FROM lost
    WHERE r.id = lost.id
    RETURNING 1)
  SELECT count(*)::integer FROM reaped
$$;
