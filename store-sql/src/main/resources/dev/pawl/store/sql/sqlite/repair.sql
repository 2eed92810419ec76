-- For repairs: every column of a row, in the order RunRow gives them. `rank` follows from the others.
-- name: replace-run
UPDATE pawl_run SET
  id = ?, type = ?, payload = ?, status = ?, priority = ?, due_at = ?, idempotency_key = ?, attempt = ?, max_attempts = ?,
  leased_by = ?, lease_until = ?, epoch = ?, begun = ?, resumed = ?, crashes = ?, cleanup = ?, wakes = ?, wake_after = ?,
  cancelling = ?, last_error = ?, result = ?, parent_id = ?, root_id = ?, bond = ?, definition = ?, tags = ?, deadline = ?,
  since = ?, forked_from = ?, created_at = ?, updated_at = ?, finished_at = ?, deleted_at = ?, ttl = ?,
  rank = CASE WHEN ?33 IS NULL THEN ?5 * 2 + 1 - ?13 END
WHERE id = ?1
