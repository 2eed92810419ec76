-- For repairs: every column of a row. A run that does not wait keeps its run_at.
-- name: replace-run
UPDATE workflow.workflow_run SET
  type = ?, payload = ?::json, status = ?, priority = ?::int, idempotency_key = ?, attempt = ?::int, max_attempts = ?::int,
  leased_by = ?, lease_until = workflow.moment(?), epoch = ?, begun = ?, resumed = ?, crashes = ?::int, cleanup = ?,
  wakes = ?, wake_after = ?::int, cancelling = ?, last_error = ?, result = ?::json, parent_id = ?, root_id = ?, bond = ?,
  definition = ?, tags = ?::json, deadline = workflow.moment(?), since = ?, forked_from = ?,
  created_at = workflow.moment(?), updated_at = workflow.moment(?), finished_at = workflow.moment(?),
  deleted_at = workflow.moment(?), ttl = ?, rank = ?, due_at = workflow.moment(?),
  run_at = CASE WHEN ? THEN workflow.moment(?) ELSE run_at END, version = version + 1
WHERE id = ?

-- name: run-to-replace
SELECT {{run-columns}} FROM workflow.workflow_run r WHERE r.id = ? FOR UPDATE
