-- The map of a Pawl store in SQLite.
--
--   pawl_schema   which migrations were applied, when, and their checksums. Made by the migration runner itself.
--   pawl_run      one row per run: what the lifecycle events of its log add up to, plus what changes without its owner
--                 (due_at, lease, wakes, wake_after, deleted_at).
--   pawl_event    the logs of all runs. The truth: everything else about a run can be folded from it.
--   pawl_mail     what lies unread in the runs' mailboxes: signals, outcomes of children, requests to cancel.
--   pawl_wait     what suspended runs wait for, as far as somebody must find it: signals by name, topics, "a child".
--   pawl_topic    the events emitted to topics, in one stream; a run reads those behind its position.
--   pawl_type     what is known of types, and whether they may be claimed.
--   pawl_runs     a view for people who look in with sqlite3: ids and times as text.
--
-- A run has two names. `id` is its identity to the world, a UUIDv7 in 16 bytes: as text it would be 36, in three indexes.
-- `rid` is its rowid, a small integer, by which its events, mail and waits belong to it within this file.
--
-- Times are milliseconds since 1970 of the store's clock. JSON is text, with control characters and halves of surrogate
-- pairs escaped; free text that nobody checks (reasons, descriptions) is a JSON string for the same reason. Flags are 0 or 1. What is absent is NULL.
--
-- A payload longer than a few kilobytes stands only in the run's first event (`created`), and `payload` is NULL: SQLite
-- rewrites a whole row to change any of it, and a run's row changes at every claim.
--
-- The log appends by rowid and has (rid, seq) as a unique index. As a clustered key it would cost three times as much when
-- many runs write in turn, because the rows themselves would have to be put in place.
--
-- Claims go by pawl_run_claim: only runs with a due time are in it, ordered by type, rank and due time. `rank` is the priority,
-- and within it what was begun before what was not (priority * 2 + 1 - begun); deleted runs have none. It is a plain column, because
-- SQLite reads the whole row to answer from an index on a generated one. A claim visits each type it wants and each rank in it, with one seek for
-- each, and so never sees what sleeps, what is finished or what belongs to others.
--
-- Every index is paid for at every write. So a list by status has one only for what went wrong (failed, cancelled: few rows,
-- written once); other lists go by id, newest first, and skip what they do not want.

CREATE TABLE pawl_run (
  rid             INTEGER PRIMARY KEY,
  id              BLOB    NOT NULL,
  type            TEXT    NOT NULL,
  payload         TEXT,
  status          TEXT    NOT NULL,
  priority        INTEGER NOT NULL,
  due_at          INTEGER,
  idempotency_key TEXT,
  attempt         INTEGER NOT NULL,
  max_attempts    INTEGER NOT NULL,
  leased_by       TEXT,
  lease_until     INTEGER,
  epoch           INTEGER NOT NULL,
  begun           INTEGER NOT NULL,
  resumed         INTEGER NOT NULL,
  crashes         INTEGER NOT NULL,
  cleanup         INTEGER NOT NULL,
  wakes           INTEGER NOT NULL,
  wake_after      INTEGER NOT NULL,
  cancelling      TEXT,
  last_error      TEXT,
  result          TEXT,
  parent_id       BLOB,
  root_id         BLOB    NOT NULL,
  bond            TEXT    NOT NULL,
  definition      TEXT,
  tags            TEXT,
  deadline        INTEGER,
  since           INTEGER NOT NULL,
  forked_from     BLOB,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  finished_at     INTEGER,
  deleted_at      INTEGER,
  rank            INTEGER
);

CREATE UNIQUE INDEX pawl_run_id ON pawl_run (id);

CREATE UNIQUE INDEX pawl_run_key ON pawl_run (idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE INDEX pawl_run_claim ON pawl_run (type, rank, due_at, id) WHERE rank IS NOT NULL AND due_at IS NOT NULL;

CREATE INDEX pawl_run_parent ON pawl_run (parent_id, id) WHERE parent_id IS NOT NULL;

CREATE INDEX pawl_run_trouble ON pawl_run (status, id) WHERE status IN ('failed', 'cancelled');

CREATE INDEX pawl_run_deleted ON pawl_run (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE pawl_event (
  rid   INTEGER NOT NULL,
  seq   INTEGER NOT NULL,
  at    INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  kind  TEXT    NOT NULL,
  data  TEXT    NOT NULL
);

CREATE UNIQUE INDEX pawl_event_place ON pawl_event (rid, seq);

-- `message` is the sender's id of a signal, by which a repeated send is known; x'00' for the one request to cancel a mailbox can
-- hold; NULL for the outcome of a child. AUTOINCREMENT: an id that was consumed never names another message.
CREATE TABLE pawl_mail (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  rid     INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  kind    TEXT    NOT NULL,
  name    TEXT    NOT NULL,
  message BLOB,
  data    TEXT    NOT NULL
);

CREATE INDEX pawl_mail_box ON pawl_mail (rid, message);

-- A run that awaits children has one row of kind 'child', however many they are: any outcome in its mailbox is an answer.
CREATE TABLE pawl_wait (
  rid   INTEGER NOT NULL,
  kind  TEXT    NOT NULL,
  name  TEXT    NOT NULL,
  after INTEGER NOT NULL,
  PRIMARY KEY (rid, kind, name, after)
) WITHOUT ROWID;

CREATE INDEX pawl_wait_topic ON pawl_wait (name) WHERE kind = 'topic';

-- AUTOINCREMENT: positions only grow, even if a purge has emptied the table.
CREATE TABLE pawl_topic (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  at       INTEGER NOT NULL,
  topic    TEXT    NOT NULL,
  message  BLOB    NOT NULL,
  data     TEXT    NOT NULL
);

CREATE UNIQUE INDEX pawl_topic_message ON pawl_topic (message);

CREATE INDEX pawl_topic_stream ON pawl_topic (topic, position);

CREATE TABLE pawl_type (
  type        TEXT    NOT NULL PRIMARY KEY,
  enabled     INTEGER NOT NULL,
  runtime     TEXT    NOT NULL,
  description TEXT    NOT NULL
) WITHOUT ROWID;

CREATE VIEW pawl_runs AS
SELECT
  lower(
    substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4) || '-' ||
    substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) AS id,
  type,
  status,
  attempt,
  priority,
  strftime('%Y-%m-%d %H:%M:%f', due_at / 1000.0, 'unixepoch')      AS due_at,
  leased_by,
  strftime('%Y-%m-%d %H:%M:%f', created_at / 1000.0, 'unixepoch')  AS created_at,
  strftime('%Y-%m-%d %H:%M:%f', finished_at / 1000.0, 'unixepoch') AS finished_at,
  coalesce(payload, (SELECT data ->> 'payload' FROM pawl_event e WHERE e.rid = r.rid AND e.seq = 1)) AS payload,
  result,
  last_error,
  rid
FROM pawl_run r
WHERE deleted_at IS NULL;
