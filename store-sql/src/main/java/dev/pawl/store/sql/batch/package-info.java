/**
 * The commands of one transaction, carried out in order, whatever the database.
 *
 * <p>Reading order: {@code Batch} (the door), then what it consists of: {@code Starts}, {@code
 * Claims}, {@code Turns}, {@code Posts}, {@code Orders}, and {@code Moves}, which they share. They
 * decide with {@code Decide} and {@code Run.apply} and write through {@link
 * dev.pawl.store.sql.batch.Tables}: {@link dev.pawl.store.sql.batch.Runs}, {@link
 * dev.pawl.store.sql.batch.Messages} and {@link dev.pawl.store.sql.batch.Queue}, which each dialect
 * has its own way to do.
 *
 * <p>Sees what {@code dev.pawl.store.sql} sees, and that; never a dialect.
 */
@NullMarked
package dev.pawl.store.sql.batch;

import org.jspecify.annotations.NullMarked;
