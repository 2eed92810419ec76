/**
 * What a terminal shows: streams, colours, tables, and times and texts as people read and write
 * them.
 *
 * <p>Reading order: {@link dev.pawl.cli.terminal.Terminal}, {@link dev.pawl.cli.terminal.Table},
 * {@link dev.pawl.cli.terminal.TimeText}. A leaf: it sees nothing of runs and stores.
 */
@NullMarked
package dev.pawl.cli.terminal;

import org.jspecify.annotations.NullMarked;
