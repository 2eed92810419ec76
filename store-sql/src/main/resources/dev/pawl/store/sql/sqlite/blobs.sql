-- Content too large for a log, in chunks.

-- name: new-blob
INSERT INTO pawl_blob (written_at) VALUES (?) RETURNING number

-- name: touch-blob
UPDATE pawl_blob SET written_at = ? WHERE number = ?

-- name: add-chunk
INSERT INTO pawl_blob_chunk (blob, chunk, data) VALUES (?, ?, ?)

-- name: finish-blob
UPDATE pawl_blob SET hash = ?, length = ?, written_at = ? WHERE number = ?

-- name: find-blob
SELECT number, length FROM pawl_blob WHERE hash = ?

-- name: read-chunk
SELECT data FROM pawl_blob_chunk WHERE blob = ? AND chunk = ?

-- name: old-blob
SELECT number FROM pawl_blob WHERE hash = ? AND written_at < ?

-- name: unfinished-blobs
SELECT number FROM pawl_blob WHERE hash IS NULL AND written_at < ?

-- name: drop-chunks
DELETE FROM pawl_blob_chunk WHERE blob = ?

-- name: drop-blob
DELETE FROM pawl_blob WHERE number = ?

-- name: list-blobs
SELECT hash, length, written_at FROM pawl_blob WHERE hash > ? AND written_at < ? ORDER BY hash LIMIT ?

-- name: refer
INSERT OR IGNORE INTO pawl_blob_reference (hash, run_id) VALUES (?, ?)

-- name: forget-references
DELETE FROM pawl_blob_reference
WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM pawl_run WHERE id = pawl_blob_reference.run_id)

-- name: is-referred
SELECT 1 FROM pawl_blob_reference WHERE hash = ? LIMIT 1
