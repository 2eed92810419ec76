-- A signal that is sent again after it was consumed is known by the log: the entry of its receipt has the sender's id of it, as the third member,
-- behind a number and a name in which quotes are escaped. So the first `"message":"` is the one, and nothing else of the entry need be
-- parsed. What a fork has inherited is at epoch 0 and not its own.

CREATE INDEX pawl_event_received ON pawl_event (rid, substr(data, instr(data, '"message":"') + 11, 36))
WHERE kind = 'signal.received' AND epoch > 0;
