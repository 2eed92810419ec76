-- The logs.

-- name: insert-event
INSERT INTO pawl_event (rid, seq, at, epoch, kind, data) VALUES (?, ?, ?, ?, ?, ?)

-- name: last-seq
SELECT max(seq) FROM pawl_event WHERE rid = ?

-- The last entry that is more than a sign of life: if it is not the lease itself, the lease's owner got somewhere.
-- name: last-word
SELECT kind FROM pawl_event WHERE rid = ? AND kind <> 'heartbeat' ORDER BY seq DESC LIMIT 1

-- The entry that an order to reopen has left: whatever stands before it has its quotes escaped.
-- name: rewound-by
SELECT 1 FROM pawl_event WHERE rid = ? AND kind = 'rewound' AND instr(data, '"order":"' || ? || '"') > 0 LIMIT 1

-- name: log
SELECT seq, at, epoch, kind, data
FROM pawl_event
WHERE rid = (SELECT rid FROM pawl_run WHERE id = ?) AND seq > ?
ORDER BY seq
LIMIT ?

-- name: purge-events
DELETE FROM pawl_event WHERE rid = ?
