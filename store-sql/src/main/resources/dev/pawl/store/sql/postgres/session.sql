-- Transactions.

-- name: begin
BEGIN

-- What a transaction wants to know first: the time; the position of the last topic event; for some types the runtime that may claim them, which
-- is none if they are switched off; the numbers of the last changes of both, with the time at which the server that gave them out was started; and
-- whether they are the last that were given out.
-- name: beginning
SELECT
  date_trunc('milliseconds', clock_timestamp()),
  p.position,
  ARRAY(
    SELECT CASE WHEN g.is_enabled THEN g.runtime ELSE '' END || chr(10) || g.workflow_name
    FROM workflow.workflow_registry g
    WHERE g.workflow_name = ANY (?::text[])),
  (date_part('epoch', pg_postmaster_start_time()) * 1000)::bigint,
  p.change,
  s.change,
  p.change = pg_sequence_last_value('workflow.workflow_topic_change'::regclass)
    AND s.change = pg_sequence_last_value('workflow.workflow_registry_change'::regclass)
FROM workflow.workflow_position p
CROSS JOIN workflow.workflow_registry_state s

-- ... and the condition under which a transaction that has presumed it inserts runs: it is undone, by a division by zero, if either has
-- changed, or is being changed, or nobody can tell because the number is NULL.
-- name: as-presumed
1 = 1 / coalesce((
  (date_part('epoch', pg_postmaster_start_time()) * 1000)::bigint = ?
  AND pg_sequence_last_value('workflow.workflow_topic_change'::regclass) = ?
  AND pg_sequence_last_value('workflow.workflow_registry_change'::regclass) = ?)::int, 0)

-- The condition under which entries follow the change of a row that was the first write of its transaction: there was such a row.
-- name: if-written
1 = 1 / (pg_current_xact_id_if_assigned() IS NOT NULL)::int

-- A change that was undone, or a server that crashed, leaves a number that no row has. Then a row takes a new one, unless somebody is at it.
-- name: settle-position
UPDATE workflow.workflow_position SET position = position
WHERE one IN (SELECT one FROM workflow.workflow_position FOR UPDATE SKIP LOCKED)

-- name: settle-registry
UPDATE workflow.workflow_registry_state SET change = change
WHERE one IN (SELECT one FROM workflow.workflow_registry_state FOR UPDATE SKIP LOCKED)

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

-- name: last-position
SELECT position FROM workflow.workflow_position

-- name: now
SELECT date_trunc('milliseconds', clock_timestamp())

-- A hint need not wait for the disk.
-- name: notify
SELECT set_config('synchronous_commit', 'off', true), pg_notify('pawl', ?)

-- name: listen
LISTEN pawl
