-- The logs.

-- For entries of runs of which only the writer says that it holds them (`probe`): the entry before must be one of the same lease that did not end
-- the turn: then, with the place itself free, the writer holds the run. If an entry is not written, a division by zero undoes all.
-- name: insert-events
WITH written AS (
  INSERT INTO workflow.workflow_event (created_at, workflow_id, seq, epoch, event_type, data)
  SELECT workflow.moment(?), u.workflow_id, u.seq, u.epoch, u.kind, u.data::json
  FROM unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bool[]) AS u (workflow_id, seq, epoch, kind, data, probe)
  LEFT JOIN LATERAL (
    SELECT p.epoch, p.event_type
    FROM workflow.workflow_event p
    WHERE u.probe AND p.workflow_id = u.workflow_id AND p.seq = u.seq - 1
    LIMIT 1) before ON true
  WHERE NOT u.probe OR (
    before.epoch = u.epoch AND before.epoch > 0
    AND before.event_type NOT IN ('suspended', 'retried', 'released', 'succeeded', 'failed', 'cancelled', 'rewound'))
  RETURNING 1)
SELECT 1 / (count(*) = ?)::int FROM written

-- The last entry that is more than a sign of life: if it is not the lease itself, the lease's owner got somewhere.
-- name: last-word
SELECT event_type
FROM workflow.workflow_event
WHERE workflow_id = ? AND seq IS NOT NULL AND event_type <> 'heartbeat'
ORDER BY seq DESC
LIMIT 1

-- The entry that an order to reopen has left: whatever stands before it has its quotes escaped.
-- name: rewound-by
SELECT 1
FROM workflow.workflow_event
WHERE workflow_id = ? AND event_type = 'rewound' AND strpos(data::text, '"order":"' || ? || '"') > 0
LIMIT 1

-- name: log
SELECT seq, created_at, epoch, event_type, data
FROM workflow.workflow_event
WHERE workflow_id = ? AND seq > ?
ORDER BY seq
LIMIT ?

-- name: logs
SELECT workflow_id, seq, created_at, epoch, event_type, data
FROM workflow.workflow_event
WHERE workflow_id = ANY (?) AND seq <= ?
ORDER BY workflow_id, seq

-- name: purge-events
DELETE FROM workflow.workflow_event WHERE workflow_id = ANY (?)
