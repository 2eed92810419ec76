/**
 * The only home of clocks, ids and chance. Everything else is given what it needs of them, and so
 * can be tested with plain values; a whole process is given its {@link dev.pawl.time.Platform}. A
 * leaf: it sees nothing else of Pawl.
 */
@NullMarked
package dev.pawl.time;

import org.jspecify.annotations.NullMarked;
