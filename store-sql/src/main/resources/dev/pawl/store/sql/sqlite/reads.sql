-- What only readers ask. ?1 = before this id, ?2 = how many, ?3 = statuses as ',failed,cancelled,' or NULL, ?4 = type or NULL,
-- ?5 = prefix of the type or NULL, ?6 = worker or NULL.

-- name: list-filter
r.id < ?1
  AND r.deleted_at IS NULL
  AND (?3 IS NULL OR instr(?3, ',' || r.status || ',') > 0)
  AND (?4 IS NULL OR r.type = ?4)
  AND (?5 IS NULL OR substr(r.type, 1, length(?5)) = ?5)
  AND (?6 IS NULL OR r.leased_by = ?6)

-- name: list
SELECT {{run-columns}} FROM pawl_run r INDEXED BY pawl_run_id WHERE {{list-filter}} ORDER BY r.id DESC LIMIT ?2

-- name: list-children
SELECT {{run-columns}}
FROM pawl_run r INDEXED BY pawl_run_parent
WHERE r.parent_id = ?7 AND {{list-filter}}
ORDER BY r.id DESC
LIMIT ?2

-- One status of the two that have an index; the caller merges them.
-- name: list-trouble
SELECT {{run-columns}}
FROM pawl_run r INDEXED BY pawl_run_trouble
WHERE r.status IN ('failed', 'cancelled') AND r.status = ?7 AND {{list-filter}}
ORDER BY r.id DESC
LIMIT ?2

-- name: mailbox-of
SELECT m.id, m.at, m.kind, m.name, m.message, m.data
FROM pawl_mail m
WHERE m.rid = (SELECT rid FROM pawl_run WHERE id = ?)
ORDER BY m.id

-- name: counts
SELECT type, status, count(*) FROM pawl_run WHERE deleted_at IS NULL GROUP BY type, status

-- name: definition
SELECT hash, type, kind, source FROM pawl_definition WHERE hash = ?

-- name: newest-definition
SELECT hash, type, kind, source FROM pawl_definition WHERE type = ? ORDER BY deployment DESC LIMIT 1

-- name: definitions
SELECT hash, type, kind, source FROM pawl_definition WHERE type = ? ORDER BY deployment DESC

-- name: defined-types
SELECT DISTINCT type FROM pawl_definition ORDER BY type

-- name: types
SELECT type, enabled, runtime, description FROM pawl_type
