/**
 * How fast Pawl is on this machine and this store: {@code pawl bench}.
 *
 * <p>Reading order: {@link dev.pawl.cli.bench.Work} (what can be measured), {@link
 * dev.pawl.cli.bench.Subjects} (the programs that are run), {@code Bench} (how it is measured),
 * {@code Figures} (what came out), {@code RawSqlite} (what the database itself can do with the same
 * rows). Goes through the public API like any user; durability is whatever the store's address
 * says, and is printed.
 */
@NullMarked
package dev.pawl.cli.bench;

import org.jspecify.annotations.NullMarked;
