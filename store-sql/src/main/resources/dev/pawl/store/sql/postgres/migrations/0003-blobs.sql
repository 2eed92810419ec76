-- Content too large for a log.
--
--   workflow_blob            one row for each content. `hash` is its SHA-256, NULL while it is being written; `written_at` is when that
--                            last happened, or got on.
--   workflow_blob_chunk      the content itself, in pieces of a megabyte. Not compressed: what is large mostly is already.
--   workflow_blob_reference  which runs need it. A row whose run is gone counts for nothing, and goes when somebody looks.

CREATE TABLE workflow.workflow_blob (
  number     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash       text        COLLATE "C" UNIQUE,
  length     bigint      NOT NULL DEFAULT 0,
  written_at timestamptz NOT NULL
);

CREATE INDEX workflow_blob_unfinished ON workflow.workflow_blob (written_at) WHERE hash IS NULL;

CREATE TABLE workflow.workflow_blob_chunk (
  blob  bigint  NOT NULL REFERENCES workflow.workflow_blob (number) ON DELETE CASCADE,
  chunk integer NOT NULL,
  data  bytea   NOT NULL,
  PRIMARY KEY (blob, chunk)
);

ALTER TABLE workflow.workflow_blob_chunk ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE workflow.workflow_blob_reference (
  hash   text COLLATE "C" NOT NULL,
  run_id uuid NOT NULL,
  PRIMARY KEY (hash, run_id)
);
