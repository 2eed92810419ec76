-- The map of a Pawl store in Postgres. Everything is in the schema `workflow`.
--
--   workflow_schema      which migrations were applied, when, and their checksums. Made by the migration runner itself.
--   workflow_run         one row per run: what the lifecycle events of its log add up to, plus what changes without its owner
--                        (the lease, run_at, wakes, wake_after, deleted_at). Public: producers and workers of any language write it.
--   workflow_event       the logs of all runs, and what others note beside them. Public.
--   workflow_registry    what is known of types: who executes them, and whether they may be claimed. Public.
--   workflow_mail        what lies unread in the runs' mailboxes: signals, outcomes of children, requests to cancel.
--   workflow_wait        what suspended runs wait for, as far as somebody must find it: signals by name, topics, "a child".
--   workflow_topic       the events emitted to topics, in one stream; a run reads those behind its position.
--   workflow_position    the position of the last topic event, in its one row.
--   workflow_definition  what scripts and graphs are made of, by content hash.
--
-- Who writes. The engine changes `version` with every row of workflow_run it inserts or updates: 1 in a new row, one more with every
-- change. Nobody else mentions the column, so in a row of theirs it is 0, and in a change of theirs it stays as it was: that tells the
-- two apart, without any state of the session. The engine also relies on it: it decides on a row as it knows it, and its UPDATE
-- counts only if the version is still the one it knew.
--
-- What an expired lease, a timer and a start have in common is that the run is due. `due_at` is when, `rank` is in which order, and both are
-- derived from the other columns by Postgres itself, so that they are right whoever writes. `rank` is the priority, and within it what was
-- begun before what was not. Claims go by workflow_run_due, which holds only what is due some day: they visit each type they want and
-- each rank in it, with one seek for each, and so never see what sleeps, what is finished or what belongs to others.
--
-- JSON is kept as text (`json`), with control characters and halves of surrogate pairs escaped: so any string survives, and numbers keep their
-- digits. `last_error` is text, because workers in SQL put a sentence there; the engine puts a failure in JSON. What is absent is NULL.
-- Names and types compare by their bytes (COLLATE "C"), which is also what lets a plain index find a prefix.
--
-- Every index is paid for at every write of a row that it holds. idx_workflow_run_claim and idx_workflow_run_type_prefix are for workers in SQL, so
-- they hold what is pending and nothing else. The engine's own need only workflow_run_due.

-- A UUID of version 7: it sorts by the time it was made. Postgres has one of its own from version 18 on only.
CREATE FUNCTION workflow.new_id() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(set_bit(
      overlay(
        uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

-- Milliseconds since 1970 as a moment.
CREATE FUNCTION workflow.moment(millis bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT to_timestamp(millis::float8 / 1000)
$$;

-- `run_at` is when a pending run may start and when a suspended one wakes by itself, NULL if only a message wakes it. `cancelling` is
-- the reason of a cancellation the program has learned of, as a JSON string. A root run may leave `root_id` NULL.
CREATE TABLE workflow.workflow_run (
  id              uuid        PRIMARY KEY DEFAULT workflow.new_id(),
  type            text        COLLATE "C" NOT NULL,
  payload         json        NOT NULL DEFAULT 'null',
  status          text        COLLATE "C" NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'leased', 'suspended', 'succeeded', 'failed', 'cancelled')),
  priority        integer     NOT NULL DEFAULT 100,
  run_at          timestamptz DEFAULT now(),
  idempotency_key text        COLLATE "C",
  attempt         integer     NOT NULL DEFAULT 0,
  max_attempts    integer     NOT NULL DEFAULT 3,
  leased_by       text        COLLATE "C",
  lease_until     timestamptz,
  last_error      text,
  result          json,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  finished_at     timestamptz,
  deleted_at      timestamptz,
  epoch           bigint      NOT NULL DEFAULT 0,
  version         bigint      NOT NULL DEFAULT 0,
  begun           boolean     NOT NULL DEFAULT false,
  resumed         boolean     NOT NULL DEFAULT false,
  crashes         integer     NOT NULL DEFAULT 0,
  cleanup         boolean     NOT NULL DEFAULT false,
  wakes           bigint      NOT NULL DEFAULT 0,
  wake_after      integer     NOT NULL DEFAULT 0,
  cancelling      text,
  parent_id       uuid,
  root_id         uuid,
  bond            text        COLLATE "C" NOT NULL DEFAULT 'detached'
    CHECK (bond IN ('awaited', 'abandoned', 'detached')),
  definition      text        COLLATE "C",
  tags            json,
  deadline        timestamptz,
  since           bigint      NOT NULL DEFAULT 0,
  forked_from     uuid,
  rank            bigint      GENERATED ALWAYS AS (priority::bigint * 2 + CASE WHEN begun THEN 0 ELSE 1 END) STORED,
  due_at          timestamptz GENERATED ALWAYS AS (
    CASE
      WHEN deleted_at IS NOT NULL THEN NULL
      WHEN status = 'leased' THEN lease_until
      WHEN status IN ('pending', 'suspended') THEN run_at
    END) STORED
) WITH (
  fillfactor = 75,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 1);

CREATE INDEX workflow_run_due ON workflow.workflow_run (type, rank, due_at, id) WHERE due_at IS NOT NULL;

-- Not partial, so that ON CONFLICT (idempotency_key) finds it.
CREATE UNIQUE INDEX idx_workflow_run_idempotency ON workflow.workflow_run (idempotency_key);

CREATE INDEX idx_workflow_run_claim ON workflow.workflow_run (run_at, priority, created_at)
WHERE status = 'pending' AND deleted_at IS NULL;

CREATE INDEX idx_workflow_run_type_prefix ON workflow.workflow_run (type text_pattern_ops, priority, created_at)
WHERE status = 'pending' AND deleted_at IS NULL;

CREATE INDEX idx_workflow_run_deleted_at ON workflow.workflow_run (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE INDEX workflow_run_parent ON workflow.workflow_run (parent_id, id) WHERE parent_id IS NOT NULL;

-- For lists of what went wrong: few rows, written once. Other lists go by id, newest first, and skip what they do not want.
CREATE INDEX workflow_run_trouble ON workflow.workflow_run (status, id) WHERE status IN ('failed', 'cancelled');

-- An entry of a run's log has its number in it, `seq`, and the epoch of the lease it was written under. A note that somebody else
-- put beside the log has neither. The unique index is the fence: two writers cannot both have the next number.
-- `id` is a number in the order of writing. It has no index of its own that must be kept at every write, only a summary of pages (BRIN),
-- which is enough to follow what is new.
CREATE TABLE workflow.workflow_event (
  id          bigint      GENERATED BY DEFAULT AS IDENTITY,
  workflow_id uuid        NOT NULL,
  event_type  text        COLLATE "C" NOT NULL,
  data        json        NOT NULL DEFAULT '{}',
  created_at  timestamptz NOT NULL DEFAULT now(),
  seq         bigint,
  epoch       bigint
);

CREATE UNIQUE INDEX workflow_event_place ON workflow.workflow_event (workflow_id, seq);

CREATE INDEX workflow_event_id ON workflow.workflow_event USING brin (id) WITH (pages_per_range = 64);

-- Lower-case words for the runtime: java, python, go; any for a type that every worker may claim. `exact` is the description as a JSON string, where it holds characters that
-- Postgres cannot keep in a text.
CREATE TABLE workflow.workflow_registry (
  workflow_name text        COLLATE "C" PRIMARY KEY,
  intent_type   text        NOT NULL DEFAULT 'workflow',
  runtime       text        COLLATE "C" NOT NULL DEFAULT 'any',
  is_enabled    boolean     NOT NULL DEFAULT true,
  description   text        NOT NULL DEFAULT '',
  exact         text,
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now()
);

-- `id` counts the messages that the run's mailbox has accepted, as workflow_run.wakes does: the n-th has the id n. `message` is the sender's id
-- of a signal, by which a repeated send is known; all zeros for the one request to cancel a mailbox can hold; NULL for the outcome of a child.
CREATE TABLE workflow.workflow_mail (
  workflow_id uuid        NOT NULL,
  id          bigint      NOT NULL,
  kind        text        COLLATE "C" NOT NULL,
  name        text        COLLATE "C" NOT NULL DEFAULT '',
  message     uuid,
  data        json        NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workflow_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 1);

CREATE UNIQUE INDEX workflow_mail_message ON workflow.workflow_mail (workflow_id, message) WHERE message IS NOT NULL;

-- A run that awaits children has one row of kind 'child', however many they are: any outcome in its mailbox is an answer.
CREATE TABLE workflow.workflow_wait (
  workflow_id uuid   NOT NULL,
  kind        text   COLLATE "C" NOT NULL,
  name        text   COLLATE "C" NOT NULL DEFAULT '',
  after       bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workflow_id, kind, name, after)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 1);

CREATE INDEX workflow_wait_topic ON workflow.workflow_wait (name, workflow_id) WHERE kind = 'topic';

CREATE TABLE workflow.workflow_topic (
  position   bigint      PRIMARY KEY,
  topic      text        COLLATE "C" NOT NULL,
  message    uuid        NOT NULL,
  data       json        NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE UNIQUE INDEX workflow_topic_message ON workflow.workflow_topic (message);

CREATE INDEX workflow_topic_stream ON workflow.workflow_topic (topic, position);

-- Whoever emits holds an advisory lock, so positions become visible in their order; and so does, shared, whoever suspends waiting on a
-- topic, so that an event cannot pass it by unseen.
CREATE TABLE workflow.workflow_position (
  one      boolean PRIMARY KEY DEFAULT true CHECK (one),
  position bigint  NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

INSERT INTO workflow.workflow_position DEFAULT VALUES;

-- A row never changes but for `deployment`, which grows with every deployment of any of them: the highest of a type is its newest. `source`
-- is a JSON string.
CREATE TABLE workflow.workflow_definition (
  hash       text        COLLATE "C" PRIMARY KEY,
  type       text        COLLATE "C" NOT NULL,
  kind       text        COLLATE "C" NOT NULL,
  source     json        NOT NULL,
  created_at timestamptz NOT NULL,
  deployment bigint      NOT NULL
);

CREATE INDEX workflow_definition_type ON workflow.workflow_definition (type, deployment);
