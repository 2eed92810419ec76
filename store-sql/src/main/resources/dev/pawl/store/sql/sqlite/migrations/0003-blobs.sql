-- Content too large for a log.
--
--   pawl_blob            one row for each content. `hash` is its SHA-256, NULL while it is being written; `written_at` is when that last
--                        happened, or got on.
--   pawl_blob_chunk      the content itself, in pieces of a megabyte.
--   pawl_blob_reference  which runs need it. A row whose run is gone counts for nothing, and goes when somebody looks.

CREATE TABLE pawl_blob (
  number     INTEGER PRIMARY KEY AUTOINCREMENT,
  hash       TEXT    UNIQUE,
  length     INTEGER NOT NULL DEFAULT 0,
  written_at INTEGER NOT NULL
);

CREATE TABLE pawl_blob_chunk (
  blob  INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  data  BLOB    NOT NULL,
  UNIQUE (blob, chunk)
);

CREATE TABLE pawl_blob_reference (
  hash   TEXT NOT NULL,
  run_id BLOB NOT NULL,
  PRIMARY KEY (hash, run_id)
) WITHOUT ROWID;
