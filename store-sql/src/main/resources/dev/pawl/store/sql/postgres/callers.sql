-- In a transaction of the caller's.

-- Since when this database is a store: that tells one store from another.
-- name: store-since
SELECT min(applied_at) FROM workflow.workflow_schema

-- The time, the position of the last topic event, and which store it is.
-- name: look-around
SELECT
  date_trunc('milliseconds', clock_timestamp()),
  (SELECT position FROM workflow.workflow_position),
  ({{store-since}})

-- A run with the first entry of its log, and word to the workers when the caller commits. No row comes back if the id or the key is taken.
-- name: start-here
WITH made AS (
  INSERT INTO workflow.workflow_run (
    id, type, payload, priority, run_at, idempotency_key, max_attempts, root_id, definition, tags, deadline, since,
    ttl, created_at, updated_at, rank, due_at, version)
  SELECT
    n.id, n.type, n.payload::json, n.priority, workflow.moment(n.run_at), n.key, n.max_attempts, n.id, n.definition, n.tags::json,
    workflow.moment(n.deadline), n.since, n.ttl, workflow.moment(n.now), workflow.moment(n.now), n.priority::bigint * 2 + 1, workflow.moment(n.run_at), 1
  FROM (VALUES (
    ?::uuid, ?::text, ?::text, ?::integer, ?::bigint, ?::text, ?::integer, ?::text, ?::text, ?::bigint, ?::bigint,
    ?::bigint, ?::bigint)) AS n (id, type, payload, priority, run_at, key, max_attempts, definition, tags, deadline, since, ttl, now)
  ON CONFLICT DO NOTHING
  RETURNING id, type, run_at, created_at
), logged AS (
  INSERT INTO workflow.workflow_log (workflow_id, seq, epoch, event_type, data, created_at)
  SELECT made.id, 1, 0, 'created', ?::json, made.created_at FROM made
)
SELECT made.id, workflow.hint_due(made.type, made.run_at, made.created_at) FROM made
