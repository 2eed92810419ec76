/**
 * What is told in the end: tables, lines of JSON, the margins, a chart.
 *
 * <p>Reading order: {@link dev.pawl.bench.report.Result} (all rounds of one contender at one work),
 * {@link dev.pawl.bench.report.Results} (all of them, and how to find one), {@link
 * dev.pawl.bench.report.Kept} (those of earlier runs), {@link dev.pawl.bench.report.Margins} (what
 * was aimed at), then the writers. Computes nothing that was not measured, and starts nothing.
 */
@NullMarked
package dev.pawl.bench.report;

import org.jspecify.annotations.NullMarked;
