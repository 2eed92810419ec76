-- The run rows, many at a time: every statement takes arrays, and the planner is told (see session.sql) to go through the primary key.

-- The columns of a run in the order RunColumns reads them.
-- name: run-columns
r.id, r.type, r.payload, r.status, r.priority, r.due_at, r.idempotency_key, r.attempt, r.max_attempts, r.leased_by,
r.lease_until, r.epoch, r.begun, r.resumed, r.crashes, r.cleanup, r.wakes, r.wake_after, r.cancelling, r.last_error,
r.result, r.parent_id, r.root_id, r.bond, r.definition, r.tags, r.deadline, r.since, r.forked_from, r.created_at,
r.updated_at, r.finished_at, r.deleted_at, r.version

-- ... and what else a transaction wants to know: where the log ends, and which message in the mailbox is a request to cancel.
-- name: held-columns
{{run-columns}},
(SELECT max(e.seq) FROM workflow.workflow_event e WHERE e.workflow_id = r.id),
CASE WHEN r.wakes > 0 THEN (
  SELECT m.id
  FROM workflow.workflow_mail m
  WHERE m.workflow_id = r.id AND m.message = '00000000-0000-0000-0000-000000000000') END

-- name: run-by-id
SELECT {{run-columns}} FROM workflow.workflow_run r WHERE r.id = ?

-- name: run-by-key
SELECT {{run-columns}} FROM workflow.workflow_run r WHERE r.idempotency_key = ?

-- In the order of ids, as every transaction does it: so two of them never wait for each other in a circle. The rows are read by
-- the next statement: what it sees is at least as new as the locks.
-- name: lock-runs
SELECT count(*) FROM (SELECT FROM workflow.workflow_run WHERE id = ANY (?) ORDER BY id FOR UPDATE) locked

-- name: read-runs
SELECT {{held-columns}} FROM workflow.workflow_run r WHERE r.id = ANY (?)

-- name: read-keys
SELECT {{held-columns}} FROM workflow.workflow_run r WHERE r.idempotency_key = ANY (?)

-- A row that is there already, by its id or its key, makes the count too small, and the transaction is done again with open eyes.
-- name: insert-runs
INSERT INTO workflow.workflow_run (
  id, type, payload, status, priority, run_at, idempotency_key, attempt, max_attempts, leased_by, lease_until, epoch, begun,
  resumed, crashes, cleanup, wakes, wake_after, cancelling, last_error, result, parent_id, root_id, bond, definition, tags,
  deadline, since, forked_from, created_at, updated_at, finished_at, deleted_at, version)
SELECT
  u.id, u.type, u.payload::json, u.status, u.priority, workflow.moment(u.run_at), u.idempotency_key, u.attempt, u.max_attempts,
  u.leased_by, workflow.moment(u.lease_until), u.epoch, u.begun, u.resumed, u.crashes, u.cleanup, u.wakes, u.wake_after,
  u.cancelling, u.last_error, u.result::json, u.parent_id, u.root_id, u.bond, u.definition, u.tags::json,
  workflow.moment(u.deadline), u.since, u.forked_from, workflow.moment(u.created_at), workflow.moment(u.updated_at),
  workflow.moment(u.finished_at), workflow.moment(u.deleted_at), 1
FROM unnest(
  ?::uuid[], ?::text[], ?::text[], ?::text[], ?::int[], ?::bigint[], ?::text[], ?::int[], ?::int[], ?::text[], ?::bigint[],
  ?::bigint[], ?::bool[], ?::bool[], ?::int[], ?::bool[], ?::bigint[], ?::int[], ?::text[], ?::text[], ?::text[], ?::uuid[],
  ?::uuid[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::uuid[], ?::bigint[], ?::bigint[], ?::bigint[],
  ?::bigint[]) AS u (
  id, type, payload, status, priority, run_at, idempotency_key, attempt, max_attempts, leased_by, lease_until, epoch, begun,
  resumed, crashes, cleanup, wakes, wake_after, cancelling, last_error, result, parent_id, root_id, bond, definition, tags,
  deadline, since, forked_from, created_at, updated_at, finished_at, deleted_at)
ON CONFLICT DO NOTHING

-- A new run that is only pending or leased yet: most are.
-- name: insert-fresh-runs
INSERT INTO workflow.workflow_run (
  id, type, payload, status, priority, run_at, idempotency_key, attempt, max_attempts, leased_by, lease_until, epoch, begun,
  parent_id, root_id, bond, since, created_at, updated_at, version)
SELECT
  u.id, u.type, u.payload::json, u.status, u.priority, workflow.moment(u.run_at), u.idempotency_key, u.attempt, u.max_attempts,
  u.leased_by, workflow.moment(u.lease_until), u.epoch, u.begun, u.parent_id, u.root_id, u.bond, u.since, b.now, b.now, 1
FROM (SELECT workflow.moment(?) AS now) b, unnest(
  ?::uuid[], ?::text[], ?::text[], ?::text[], ?::int[], ?::bigint[], ?::text[], ?::int[], ?::int[], ?::text[], ?::bigint[],
  ?::bigint[], ?::bool[], ?::uuid[], ?::uuid[], ?::text[], ?::bigint[]) AS u (
  id, type, payload, status, priority, run_at, idempotency_key, attempt, max_attempts, leased_by, lease_until, epoch, begun,
  parent_id, root_id, bond, since)
ON CONFLICT DO NOTHING

-- The engine decided on the row as it was at a version. If there is another by now, the count is too small. One statement for all that can
-- change, so that the rows are locked in the order of the arrays, which is that of ids. What has not changed is not written anew: a large
-- result stays where it is.
-- name: update-runs
UPDATE workflow.workflow_run r
SET status = u.status, run_at = CASE WHEN u.waiting THEN workflow.moment(u.run_at) ELSE r.run_at END, attempt = u.attempt,
  leased_by = u.leased_by, lease_until = workflow.moment(u.lease_until), epoch = u.epoch, begun = u.begun, resumed = u.resumed,
  crashes = u.crashes, cleanup = u.cleanup, wakes = u.wakes, wake_after = u.wake_after, cancelling = u.cancelling,
  updated_at = workflow.moment(u.updated_at), finished_at = workflow.moment(u.finished_at), version = r.version + 1,
  result = CASE WHEN u.settled THEN u.result::json ELSE r.result END,
  last_error = CASE WHEN u.settled THEN u.last_error ELSE r.last_error END, definition = u.definition
FROM unnest(
  ?::uuid[], ?::bigint[], ?::text[], ?::bool[], ?::bigint[], ?::int[], ?::text[], ?::bigint[], ?::bigint[], ?::bool[], ?::bool[],
  ?::int[], ?::bool[], ?::bigint[], ?::int[], ?::text[], ?::bigint[], ?::bigint[], ?::bool[], ?::text[], ?::text[],
  ?::text[]) AS u (
  id, version, status, waiting, run_at, attempt, leased_by, lease_until, epoch, begun, resumed, crashes, cleanup, wakes,
  wake_after, cancelling, updated_at, finished_at, settled, result, last_error, definition)
WHERE r.id = u.id AND r.version = u.version

-- Follows on update-runs, which has seen to the version.
-- name: hide-runs
UPDATE workflow.workflow_run r
SET deleted_at = workflow.moment(u.deleted_at), version = r.version + 1
FROM unnest(?::uuid[], ?::bigint[]) AS u (id, deleted_at)
WHERE r.id = u.id

-- name: awaited-children
SELECT id FROM workflow.workflow_run WHERE parent_id = ? AND bond = 'awaited' ORDER BY id

-- name: purgeable-runs
SELECT id FROM workflow.workflow_run WHERE deleted_at < workflow.moment(?) ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED

-- name: purge-runs
DELETE FROM workflow.workflow_run WHERE id = ANY (?)
