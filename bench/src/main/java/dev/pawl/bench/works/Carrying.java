package dev.pawl.bench.works;

import com.sun.management.ThreadMXBean;
import dev.pawl.bench.peers.NotPossible;
import dev.pawl.bench.peers.Peer;
import dev.pawl.bench.peers.Tally;
import dev.pawl.cli.bench.Latencies;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Carries orders out on an opened engine. */
public final class Carrying {
  private static final int PATIENCE_SECONDS = 120;
  private static final int PAYLOAD_CHARS = 100_000;
  private static final double WARM_SLICE_SECONDS = 2;
  private static final double WORTH_ANOTHER = 1.05;

  /** So many slices in a row without a gain are enough. */
  private static final int IDLE_SLICES = 4;

  /** What is measured one at a time is compiled no sooner for that: it is warmed by so many. */
  private static final int WARM_HANDS = 16;

  private static final int WARM_TASKS = 2000;
  private static final int WARM_SLEEPERS = 2000;
  private static final int CHILDREN = 1000;

  /** Before a signal everybody has come to rest; of some nothing shows that their flow waits. */
  private static final int SETTLE_MILLIS = 50;

  private static final double SLEEPERS_A_SECOND = 2000;
  private static final double MOST_LEAD_SECONDS = 120;

  private final Peer peer;

  public Carrying(Peer peer) {
    this.peer = peer;
  }

  /** Measures. */
  public Measured carryOut(Order order) throws Exception {
    Map<String, Long> before = peer.counters();
    long allocatedBefore = allocatedBytes();
    Measured measured = measure(order);
    long allocated = allocatedBytes() - allocatedBefore;
    for (Map.Entry<String, Long> counter : peer.counters().entrySet()) {
      long grown = counter.getValue() - before.getOrDefault(counter.getKey(), 0L);
      measured = measured.with(counter.getKey(), (double) grown);
      if (counter.getKey().equals(Peer.COMMANDS) && grown > 0) {
        measured = measured.with("bytesPerCommand", (double) allocated / grown);
      }
    }
    return measured;
  }

  /** What all threads of this process have allocated since it started. */
  private static long allocatedBytes() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
  }

  /**
   * Runs the work until it gets no faster, so that what is measured is compiled code: in slices,
   * for the order's warm-up time at most, and half of it at least. On a machine whose speed changes
   * a single fast slice would otherwise end it early.
   */
  public void warmUp(Order order) throws Exception {
    long start = System.nanoTime();
    double slice = Math.min(WARM_SLICE_SECONDS, order.warmSeconds());
    double best = 0;
    for (int idle = 0;
        since(start) < order.warmSeconds()
            && (idle < IDLE_SLICES || since(start) < order.warmSeconds() / 2); ) {
      double rate = warmSlice(order, slice);
      idle = rate > best * WORTH_ANOTHER ? 0 : idle + 1;
      best = Math.max(best, rate);
    }
  }

  /** Runs the work for a while; returns how many runs that were in a second. */
  private double warmSlice(Order order, double seconds) throws Exception {
    if (order.work() == Work.SLEEPERS) {
      // The time until they wake says nothing: how fast they do is what counts.
      return sleepers(Math.min(order.runs(), WARM_SLEEPERS)).runsPerSecond();
    }
    int hands = order.work() == Work.FLOW1 || order.work() == Work.SIGNAL ? WARM_HANDS : 1;
    long start = System.nanoTime();
    List<Future<Long>> parts = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < hands; i++) {
        parts.add(threads.submit(() -> warm(order, seconds)));
      }
    }
    long runs = 0;
    for (Future<Long> part : parts) {
      try {
        runs += part.get();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    }
    return runs / since(start);
  }

  private long warm(Order order, double seconds) throws Exception {
    int atOnce = Math.min(order.runs(), warmRuns(order.work()));
    long start = System.nanoTime();
    long runs = 0;
    do {
      double left = Math.max(0.1, seconds - since(start));
      runs += measure(new Order(order.work(), atOnce, order.concurrency(), left, 0)).runs();
    } while (since(start) < seconds);
    return runs;
  }

  private static int warmRuns(Work work) {
    return switch (work) {
      case TASK -> WARM_TASKS;
      case PAYLOAD -> 20;
      case LONG -> 1000;
      default -> Integer.MAX_VALUE;
    };
  }

  private Measured measure(Order order) throws Exception {
    return switch (order.work()) {
      case TASK, STARTUP -> drain(order.runs(), "");
      case PAYLOAD -> drain(order.runs(), "x".repeat(PAYLOAD_CHARS));
      case FLOW1 -> loop(order, () -> peer.flow(1));
      case FLOW5 -> loop(order, () -> peer.flow(5));
      case SIGNAL -> signals(order);
      case SLEEPERS -> sleepers(order.runs());
      case FANOUT1000 -> fanOut(order);
      case LONG -> longFlow(order.runs());
      case RECOVERY, PARKED ->
          throw new IllegalArgumentException(order.work() + " takes more than one process");
    };
  }

  private Measured drain(int count, String payload) throws Exception {
    Tally.expect(count);
    long start = System.nanoTime();
    peer.tasks(count, payload);
    Latencies latencies = Tally.await(PATIENCE_SECONDS);
    peer.awaitEnds();
    return Measured.of(count, since(start), latencies);
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private interface Body {
    void run() throws Exception;
  }

  /** As many virtual threads as the order says, each with one run at a time. */
  private Measured loop(Order order, Body body) throws Exception {
    Latencies latencies = new Latencies(order.runs());
    AtomicInteger next = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    AtomicReference<Exception> problem = new AtomicReference<>();
    CountDownLatch all = new CountDownLatch(order.concurrency());
    long start = System.nanoTime();
    long end = start + (long) (order.seconds() * 1e9);
    for (int t = 0; t < order.concurrency(); t++) {
      Thread.ofVirtual()
          .start(() -> {
            try {
              while (System.nanoTime() < end && next.getAndIncrement() < order.runs()) {
                long began = System.nanoTime();
                body.run();
                latencies.set(done.getAndIncrement(), System.nanoTime() - began);
              }
            } catch (Exception e) {
              problem.set(e);
              next.set(order.runs());
            } finally {
              all.countDown();
            }
          });
    }
    all.await();
    if (problem.get() != null) {
      throw problem.get();
    }
    return Measured.of(done.get(), since(start), latencies.first(done.get()));
  }

  /** One at a time; the flow waits before the clock starts. */
  private Measured signals(Order order) throws Exception {
    Latencies latencies = new Latencies(order.runs());
    long end = System.nanoTime() + (long) (order.seconds() * 1e9);
    int done = 0;
    double seconds = 0;
    while (done == 0 || (done < order.runs() && System.nanoTime() < end)) {
      String id = peer.startWaiting();
      Thread.sleep(SETTLE_MILLIS);
      long start = System.nanoTime();
      peer.signal(id);
      seconds += since(start);
      latencies.set(done++, System.nanoTime() - start);
    }
    return Measured.of(done, seconds, latencies.first(done));
  }

  /** The moment lies so far ahead that all sleep before it; if they did not, it is tried again. */
  private Measured sleepers(int count) throws Exception {
    for (double lead = 1 + count / SLEEPERS_A_SECOND; lead <= MOST_LEAD_SECONDS; lead *= 2) {
      Instant due = Instant.now().plusMillis((long) (lead * 1000));
      Tally.expect(count);
      peer.sleepers(count, due);
      while (Tally.sleeping() < count && Instant.now().isBefore(due)) {
        Thread.sleep(10);
      }
      boolean inTime = Tally.sleeping() >= count && Instant.now().isBefore(due);
      Latencies lateness = Tally.await(PATIENCE_SECONDS);
      if (inTime) {
        double drained = lateness.percentileMillis(1) / 1000;
        return Measured.of(count, Math.max(0.001, drained), lateness).with("leadSeconds", lead);
      }
    }
    throw NotPossible.because(
        "it could not put %d runs to sleep within %.0f s".formatted(count, MOST_LEAD_SECONDS));
  }

  private Measured fanOut(Order order) throws Exception {
    Latencies latencies = new Latencies(order.runs());
    long start = System.nanoTime();
    long end = start + (long) (order.seconds() * 1e9);
    int done = 0;
    long resumes = 0;
    while (done == 0 || (done < order.runs() && System.nanoTime() < end)) {
      long began = System.nanoTime();
      resumes = Math.max(resumes, peer.fanOut(CHILDREN));
      latencies.set(done++, System.nanoTime() - began);
    }
    return Measured.of(done, since(start), latencies.first(done)).with("resumes", (double) resumes);
  }

  /** What is told as percentiles is the time of one step, by the thousand. */
  private Measured longFlow(int steps) throws Exception {
    long start = System.nanoTime();
    double[] laps = peer.longFlow(steps);
    double seconds = since(start);
    Latencies stepTimes = new Latencies(laps.length);
    for (int i = 0; i < laps.length; i++) {
      stepTimes.set(i, (long) (laps[i] * 1000));
    }
    Measured measured = Measured.of(1, seconds, stepTimes);
    for (int i = 0; i < laps.length; i++) {
      measured = measured.with("microsPerStep" + (i + 1) + "000", laps[i]);
    }
    return measured;
  }
}
