/**
 * A Postgres for tests: {@link dev.pawl.testkit.postgres.PostgresServer} for most of them, {@link
 * dev.pawl.testkit.postgres.PostgresNode} for those that break it, {@link
 * dev.pawl.testkit.postgres.PgBouncer} for a pooler in front of it.
 *
 * <p>Sees JDBC and the embedded server; whoever uses it puts that, its binaries and the driver on
 * the test class path.
 */
@NullMarked
package dev.pawl.testkit.postgres;

import org.jspecify.annotations.NullMarked;
