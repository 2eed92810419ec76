-- Content too large for a log, in chunks.

-- name: new-blob
INSERT INTO workflow.workflow_blob (written_at) VALUES (workflow.moment(?)) RETURNING number

-- name: touch-blob
UPDATE workflow.workflow_blob SET written_at = workflow.moment(?) WHERE number = ?

-- name: add-chunk
INSERT INTO workflow.workflow_blob_chunk (blob, chunk, data) VALUES (?, ?, ?)

-- If two write the same content at once, one of them waits here for the other and then changes nothing.
-- name: finish-blob
UPDATE workflow.workflow_blob SET hash = ?, length = ?, written_at = workflow.moment(?) WHERE number = ?

-- The row stays as it is until this transaction has ended: nobody can take it away as too old.
-- name: touch-known-blob
UPDATE workflow.workflow_blob SET written_at = workflow.moment(?) WHERE hash = ?

-- name: find-blob
SELECT number, length FROM workflow.workflow_blob WHERE hash = ?

-- name: read-chunk
SELECT data FROM workflow.workflow_blob_chunk WHERE blob = ? AND chunk = ?

-- name: delete-blob
DELETE FROM workflow.workflow_blob WHERE hash = ? AND written_at < workflow.moment(?)

-- name: drop-unfinished-blobs
DELETE FROM workflow.workflow_blob WHERE hash IS NULL AND written_at < workflow.moment(?)

-- name: drop-blob
DELETE FROM workflow.workflow_blob WHERE number = ?

-- name: list-blobs
SELECT hash, length, written_at FROM workflow.workflow_blob
WHERE hash > ? AND written_at < workflow.moment(?) ORDER BY hash LIMIT ?

-- name: refer
INSERT INTO workflow.workflow_blob_reference (hash, run_id)
SELECT h, ?::uuid FROM unnest(?::text[]) h ON CONFLICT DO NOTHING

-- name: forget-references
DELETE FROM workflow.workflow_blob_reference f
WHERE f.hash = ANY (?::text[]) AND NOT EXISTS (SELECT FROM workflow.workflow_run r WHERE r.id = f.run_id)

-- name: referred
SELECT DISTINCT f.hash FROM workflow.workflow_blob_reference f WHERE f.hash = ANY (?::text[])
