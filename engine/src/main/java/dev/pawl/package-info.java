/**
 * The door: what a program opens to start runs, to look at them and to work on them.
 *
 * <p>Reading order: {@link dev.pawl.Pawl}, {@link dev.pawl.StartOptions}, {@link
 * dev.pawl.RunHandle}, and {@code Results} with {@code Nudges}, where its callers wait. What there
 * is to run is defined in {@code dev.pawl.work} (tasks) and {@code dev.pawl.flow} (flows). Sees
 * every room of the engine; no room sees it.
 */
@NullMarked
package dev.pawl;

import org.jspecify.annotations.NullMarked;
