/**
 * The store in a SQLite file.
 *
 * <p>Reading order: {@link dev.pawl.store.sql.sqlite.SqliteStore} (the door) and {@link
 * dev.pawl.store.sql.sqlite.SqliteOptions}; then {@code Writer} (the one thread that writes, and a
 * transaction from BEGIN to COMMIT), {@code Batch} (the commands in it: {@code Starts}, {@code
 * Claims} with its {@code ClaimScan}, {@code Turns}, {@code Posts}, {@code Orders}, and {@code
 * Moves}, which they share), {@code Runs} and {@code Messages} (the tables), {@code Readers},
 * {@code Watcher} (what other processes wrote), {@code Session} (a connection and its statements),
 * {@code Schema} (opening and migrating a file), {@code Diagnosis} (SQLite's errors in Pawl's
 * words). The SQL lies in resource files of the same package; the first migration has the map of
 * the tables.
 *
 * <p>SQLite is only ever called on this package's own platform threads: a native call on a virtual
 * thread would stall its carrier.
 */
@NullMarked
package dev.pawl.store.sql.sqlite;

import org.jspecify.annotations.NullMarked;
