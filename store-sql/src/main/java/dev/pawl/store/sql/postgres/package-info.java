/**
 * The store in a Postgres database.
 *
 * <p>Reading order: {@link dev.pawl.store.sql.postgres.PostgresStore} (the door), {@link
 * dev.pawl.store.sql.postgres.PostgresOptions} and {@code PostgresAddress} (what a URL says); then
 * {@code Writer} (a transaction from BEGIN to COMMIT, and again if others were in its way; {@code
 * LoneSend}, a signal that comes alone and needs none), {@code Wanted} (what the commands will
 * need), {@code Unit} (the unit of work they are carried out in: {@code UnitRuns}, {@code
 * UnitMessages}, {@code UnitQueue}, over {@code KnownRun}s) and {@code Flush} (writing it, in
 * {@code Rows}; {@code Kept}, what of a log goes with the row of its run); {@code HeldRuns} and
 * {@code Frontier} (what is remembered between transactions), {@code Told} (what was heard of);
 * {@code Readers}; {@code Notices} (word to and from other processes: {@code Notice}, {@code
 * Company}); {@code CallersTransaction} (starts in somebody else's transaction); {@code Session} (a
 * connection and the statements), {@code Parameters}, {@code BinaryArray}, {@code Cells}, {@code
 * RunColumns}, {@code Letters} (values to columns and back); {@code Database} (the pools), {@code
 * Schema}, {@code Diagnosis} (errors in Pawl's words). The SQL lies in resource files of the same
 * package; the first migration has the map of the tables, the second what plain statements of
 * others come to.
 */
@NullMarked
package dev.pawl.store.sql.postgres;

import org.jspecify.annotations.NullMarked;
