-- The logs: workflow_log, and what the rows of their runs hold of them (`entries`).

-- For entries of runs of which only the writer says that it holds them (`probe`): the entry before must be one of the same lease that did not end
-- the turn: then, with the place itself free, the writer holds the run. If an entry is not written, a division by zero undoes all.
-- name: insert-events
WITH written AS (
  INSERT INTO workflow.workflow_log (created_at, workflow_id, seq, epoch, event_type, data)
  SELECT workflow.moment(?), u.workflow_id, u.seq, u.epoch, u.kind, u.data::json
  FROM unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bool[]) AS u (workflow_id, seq, epoch, kind, data, probe)
  LEFT JOIN LATERAL (
    SELECT p.epoch, p.event_type
    FROM workflow.workflow_log p
    WHERE u.probe AND p.workflow_id = u.workflow_id AND p.seq = u.seq - 1
    UNION ALL
    SELECT k.epoch, k.event_type
    FROM workflow.workflow_run r
    CROSS JOIN LATERAL workflow.entries(r.entries) k
    WHERE u.probe AND r.id = u.workflow_id AND k.seq = u.seq - 1
    LIMIT 1) before ON true
  WHERE NOT u.probe OR (
    before.epoch = u.epoch AND before.epoch > 0
    AND before.event_type NOT IN ('suspended', 'retried', 'released', 'succeeded', 'failed', 'cancelled', 'rewound'))
  RETURNING 1)
SELECT 1 / (count(*) = ?)::int FROM written

-- The last entry of each that is more than a sign of life: if it is not the lease itself, the lease's owner got somewhere.
-- name: last-words
SELECT u.id, l.event_type FROM unnest(?::uuid[]) AS u (id) CROSS JOIN LATERAL workflow.last_entry(u.id, 'heartbeat') l

-- The entry that an order to reopen has left: whatever stands before it has its quotes escaped.
-- name: rewound-by
SELECT 1
FROM workflow.workflow_log
WHERE workflow_id = ? AND event_type = 'rewound' AND strpos(data::text, '"order":"' || ? || '"') > 0
LIMIT 1

-- A page of a log: from the table no more than fits into it, and what the row holds, which is little.
-- name: log
SELECT seq, created_at, epoch, event_type, data
FROM (
  (SELECT e.seq, e.created_at, e.epoch, e.event_type, e.data
   FROM workflow.workflow_log e
   WHERE e.workflow_id = ? AND e.seq > ?
   ORDER BY e.seq
   LIMIT ?)
  UNION ALL
  SELECT k.seq, k.created_at, k.epoch, k.event_type, k.data
  FROM workflow.workflow_run r
  CROSS JOIN LATERAL workflow.entries(r.entries) k
  WHERE r.id = ? AND k.seq > ?) l
ORDER BY seq
LIMIT ?

-- name: logs
SELECT workflow_id, seq, created_at, epoch, event_type, data
FROM (
  SELECT e.workflow_id, e.seq, e.created_at, e.epoch, e.event_type, e.data
  FROM workflow.workflow_log e
  WHERE e.workflow_id = ANY (?) AND e.seq <= ?
  UNION ALL
  SELECT r.id, k.seq, k.created_at, k.epoch, k.event_type, k.data
  FROM workflow.workflow_run r
  CROSS JOIN LATERAL workflow.entries(r.entries) k
  WHERE r.id = ANY (?) AND k.seq <= ?) l
ORDER BY workflow_id, seq

-- name: purge-events
DELETE FROM workflow.workflow_log WHERE workflow_id = ANY (?)
