-- pawl_definition: the sources of programs that are kept in the store, by the hash of their content. A row never changes but
-- for `deployment`, which grows with every deployment of any of them: the highest of a type is its newest. `source` is a JSON
-- string, like all free text.

CREATE TABLE pawl_definition (
  hash       TEXT    NOT NULL PRIMARY KEY,
  type       TEXT    NOT NULL,
  kind       TEXT    NOT NULL,
  source     TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  deployment INTEGER NOT NULL
);

CREATE INDEX pawl_definition_type ON pawl_definition (type, deployment);
