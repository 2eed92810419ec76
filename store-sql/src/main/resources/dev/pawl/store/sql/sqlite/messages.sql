-- Mailboxes, waits and topics.

-- Ids are given by the writer, which knows the last one; the sequence remembers it when the table is empty.
-- name: last-mail
SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'pawl_mail'

-- name: insert-mail
INSERT INTO pawl_mail (id, rid, at, kind, name, message, data) VALUES (?, ?, ?, ?, ?, ?, ?)

-- name: mailbox
SELECT id, at, kind, name, message, data FROM pawl_mail WHERE rid = ? ORDER BY id

-- name: has-message
SELECT 1 FROM pawl_mail WHERE rid = ? AND message = ?

-- ... or was taken out of it: then the log has it. What a fork has inherited, at epoch 0, was another run's.
-- name: knows-message
SELECT 1 FROM pawl_mail WHERE rid = ?1 AND message = ?2
UNION ALL
SELECT 1
FROM pawl_event
WHERE rid = ?1 AND substr(data, instr(data, '"message":"') + 11, 36) = ?3 AND kind = 'signal.received' AND epoch > 0
LIMIT 1

-- name: consume-mail
DELETE FROM pawl_mail WHERE id = ? AND rid = ?

-- name: empty-mailbox
DELETE FROM pawl_mail WHERE rid = ?

-- name: insert-wait
INSERT OR IGNORE INTO pawl_wait (rid, kind, name, after) VALUES (?, ?, ?, ?)

-- name: awaits
SELECT 1 FROM pawl_wait WHERE rid = ? AND kind = ? AND name = ? LIMIT 1

-- name: awaited-topics
SELECT name, after FROM pawl_wait WHERE rid = ? AND kind = 'topic' ORDER BY name, after

-- name: clear-waits
DELETE FROM pawl_wait WHERE rid = ?

-- name: runs-awaiting-topic
SELECT DISTINCT r.id
FROM pawl_wait w INDEXED BY pawl_wait_topic CROSS JOIN pawl_run r ON r.rid = w.rid
WHERE w.kind = 'topic' AND w.name = ?

-- name: last-position
SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'pawl_topic'

-- name: insert-topic
INSERT INTO pawl_topic (position, at, topic, message, data) VALUES (?, ?, ?, ?, ?)

-- name: emitted
SELECT position, at, message, topic, data FROM pawl_topic WHERE message = ?

-- name: topic-events
SELECT position, at, message, topic, data FROM pawl_topic WHERE topic = ? AND position > ? ORDER BY position LIMIT ?

-- Topic events lie in the order of the clock, so those to be purged are the first: walk them until one is to be kept.
-- name: first-kept-position
SELECT position FROM pawl_topic WHERE at >= ? ORDER BY position LIMIT 1

-- name: purge-topics
DELETE FROM pawl_topic WHERE position < ?
