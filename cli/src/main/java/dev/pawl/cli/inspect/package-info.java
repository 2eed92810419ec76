/**
 * What can be found out about one run from its row, its log and its mailbox, and how it is told to
 * people.
 *
 * <p>Reading order: {@link dev.pawl.cli.inspect.Inspection}, {@link
 * dev.pawl.cli.inspect.InspectionText}, {@link dev.pawl.cli.inspect.InspectionJson}, {@link
 * dev.pawl.cli.inspect.Gist}. Only {@link dev.pawl.cli.inspect.Inspection#of} reads the store.
 */
@NullMarked
package dev.pawl.cli.inspect;

import org.jspecify.annotations.NullMarked;
