/**
 * What stores in SQL databases share, whatever the dialect.
 *
 * <p>Reading order: {@link dev.pawl.store.sql.SqlStores} (the door: a store from a URL), {@link
 * dev.pawl.store.sql.Statements} (statements from {@code .sql} files), {@link
 * dev.pawl.store.sql.Prepared} and {@link dev.pawl.store.sql.Row} (binding and reading by turns),
 * {@link dev.pawl.store.sql.RunRow} and {@link dev.pawl.store.sql.MailRow} (rows to values and
 * back), {@link dev.pawl.store.sql.FreeText} (text nobody has checked), {@link
 * dev.pawl.store.sql.Migrations} (the schema and its versions), {@link
 * dev.pawl.store.sql.BodyConnection} (the connection as a transactional step may see it).
 *
 * <p>Sees the engine's {@code store}, {@code log}, {@code json} and {@code error}, and {@code
 * java.sql}; never a driver, and never one of the packages below it.
 */
@NullMarked
package dev.pawl.store.sql;

import org.jspecify.annotations.NullMarked;
