-- How long a run is kept once it has ended, in milliseconds. It is written with the row and never changes; NULL says that the run is
-- kept until somebody deletes it.
--
-- pawl_run_expiry holds the ended runs that have a ttl, by the moment at which it is over, and no others: a purge finds what is due without
-- seeing the rest, and a run without a ttl is never in it.

ALTER TABLE pawl_run ADD COLUMN ttl INTEGER;

CREATE INDEX pawl_run_expiry ON pawl_run (finished_at + ttl, id) WHERE ttl IS NOT NULL AND finished_at IS NOT NULL;
