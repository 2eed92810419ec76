/**
 * A network that misbehaves on cue, between a program and a Postgres server.
 *
 * <p>Reading order: {@link dev.pawl.testkit.proxy.PostgresProxy} (what can be done to the
 * connections), {@code Link} (one connection), {@code ServerWords} (what of the protocol must be
 * understood to know the answer to a commit).
 *
 * <p>Sees nothing of Pawl.
 */
@NullMarked
package dev.pawl.testkit.proxy;

import org.jspecify.annotations.NullMarked;
