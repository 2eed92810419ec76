/**
 * The processes that are measured. Every engine runs in one of its own, so that none disturbs
 * another's heap and compiled code, and so that it can be killed.
 *
 * <p>Reading order: {@link dev.pawl.bench.host.Child} (a process as its parent sees it), {@link
 * dev.pawl.bench.host.Host} (the main class of those on the JVM). They speak lines of JSON over
 * standard input and output, and so do the ones in {@code peers-npm}.
 */
@NullMarked
package dev.pawl.bench.host;

import org.jspecify.annotations.NullMarked;
