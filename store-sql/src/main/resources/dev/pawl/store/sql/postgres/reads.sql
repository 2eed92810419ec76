-- What only readers ask.

-- name: list-filter
r.deleted_at IS NULL
AND (?::uuid IS NULL OR r.id < ?::uuid)
AND (? OR r.status = ANY (?::text[]))
AND (?::text IS NULL OR r.type = ?::text COLLATE "C")
AND (?::text IS NULL OR starts_with(r.type, ?::text))
AND (?::text IS NULL OR r.leased_by = ?::text COLLATE "C")

-- name: list
SELECT {{run-columns}} FROM workflow.workflow_run r WHERE {{list-filter}} ORDER BY r.id DESC LIMIT ?

-- name: list-children
SELECT {{run-columns}} FROM workflow.workflow_run r WHERE {{list-filter}} AND r.parent_id = ? ORDER BY r.parent_id, r.id DESC LIMIT ?

-- One status of the two that have an index; the caller merges them.
-- name: list-trouble
SELECT {{run-columns}}
FROM workflow.workflow_run r
WHERE {{list-filter}} AND r.status IN ('failed', 'cancelled') AND r.status = ?::text COLLATE "C"
ORDER BY r.status, r.id DESC
LIMIT ?

-- name: counts
SELECT type, status, count(*) FROM workflow.workflow_run WHERE deleted_at IS NULL GROUP BY type, status

-- name: definition
SELECT hash, type, kind, source FROM workflow.workflow_definition WHERE hash = ?

-- name: newest-definition
SELECT hash, type, kind, source FROM workflow.workflow_definition WHERE type = ? ORDER BY deployment DESC LIMIT 1

-- name: definitions
SELECT hash, type, kind, source FROM workflow.workflow_definition WHERE type = ? ORDER BY deployment DESC

-- name: defined-types
SELECT DISTINCT type FROM workflow.workflow_definition ORDER BY type

-- name: types
SELECT workflow_name, is_enabled, runtime, description, exact FROM workflow.workflow_registry
