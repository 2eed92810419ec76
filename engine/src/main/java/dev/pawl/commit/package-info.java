/**
 * Group commit: the one door through which every durable change goes.
 *
 * <p>Reading order: {@link dev.pawl.commit.GroupCommit}, {@code Intake} (where commands gather),
 * {@code Lane} (which commits them), then {@code ReadBack}, which finds out what came of a commit
 * whose end nobody saw. Sees {@code store} and {@code log}.
 */
@NullMarked
package dev.pawl.commit;

import org.jspecify.annotations.NullMarked;
