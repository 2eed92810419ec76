/**
 * What everything runs on: the database server, the disk, the processors.
 *
 * <p>Reading order: {@link dev.pawl.bench.machine.PostgresServer}, {@link
 * dev.pawl.bench.machine.Database} (a fresh one for everybody), {@link
 * dev.pawl.bench.machine.Tables} (what is in it), {@link dev.pawl.bench.machine.RawPostgres} and
 * {@link dev.pawl.bench.machine.Disk} (what would be possible at all), {@link
 * dev.pawl.bench.machine.Processors}. Sees no engine.
 */
@NullMarked
package dev.pawl.bench.machine;

import org.jspecify.annotations.NullMarked;
