-- A signal that is sent again after it was consumed is known by the log: the entry of its receipt has the sender's id of it, as the third member,
-- behind a number and a name in which quotes are escaped. So the first `"message":"` is the one. It is cut out as text: ->> would
-- refuse an entry with an escape in it that Postgres has no character for. What a fork has inherited is at epoch 0 and not its own; notes
-- of others have no epoch.
--
-- An older Pawl writes the index without knowing of it, so what it consumes is known too.

CREATE INDEX workflow_event_received ON workflow.workflow_event (
  workflow_id, (left(split_part(data::text, '"message":"', 2), 36) COLLATE "C"))
WHERE event_type = 'signal.received' AND epoch > 0;
