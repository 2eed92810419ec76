-- The loose scan of a claim. Each statement is one seek in pawl_run_claim (and, for the last, a walk over what is taken).
-- None touches the table. INDEXED BY makes it an error, and not a slow day, if a plan ever stops using that index.

-- Of the types that have a run with a due time, the first at or behind a prefix.
-- name: first-type
SELECT type
FROM pawl_run INDEXED BY pawl_run_claim
WHERE type >= ? AND rank IS NOT NULL AND due_at IS NOT NULL
ORDER BY type
LIMIT 1

-- ... and the one after another.
-- name: next-type
SELECT type
FROM pawl_run INDEXED BY pawl_run_claim
WHERE type > ? AND rank IS NOT NULL AND due_at IS NOT NULL
ORDER BY type
LIMIT 1

-- The next rank of a type, with the earliest due time in it.
-- name: next-rank
SELECT rank, due_at
FROM pawl_run INDEXED BY pawl_run_claim
WHERE type = ? AND rank > ? AND due_at IS NOT NULL
ORDER BY rank, due_at
LIMIT 1

-- What is due in a rank, in the order of claims.
-- name: due-in-rank
SELECT rid, id, due_at
FROM pawl_run INDEXED BY pawl_run_claim
WHERE type = ? AND rank = ? AND due_at <= ?
ORDER BY due_at, id
LIMIT ?

-- The first that is not yet due in a rank.
-- name: later-in-rank
SELECT due_at
FROM pawl_run INDEXED BY pawl_run_claim
WHERE type = ? AND rank = ? AND due_at > ?
ORDER BY due_at
LIMIT 1

-- name: put-type
INSERT INTO pawl_type (type, enabled, runtime, description) VALUES (?, ?, ?, ?)
ON CONFLICT (type) DO UPDATE SET enabled = excluded.enabled, runtime = excluded.runtime, description = excluded.description

-- name: insert-definition
INSERT INTO pawl_definition (hash, type, kind, source, created_at, deployment) VALUES (?, ?, ?, ?, ?, 0)
ON CONFLICT (hash) DO NOTHING

-- name: deploy-definition
UPDATE pawl_definition SET deployment = (SELECT max(deployment) + 1 FROM pawl_definition) WHERE hash = ?
