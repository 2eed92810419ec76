package dev.pawl.bench.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Connection pools, set up as their maker recommends: of a fixed size, without idle timeouts. */
final class Pools {
  private Pools() {}

  static HikariDataSource of(Place place, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(place.jdbcUrl());
    config.setUsername(place.user());
    config.setPassword(place.password());
    config.setMaximumPoolSize(size);
    return new HikariDataSource(config);
  }
}
