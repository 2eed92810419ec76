-- The run rows, many at a time (RunColumns makes the statements that write them): every statement takes arrays, and the planner is told (see session.sql) to go through the primary key.

-- The columns of a run in the order RunColumns reads them.
-- name: run-columns
r.id, r.type, r.payload, r.status, r.priority, r.due_at, r.idempotency_key, r.attempt, r.max_attempts, r.leased_by,
r.lease_until, r.epoch, r.begun, r.resumed, r.crashes, r.cleanup, r.wakes, r.wake_after, r.cancelling, r.last_error,
r.result, r.parent_id, r.root_id, r.bond, r.definition, r.tags, r.deadline, r.since, r.forked_from, r.created_at,
r.updated_at, r.finished_at, r.deleted_at, r.ttl, r.version

-- ... and what else a transaction wants to know: where the log ends (a run that was never leased has only been created, unless it was forked),
-- and which message in the mailbox is a request to cancel.
-- name: held-columns
{{run-columns}},
CASE WHEN r.epoch = 0 AND r.forked_from IS NULL THEN 1
  ELSE greatest((SELECT max(e.seq) FROM workflow.workflow_log e WHERE e.workflow_id = r.id), workflow.last_kept(r.entries)) END,
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

-- Follows on the update of the same rows, which has seen to the version.
-- name: hide-runs
UPDATE workflow.workflow_run r
SET deleted_at = workflow.moment(u.deleted_at), due_at = NULL, version = r.version + 1
FROM unnest(?::uuid[], ?::bigint[]) AS u (id, deleted_at)
WHERE r.id = u.id

-- name: awaited-children
SELECT id FROM workflow.workflow_run WHERE parent_id = ? AND bond = 'awaited' ORDER BY id

-- name: purgeable-runs
SELECT id FROM workflow.workflow_run WHERE deleted_at < workflow.moment(?) ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED

-- What has been ended for as long as it asked to be kept, deleted or not.
-- name: expired-runs
SELECT id
FROM workflow.workflow_run
WHERE ttl IS NOT NULL AND finished_at IS NOT NULL AND workflow.expiry(finished_at, ttl) <= ?
ORDER BY workflow.expiry(finished_at, ttl), id
LIMIT ?
FOR UPDATE SKIP LOCKED

-- Only what is hidden can be removed.
-- name: hide-expired
UPDATE workflow.workflow_run
SET deleted_at = finished_at, version = version + 1
WHERE id = ANY (?) AND deleted_at IS NULL

-- name: purge-runs
DELETE FROM workflow.workflow_run WHERE id = ANY (?)
