package dev.pawl.testkit.chaos;

import dev.pawl.testkit.postgres.PostgresNode;
import dev.pawl.testkit.proxy.PostgresProxy;
import dev.pawl.time.Chance;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Keeps so many workers alive and does to them, to the server and to the network what the plan
 * says. Everything happens on one thread, one thing after the other.
 */
final class Mischief implements AutoCloseable {
  private static final Duration DELAY = Duration.ofMillis(100);

  private final ChaosPlan plan;
  private final String url;
  private final Path ledger;
  private final File log;
  private final Optional<PostgresNode> server;
  private final Optional<PostgresProxy> proxy;
  private final Chance chance;
  private final List<ChaosWorker> workers = new ArrayList<>();
  private final Map<String, Integer> done = new TreeMap<>();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private int network;
  private boolean over;

  Mischief(
      ChaosPlan plan,
      long seed,
      String url,
      Path directory,
      Optional<PostgresNode> server,
      Optional<PostgresProxy> proxy) {
    this.plan = plan;
    this.url = url;
    this.ledger = directory.resolve("ledger");
    this.log = directory.resolve("workers.log").toFile();
    this.server = server;
    this.proxy = proxy;
    this.chance = Chance.seeded(seed);
  }

  void begin() {
    for (int i = 0; i < plan.workers(); i++) {
      workers.add(fresh());
    }
    proxy.ifPresent(between -> between.dropEveryCommitReply(plan.dropEvery()));
    every(plan.killEvery(), this::kill);
    every(plan.stopEvery(), this::stop);
    every(plan.networkEvery(), this::disturb);
    every(plan.restartEvery(), this::restart);
  }

  private ChaosWorker fresh() {
    return ChaosWorker.start(url, ledger, plan.lease(), log);
  }

  private void every(Duration time, Runnable deed) {
    if (!time.isZero()) {
      ScheduledFuture<?> unused =
          thread.scheduleWithFixedDelay(
              () -> exclusively(deed), time.toMillis(), time.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void exclusively(Runnable deed) {
    if (!over) {
      deed.run();
    }
  }

  private void count(String what) {
    done.merge(what, 1, Integer::sum);
  }

  private void kill() {
    int victim = chance.below(workers.size());
    workers.get(victim).kill();
    workers.set(victim, fresh());
    count("workers killed (SIGKILL)");
  }

  /** Stops a worker for longer than its lease, so that others take its runs; then it goes on. */
  private void stop() {
    ChaosWorker victim = workers.get(chance.below(workers.size()));
    victim.stop();
    count("workers stopped (SIGSTOP) for longer than a lease");
    later(plan.lease().plusMillis(1500), victim::goOn);
  }

  private void disturb() {
    PostgresProxy between = proxy.orElseThrow();
    switch (network++ % 3) {
      case 0 -> {
        between.delay(DELAY);
        count("times every answer was held back");
        later(Duration.ofSeconds(1), () -> between.delay(Duration.ZERO));
      }
      case 1 -> {
        between.reset();
        count("times all connections were reset");
      }
      default -> {
        between.silence();
        count("times all connections fell silent");
        later(plan.lease(), between::reset);
      }
    }
  }

  private void later(Duration time, Runnable deed) {
    ScheduledFuture<?> unused =
        thread.schedule(() -> exclusively(deed), time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The server loses its power, and gets it back. */
  synchronized void restart() {
    server.ifPresent(node -> {
      node.stop("immediate");
      node.start();
      count("servers stopped as by a power failure");
    });
  }

  /** No more of it: whoever was stopped goes on, and the network is as it should be. */
  synchronized void heal() {
    over = true;
    proxy.ifPresent(between -> {
      between.dropEveryCommitReply(0);
      between.delay(Duration.ZERO);
      between.reset();
    });
    workers.forEach(ChaosWorker::goOn);
    for (int i = 0; i < workers.size(); i++) {
      if (!workers.get(i).isAlive()) {
        workers.set(i, fresh());
        count("workers that ended by themselves");
      }
    }
  }

  synchronized Map<String, Integer> done() {
    Map<String, Integer> all = new TreeMap<>(done);
    proxy.ifPresent(between -> {
      all.put("answers to a COMMIT lost", between.dropped());
      all.put("commits seen by the proxy", between.commits());
      all.put("connections made", between.connections());
    });
    return all;
  }

  @Override
  public void close() {
    synchronized (this) {
      over = true;
    }
    thread.shutdownNow();
    workers.forEach(ChaosWorker::kill);
  }
}
