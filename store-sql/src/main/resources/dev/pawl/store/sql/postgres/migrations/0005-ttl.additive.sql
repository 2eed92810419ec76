-- How long a run is kept once it has ended, in milliseconds. The engine writes it with the row and never changes it; NULL says that the run is
-- kept until somebody deletes it.
--
-- workflow_run_expiry holds the ended runs that have a ttl, by the moment at which it is over, and no others: a purge finds what is due without
-- seeing the rest, and a run without a ttl is never in it.
--
-- The column is not part of what producers and workers in SQL may write: the log's first entry says the same, and only the engine writes that.
--
-- A Pawl that does not know this script may work on beside one that does: it never mentions the column, so a run keeps what it was started
-- with, and its purges leave such runs to the others'.

ALTER TABLE workflow.workflow_run ADD COLUMN ttl bigint;

-- The moment at which an ended run's time is over, in milliseconds since 1970: to the nearest, as the engine reads moments.
CREATE FUNCTION workflow.expiry(finished_at timestamptz, ttl bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT round(extract(epoch FROM finished_at) * 1000)::bigint + ttl
$$;

CREATE INDEX workflow_run_expiry ON workflow.workflow_run (workflow.expiry(finished_at, ttl), id)
WHERE ttl IS NOT NULL AND finished_at IS NOT NULL;

CREATE FUNCTION workflow.before_sql_ttl() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ttl of run % cannot be written in SQL', NEW.id
    USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Leave the column out. To have the run removed, set deleted_at when it has ended.';
END
$$;

-- By their names they go before the triggers of the contract, which change the version.
CREATE TRIGGER before_any_ttl BEFORE INSERT ON workflow.workflow_run
FOR EACH ROW WHEN (NEW.version = 0 AND NEW.ttl IS NOT NULL) EXECUTE FUNCTION workflow.before_sql_ttl();

CREATE TRIGGER before_another_ttl BEFORE UPDATE OF ttl ON workflow.workflow_run
FOR EACH ROW WHEN (NEW.version = OLD.version AND NEW.ttl IS DISTINCT FROM OLD.ttl) EXECUTE FUNCTION workflow.before_sql_ttl();
