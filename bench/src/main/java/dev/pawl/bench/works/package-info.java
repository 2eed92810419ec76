/**
 * What is measured: the works by name, and how a process carries one out on an engine.
 *
 * <p>Reading order: {@link dev.pawl.bench.works.Work}, {@link dev.pawl.bench.works.Order} (how much
 * of it), {@link dev.pawl.bench.works.Carrying} (the loops and their clocks), {@link
 * dev.pawl.bench.works.Measured}. Runs inside the measured process; knows nothing of other
 * processes and of reports.
 */
@NullMarked
package dev.pawl.bench.works;

import org.jspecify.annotations.NullMarked;
