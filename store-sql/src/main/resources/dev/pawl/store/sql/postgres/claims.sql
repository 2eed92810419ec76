-- The loose scan of a claim: from type to type, from rank to rank, and within a rank to what is due. Every step is one seek in
-- workflow_run_due.

-- The types a claim wants: those named, and those behind a prefix that have something to claim some day; without those that are
-- switched off or executed by others.
-- name: wanted-types
behind (prefix, type) AS (
  SELECT p.prefix, f.type
  FROM unnest(?::text[]) AS p (prefix)
  CROSS JOIN LATERAL (
    SELECT r.type
    FROM workflow.workflow_run r
    WHERE r.type >= p.prefix COLLATE "C" AND r.due_at IS NOT NULL
    ORDER BY r.type
    LIMIT 1) f
  WHERE starts_with(f.type, p.prefix)
  UNION ALL
  SELECT b.prefix, f.type
  FROM behind b
  CROSS JOIN LATERAL (
    SELECT r.type
    FROM workflow.workflow_run r
    WHERE r.type > b.type COLLATE "C" AND r.due_at IS NOT NULL
    ORDER BY r.type
    LIMIT 1) f
  WHERE starts_with(f.type, b.prefix)
),
wanted (type) AS (
  SELECT w.type
  FROM (SELECT unnest(?::text[]) COLLATE "C" UNION SELECT type FROM behind) AS w (type)
  WHERE NOT EXISTS (
    SELECT FROM workflow.workflow_registry g
    WHERE g.workflow_name = w.type AND NOT (g.is_enabled AND g.runtime IN ('any', ?))
    OFFSET 0)
),
heads (type, rank) AS (
  SELECT w.type, f.rank
  FROM wanted w
  CROSS JOIN LATERAL (
    SELECT r.rank
    FROM workflow.workflow_run r
    WHERE r.type = w.type AND r.due_at IS NOT NULL
    ORDER BY r.type, r.rank
    LIMIT 1) f
  UNION ALL
  SELECT h.type, f.rank
  FROM heads h
  CROSS JOIN LATERAL (
    SELECT r.rank
    FROM workflow.workflow_run r
    WHERE r.type = h.type AND r.rank > h.rank AND r.due_at IS NOT NULL
    ORDER BY r.type, r.rank
    LIMIT 1) f
)

-- The heads themselves: the types a claim wants, and the ranks in them.
-- name: claim-heads
WITH RECURSIVE {{wanted-types}}
SELECT type, rank FROM heads

-- What is due under these heads, under each from a place on, in the order of claims, locked: what others have locked is passed over. Rows that this
-- transaction has in hand are left out. Once locked, a row is looked at again: another may have claimed it meanwhile. That is said in a way that no
-- partial index fits, so that the rows can only be found by their keys.
-- name: claim
WITH candidates AS (
  SELECT h.rank, c.due_at, c.id
  FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::uuid[]) AS h (type, rank, due, id)
  CROSS JOIN LATERAL (
    SELECT r.due_at, r.id
    FROM workflow.workflow_run r
    WHERE r.type = h.type COLLATE "C" AND r.rank = h.rank
      AND (r.due_at, r.id) >= (workflow.moment(h.due), h.id) AND r.due_at <= workflow.moment(?)
      AND r.id <> ALL (?::uuid[])
    ORDER BY r.type, r.rank, r.due_at, r.id
    LIMIT ?) c
  WHERE NOT EXISTS (
    SELECT FROM workflow.workflow_registry g
    WHERE g.workflow_name = h.type COLLATE "C" AND NOT (g.is_enabled AND g.runtime IN ('any', ?))
    OFFSET 0)
  ORDER BY h.rank, c.due_at, c.id
  LIMIT ?
)
SELECT {{held-columns}}
FROM candidates c
JOIN workflow.workflow_run r ON r.id = c.id
WHERE coalesce(r.due_at <= workflow.moment(?), false)
ORDER BY c.rank, c.due_at, c.id
LIMIT ?
FOR UPDATE OF r SKIP LOCKED

-- For one that begins with a claim and has nothing in hand: what is due at the time given, or that of the transaction, is kept in a setting for as long as
-- the transaction lasts, so that statements of the same round can claim it and read what belongs to it. Returns that time, and when the next falls due that is not due yet.
-- name: find-due
WITH RECURSIVE {{wanted-types}},
candidates AS (
  SELECT c.id
  FROM heads h
  CROSS JOIN LATERAL (
    SELECT r.due_at, r.id
    FROM workflow.workflow_run r
    WHERE r.type = h.type AND r.rank = h.rank AND r.due_at <= {{claim-moment}}
    ORDER BY r.type, r.rank, r.due_at, r.id
    LIMIT ?) c
  ORDER BY h.rank, c.due_at, c.id
  LIMIT ?
)
SELECT
  {{claim-moment}},
  (SELECT min(f.due_at)
   FROM heads h
   CROSS JOIN LATERAL (
     SELECT r.due_at
     FROM workflow.workflow_run r
     WHERE r.type = h.type AND r.rank = h.rank AND r.due_at > {{claim-moment}}
     ORDER BY r.type, r.rank, r.due_at
     LIMIT 1) f),
  set_config('pawl.candidates', (SELECT string_agg(id::text, ',') FROM candidates), true)

-- name: claim-found
SELECT {{held-columns}}
FROM workflow.workflow_run r
WHERE r.id = {{candidates}} AND coalesce(r.due_at <= {{claim-moment}}, false)
ORDER BY r.rank, r.due_at, r.id
LIMIT ?
FOR UPDATE SKIP LOCKED

-- What was said to be due, if it is, for one that begins with a claim.
-- name: claim-told
SELECT {{held-columns}}
FROM workflow.workflow_run r
WHERE r.id = ANY (?) AND coalesce(r.due_at <= {{claim-moment}}, false)
  AND NOT EXISTS (
    SELECT FROM workflow.workflow_registry g
    WHERE g.workflow_name = r.type AND NOT (g.is_enabled AND g.runtime IN ('any', ?))
    OFFSET 0)
ORDER BY r.rank, r.due_at, r.id
LIMIT ?
FOR UPDATE OF r SKIP LOCKED

-- name: claim-time
SELECT {{claim-moment}}

-- name: candidates
ANY (string_to_array(current_setting('pawl.candidates', true), ',')::uuid[])

-- name: claim-moment
coalesce(workflow.moment(?::bigint), date_trunc('milliseconds', now()))

-- When the next falls due that is not due yet.
-- name: claim-later
WITH RECURSIVE {{wanted-types}}
SELECT min(f.due_at)
FROM heads h
CROSS JOIN LATERAL (
  SELECT r.due_at
  FROM workflow.workflow_run r
  WHERE r.type = h.type AND r.rank = h.rank AND r.due_at > {{claim-moment}} AND r.id <> ALL (?::uuid[])
  ORDER BY r.type, r.rank, r.due_at
  LIMIT 1) f

-- A look from outside, by one that has nothing else to do: when the first falls due, in the past or to come.
-- name: peek
WITH RECURSIVE {{wanted-types}}
SELECT
  date_trunc('milliseconds', clock_timestamp()),
  (SELECT min(f.due_at)
   FROM heads h
   CROSS JOIN LATERAL (
     SELECT r.due_at
     FROM workflow.workflow_run r
     WHERE r.type = h.type AND r.rank = h.rank AND r.due_at IS NOT NULL
     ORDER BY r.type, r.rank, r.due_at
     LIMIT 1) f)

-- The runtime that may claim a type, or none.
-- name: admitted-runtime
SELECT CASE WHEN is_enabled THEN runtime ELSE '' END FROM workflow.workflow_registry WHERE workflow_name = ?

-- name: put-type
INSERT INTO workflow.workflow_registry (workflow_name, is_enabled, runtime, description, exact) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (workflow_name) DO UPDATE
SET is_enabled = excluded.is_enabled, runtime = excluded.runtime, description = excluded.description, exact = excluded.exact,
  updated_at = now()

-- Those who deploy, one after the other, so that there is one newest.
-- name: lock-definitions
SELECT pg_advisory_xact_lock(1885435756, 2)

-- name: insert-definition
INSERT INTO workflow.workflow_definition (hash, type, kind, source, created_at, deployment)
VALUES (?, ?, ?, ?::json, workflow.moment(?), 0)
ON CONFLICT (hash) DO NOTHING

-- name: deploy-definition
UPDATE workflow.workflow_definition
SET deployment = (SELECT max(deployment) + 1 FROM workflow.workflow_definition)
WHERE hash = ?
