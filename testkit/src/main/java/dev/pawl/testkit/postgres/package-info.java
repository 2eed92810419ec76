/**
 * A Postgres for tests. {@link dev.pawl.testkit.postgres.PostgresServer} is all there is.
 *
 * <p>Sees JDBC and the embedded server; whoever uses it puts that, its binaries and the driver on
 * the test class path.
 */
@NullMarked
package dev.pawl.testkit.postgres;

import org.jspecify.annotations.NullMarked;
