-- The run rows. Columns that an index covers stand in an UPDATE only where they change: SQLite rewrites the index entry of
-- every column named after SET, whether its value is new or not.

-- The columns of a run in the order RunRow reads them. A long payload is in the run's first event only; then that is the
-- last column.
-- name: run-columns
r.id, r.type, r.payload, r.status, r.priority, r.due_at, r.idempotency_key, r.attempt, r.max_attempts, r.leased_by,
r.lease_until, r.epoch, r.begun, r.resumed, r.crashes, r.cleanup, r.wakes, r.wake_after, r.cancelling, r.last_error,
r.result, r.parent_id, r.root_id, r.bond, r.definition, r.tags, r.deadline, r.since, r.forked_from, r.created_at,
r.updated_at, r.finished_at, r.deleted_at, r.ttl,
CASE WHEN r.payload IS NULL THEN (SELECT e.data FROM pawl_event e WHERE e.rid = r.rid AND e.seq = 1) END

-- name: run-by-id
SELECT {{run-columns}} FROM pawl_run r WHERE r.id = ?

-- name: run-by-rid
SELECT {{run-columns}} FROM pawl_run r WHERE r.rid = ?

-- name: run-by-key
SELECT {{run-columns}} FROM pawl_run r WHERE r.idempotency_key = ?

-- All that a checkpoint must know of its run.
-- name: fence
SELECT r.rid, r.epoch, r.status, (SELECT max(e.seq) FROM pawl_event e WHERE e.rid = r.rid) FROM pawl_run r WHERE r.id = ?

-- name: id-by-key
SELECT r.id FROM pawl_run r WHERE r.idempotency_key = ?

-- name: last-rid
SELECT coalesce(max(rid), 0) FROM pawl_run

-- No row is written if the id or the idempotency key is taken: that is cheaper than to look first.
-- name: insert-run
INSERT INTO pawl_run (
  rid, id, type, payload, status, priority, due_at, idempotency_key, attempt, max_attempts, leased_by, lease_until, epoch,
  begun, resumed, crashes, cleanup, wakes, wake_after, cancelling, last_error, result, parent_id, root_id, bond, definition,
  tags, deadline, since, forked_from, created_at, updated_at, finished_at, deleted_at, ttl, rank)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?6 * 2 + 1 - ?14)
ON CONFLICT DO NOTHING

-- A move to another state.
-- name: move-run
UPDATE pawl_run
SET status = ?, due_at = ?, attempt = ?, leased_by = ?, lease_until = ?, epoch = ?, begun = ?7,
  rank = CASE WHEN deleted_at IS NULL THEN priority * 2 + 1 - ?7 END, resumed = ?, crashes = ?,
  cleanup = ?, wakes = ?, wake_after = ?, cancelling = ?, updated_at = ?, finished_at = ?
WHERE rid = ?

-- A move that has something to show for it.
-- name: settle-run
UPDATE pawl_run
SET status = ?, due_at = ?, attempt = ?, leased_by = ?, lease_until = ?, epoch = ?, begun = ?7,
  rank = CASE WHEN deleted_at IS NULL THEN priority * 2 + 1 - ?7 END, resumed = ?, crashes = ?,
  cleanup = ?, wakes = ?, wake_after = ?, cancelling = ?, updated_at = ?, finished_at = ?, result = ?, last_error = ?
WHERE rid = ?

-- name: pin-run
UPDATE pawl_run SET definition = ? WHERE rid = ?

-- name: extend-run
UPDATE pawl_run SET due_at = ?, leased_by = ?, lease_until = ? WHERE rid = ?

-- A message came, and it is time.
-- name: wake-run
UPDATE pawl_run SET wakes = ?, wake_after = ?, due_at = ? WHERE rid = ?

-- A message came, and it is not yet time.
-- name: count-wake
UPDATE pawl_run SET wakes = ?, wake_after = ? WHERE rid = ?

-- name: hide-run
UPDATE pawl_run SET deleted_at = ?, rank = NULL WHERE rid = ?

-- name: awaited-children
SELECT id FROM pawl_run WHERE parent_id = ? AND bond = 'awaited' ORDER BY id

-- name: purgeable-runs
SELECT id, rid FROM pawl_run INDEXED BY pawl_run_deleted WHERE deleted_at < ? ORDER BY id LIMIT ?

-- What has been ended for as long as it asked to be kept, deleted or not.
-- name: expired-runs
SELECT id, rid
FROM pawl_run INDEXED BY pawl_run_expiry
WHERE ttl IS NOT NULL AND finished_at IS NOT NULL AND finished_at + ttl <= ?
ORDER BY finished_at + ttl, id
LIMIT ?

-- name: purge-run
DELETE FROM pawl_run WHERE rid = ?
