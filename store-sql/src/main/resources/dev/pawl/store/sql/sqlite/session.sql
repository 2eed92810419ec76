-- Transactions and the watch over the file.

-- IMMEDIATE: a transaction that begins by reading and writes later fails at once with BUSY_SNAPSHOT if another process wrote in
-- between, whatever the busy timeout.
-- name: begin
BEGIN IMMEDIATE

-- name: commit
COMMIT

-- name: rollback
ROLLBACK

-- name: savepoint
SAVEPOINT pawl_body

-- name: release
RELEASE pawl_body

-- name: undo
ROLLBACK TO pawl_body

-- A number that changes when another connection, of this process or another, has committed.
-- name: data-version
PRAGMA data_version

-- As far as is possible without anybody having to wait.
-- name: checkpoint
PRAGMA wal_checkpoint(PASSIVE)
