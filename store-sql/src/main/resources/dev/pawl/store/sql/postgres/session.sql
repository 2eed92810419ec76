-- Transactions.

-- What every transaction begins with: the time, the position of the last topic event, and for some
-- types the runtime that may claim them, which is none if they are switched off.
-- name: begin
SELECT
  date_trunc('milliseconds', clock_timestamp()),
  (SELECT position FROM workflow.workflow_position),
  ARRAY(
    SELECT CASE WHEN g.is_enabled THEN g.runtime ELSE '' END || chr(10) || g.workflow_name
    FROM workflow.workflow_registry g
    WHERE g.workflow_name = ANY (?::text[]))

-- ... and what a transaction that has presumed it begins with: it is undone, by a division by zero, if the position is another by now, or somebody else
-- may claim one of the types.
-- name: confirm
SELECT
  date_trunc('milliseconds', clock_timestamp()),
  1 / (
    (SELECT position FROM workflow.workflow_position) = ?
    AND NOT EXISTS (
      SELECT FROM unnest(?::text[], ?::text[]) AS p (type, admitted)
      WHERE p.admitted <> coalesce((
        SELECT CASE WHEN g.is_enabled THEN g.runtime ELSE '' END
        FROM workflow.workflow_registry g
        WHERE g.workflow_name = p.type), 'any')))::int

-- ... and of a single type, as a condition of the statement that inserts its runs.
-- name: as-presumed
1 = 1 / (
  (SELECT position FROM workflow.workflow_position) = ?
  AND ? = coalesce(
    (SELECT CASE WHEN is_enabled THEN runtime ELSE '' END FROM workflow.workflow_registry WHERE workflow_name = ?),
    'any'))::int

-- Only the primary keys and the indexes made for it may serve the engine's writes, also on a table that was never analysed. Behind a pooler
-- this is said in every transaction; else once, when the connection is made.
-- name: plan-by-index
SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true)

-- ... and the body of a transactional step plans as the database's owner meant it.
-- name: plan-freely
SELECT set_config('enable_seqscan', 'on', true), set_config('enable_bitmapscan', 'on', true),
  set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true),
  set_config('plan_cache_mode', 'auto', true)

-- What a body has left for the end is checked while it can still be undone alone.
-- name: constraints-now
SET CONSTRAINTS ALL IMMEDIATE

-- name: commit
COMMIT

-- name: savepoint
SAVEPOINT pawl_body

-- name: release
RELEASE SAVEPOINT pawl_body

-- name: undo
ROLLBACK TO SAVEPOINT pawl_body

-- name: now
SELECT date_trunc('milliseconds', clock_timestamp())

-- A hint need not wait for the disk.
-- name: notify
SELECT set_config('synchronous_commit', 'off', true), pg_notify('pawl', ?)

-- name: listen
LISTEN pawl
