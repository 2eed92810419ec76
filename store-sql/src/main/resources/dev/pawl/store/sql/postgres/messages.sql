-- Mailboxes, waits and topics.

-- name: insert-mail
INSERT INTO workflow.workflow_mail (workflow_id, id, kind, name, message, data, created_at)
SELECT u.workflow_id, u.id, u.kind, u.name, u.message, u.data::json, workflow.moment(u.at)
FROM unnest(?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::uuid[], ?::text[], ?::bigint[]) AS u (
  workflow_id, id, kind, name, message, data, at)

-- name: mail-columns
m.workflow_id, m.id, m.created_at, m.kind, m.name, m.message, m.data

-- name: read-mail
SELECT {{mail-columns}} FROM workflow.workflow_mail m WHERE m.workflow_id = ANY (?) ORDER BY m.workflow_id, m.id

-- name: read-candidates-mail
SELECT {{mail-columns}} FROM workflow.workflow_mail m WHERE m.workflow_id = {{candidates}} ORDER BY m.workflow_id, m.id

-- name: mailbox-of
SELECT {{mail-columns}} FROM workflow.workflow_mail m WHERE m.workflow_id = ? ORDER BY m.id

-- The sender's id in the entry of a receipt, as the index workflow_log_received has it.
-- name: received-message
left(split_part(e.data::text, '"message":"', 2), 36) COLLATE "C"

-- Which of these messages lie in these mailboxes, under which ids; and, with the id 0, which were taken out of them and are in the log. One statement,
-- so that a message on its way from there to here is seen in one of the two. Nobody looks for what a run has that never got any.
-- name: read-messages
WITH sought (workflow_id, message) AS MATERIALIZED (
  SELECT u.*
  FROM unnest(?::uuid[], ?::uuid[]) AS u (workflow_id, message)
  JOIN workflow.workflow_run r ON r.id = u.workflow_id
  WHERE r.wakes > 0)
SELECT s.workflow_id, s.message, 0::bigint
FROM sought s
JOIN workflow.workflow_log e
  ON e.workflow_id = s.workflow_id
  AND {{received-message}} = s.message::text
WHERE e.event_type = 'signal.received' AND e.epoch > 0
UNION ALL
SELECT m.workflow_id, m.message, m.id
FROM sought s
JOIN workflow.workflow_mail m ON m.workflow_id = s.workflow_id AND m.message = s.message

-- A signal to a run: what a transaction would decide that had read the run, as long as that is live and does not know the signal. Else nothing is written. Nor is anything if
-- the run has changed since this statement began: what it waits for may be another thing then. Returns the type of the run, if it was
-- written, and keeps it in a setting, if it is due now: for the transaction, or for the session, where others are told behind the commit.
-- name: send-alone
WITH run AS MATERIALIZED (
  SELECT
    r.id,
    r.version,
    r.wakes + 1 AS number,
    coalesce(workflow.moment(?::bigint), date_trunc('milliseconds', clock_timestamp())) AS at,
    r.status = 'suspended' AND r.wake_after > 0 AND EXISTS (
      SELECT FROM workflow.workflow_wait w
      WHERE w.workflow_id = r.id AND w.kind = 'signal' AND w.name = s.name COLLATE "C"
      OFFSET 0) AS awaited
  FROM (SELECT ?::uuid AS run, ?::text AS name, ?::uuid AS message OFFSET 0) s
  JOIN workflow.workflow_run r ON r.id = s.run
  WHERE r.status IN ('pending', 'leased', 'suspended') AND r.deleted_at IS NULL
    AND CASE WHEN r.wakes = 0 THEN true ELSE
      NOT EXISTS (
        SELECT FROM workflow.workflow_mail m WHERE m.workflow_id = r.id AND m.message = s.message OFFSET 0)
      AND NOT EXISTS (
        SELECT FROM workflow.workflow_log e
        WHERE e.workflow_id = r.id AND e.event_type = 'signal.received' AND e.epoch > 0
          AND {{received-message}} = s.message::text
        OFFSET 0)
      END
),
changed AS (
  UPDATE workflow.workflow_run r
  SET wakes = run.number,
    wake_after = CASE WHEN run.awaited THEN r.wake_after - 1 ELSE r.wake_after END,
    run_at = CASE WHEN run.awaited AND r.wake_after = 1 THEN least(r.run_at, run.at) ELSE r.run_at END,
    due_at = CASE WHEN run.awaited AND r.wake_after = 1 THEN least(r.run_at, run.at) ELSE r.due_at END,
    version = r.version + 1
  FROM run
  WHERE r.id = run.id AND r.version = run.version
  RETURNING r.id, r.type, run.number, run.at, r.status = 'suspended' AND r.due_at <= run.at AS due
),
posted AS (
  INSERT INTO workflow.workflow_mail (workflow_id, id, kind, name, message, data, created_at)
  SELECT c.id, c.number, 'signal', ?, ?, ?::json, c.at FROM changed c
)
SELECT max(c.type), set_config('pawl.due', coalesce(max(c.type) FILTER (WHERE c.due), ''), ?) FROM changed c

-- ... and word to others that it is due, if it is.
-- name: notify-due
SELECT set_config('synchronous_commit', 'off', true), pg_notify('pawl', ? || current_setting('pawl.due'))
WHERE current_setting('pawl.due') <> ''

-- name: consume-mail
DELETE FROM workflow.workflow_mail m
USING unnest(?::uuid[], ?::bigint[]) AS u (workflow_id, id)
WHERE m.workflow_id = u.workflow_id AND m.id = u.id

-- name: empty-mailboxes
DELETE FROM workflow.workflow_mail WHERE workflow_id = ANY (?)

-- name: read-waits
SELECT workflow_id, kind, name, after FROM workflow.workflow_wait WHERE workflow_id = ANY (?)

-- name: read-candidates-waits
SELECT workflow_id, kind, name, after FROM workflow.workflow_wait WHERE workflow_id = {{candidates}}

-- name: clear-waits
DELETE FROM workflow.workflow_wait WHERE workflow_id = ANY (?)

-- name: insert-waits
INSERT INTO workflow.workflow_wait (workflow_id, kind, name, after)
SELECT u.workflow_id, u.kind, u.name, u.after
FROM unnest(?::uuid[], ?::text[], ?::text[], ?::bigint[]) AS u (workflow_id, kind, name, after)
ON CONFLICT DO NOTHING

-- name: runs-awaiting-topic
SELECT DISTINCT workflow_id FROM workflow.workflow_wait WHERE kind = 'topic' AND name = ?

-- Those who emit, one after the other; shared, those who are about to wait on a topic. The number is "pawl" in ASCII.
-- name: lock-topics
SELECT pg_advisory_xact_lock(1885435756, 1)

-- name: share-topics
SELECT pg_advisory_xact_lock_shared(1885435756, 1)

-- name: put-position
UPDATE workflow.workflow_position SET position = ?

-- name: insert-topics
INSERT INTO workflow.workflow_topic (position, topic, message, data, created_at)
SELECT u.position, u.topic, u.message, u.data::json, workflow.moment(u.at)
FROM unnest(?::bigint[], ?::text[], ?::uuid[], ?::text[], ?::bigint[]) AS u (position, topic, message, data, at)

-- name: topic-columns
t.position, t.created_at, t.message, t.topic, t.data

-- name: emitted
SELECT {{topic-columns}} FROM workflow.workflow_topic t WHERE t.message = ?

-- name: read-emitted
SELECT {{topic-columns}} FROM workflow.workflow_topic t WHERE t.message = ANY (?)

-- For each of these waits what it has not seen, in order.
-- name: read-topic-events
SELECT u.topic, u.after, t.*
FROM unnest(?::text[], ?::bigint[]) AS u (topic, after)
CROSS JOIN LATERAL (
  SELECT {{topic-columns}}
  FROM workflow.workflow_topic t
  WHERE t.topic = u.topic COLLATE "C" AND t.position > u.after
  ORDER BY t.topic, t.position
  LIMIT ?) t

-- Topic events lie in the order of the clock, or nearly: those to be purged are the first. Walk them until one is to be kept.
-- name: purge-topics
DELETE FROM workflow.workflow_topic
WHERE position < coalesce(
  (SELECT t.position FROM workflow.workflow_topic t WHERE t.created_at >= workflow.moment(?) ORDER BY t.position LIMIT 1),
  9223372036854775807)
