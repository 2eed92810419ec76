package dev.pawl.bench.peers;

/**
 * Where an engine is opened, and what for.
 *
 * @param url the database as one address: {@code postgres://user:password@host:port/name} or {@code
 *     sqlite:/path}
 * @param jdbcUrl the same for JDBC, without user and password
 * @param concurrency how many runs will be under way at once
 */
public record Place(
    String url, String jdbcUrl, String user, String password, Role role, int concurrency) {}
