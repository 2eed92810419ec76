package dev.pawl.store.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How a dialect keeps a UUID in a column. */
public interface UuidForm {
  void bind(PreparedStatement statement, int index, UUID uuid) throws SQLException;

  @Nullable UUID read(ResultSet results, int index) throws SQLException;
}
