-- What is large is packed faster.
--
-- Postgres packs every value that makes its row longer than 2 KB, by default with pglz, and that was half of what a server did for payloads of 100 KB.
-- lz4 takes a fraction of the time. Not every server is built with it; one that is not goes on as before. What is there stays as it is, and is read as ever.

DO $$
DECLARE
  large record;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_settings s WHERE s.name = 'default_toast_compression' AND 'lz4' = ANY (s.enumvals)) THEN
    RETURN;
  END IF;
  FOR large IN
    SELECT *
    FROM (VALUES
      ('workflow_run', 'payload'),
      ('workflow_run', 'result'),
      ('workflow_run', 'last_error'),
      ('workflow_run', 'tags'),
      ('workflow_run', 'entries'),
      ('workflow_log', 'data'),
      ('workflow_mail', 'data'),
      ('workflow_topic', 'data'),
      ('workflow_definition', 'source')) AS l (place, field)
  LOOP
    EXECUTE format('ALTER TABLE workflow.%I ALTER COLUMN %I SET COMPRESSION lz4', large.place, large.field);
  END LOOP;
END
$$;
