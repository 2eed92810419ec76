-- What a start depends on, known without a look.
--
-- A run begins with the position of the last topic event, and whether it may be leased right away is in the registry. The engine remembers
-- both, and has to know in the transaction that starts the run that they are still so. Two looks at them cost more than the row of the run
-- does; a number that a sequence has given out last costs nothing.
--
-- So every change takes a number, of one sequence for each of the two, and leaves it in a row that is committed with it and that one change at
-- a time can write. Whoever reads what is there and finds that the number in the row is the last one given out knows that nothing was
-- changed since and nothing is being changed, and may rely on what it read until another number is given out. A change that is undone leaves a
-- number that no row has; then everybody looks, until the next number is written.
--
-- The number is taken by triggers: an older Pawl changes both without knowing of it, and may work on beside one that relies on it.

CREATE SEQUENCE workflow.workflow_topic_change;

CREATE SEQUENCE workflow.workflow_registry_change;

ALTER TABLE workflow.workflow_position ADD COLUMN change bigint NOT NULL DEFAULT nextval('workflow.workflow_topic_change');

CREATE TABLE workflow.workflow_registry_state (
  one    boolean PRIMARY KEY DEFAULT true CHECK (one),
  change bigint  NOT NULL DEFAULT nextval('workflow.workflow_registry_change')
) WITH (fillfactor = 50);

INSERT INTO workflow.workflow_registry_state DEFAULT VALUES;

-- The row is locked by now, so numbers are taken in the order of commits.
CREATE FUNCTION workflow.before_position() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.change := nextval('workflow.workflow_topic_change');
  RETURN NEW;
END
$$;

CREATE TRIGGER before_position BEFORE UPDATE ON workflow.workflow_position
FOR EACH ROW EXECUTE FUNCTION workflow.before_position();

CREATE FUNCTION workflow.before_registry_state() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.change := nextval('workflow.workflow_registry_change');
  RETURN NEW;
END
$$;

CREATE TRIGGER before_registry_state BEFORE UPDATE ON workflow.workflow_registry_state
FOR EACH ROW EXECUTE FUNCTION workflow.before_registry_state();

CREATE FUNCTION workflow.registry_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE workflow.workflow_registry_state SET change = change;
  RETURN NULL;
END
$$;

-- As late as possible: somebody who changes a type and does not commit keeps nobody else from changing another.
CREATE CONSTRAINT TRIGGER registry_changed AFTER INSERT OR UPDATE OR DELETE ON workflow.workflow_registry
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION workflow.registry_changed();

CREATE TRIGGER registry_emptied AFTER TRUNCATE ON workflow.workflow_registry
FOR EACH STATEMENT EXECUTE FUNCTION workflow.registry_changed();
