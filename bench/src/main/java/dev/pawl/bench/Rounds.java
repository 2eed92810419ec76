package dev.pawl.bench;

import dev.pawl.bench.host.Child;
import dev.pawl.bench.host.Contender;
import dev.pawl.bench.machine.Database;
import dev.pawl.bench.report.Result;
import dev.pawl.bench.report.Results;
import dev.pawl.bench.report.Sample;
import dev.pawl.bench.works.Work;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Who plays when. A work is played in rounds, and in each round everybody has a turn (A B C, B C A,
 * …), so that a noisy minute hits all alike. Each turn is on a fresh database; the processes stay,
 * so that their code is compiled.
 */
final class Rounds {
  private final Options options;
  private final Stage stage;
  private final Results results;
  private final Consumer<String> progress;
  private final Consumer<Result> told;
  private final Set<Contender> gone = EnumSet.noneOf(Contender.class);

  /**
   * @param progress is given lines for people who wait
   * @param told is given each result when its work is over
   */
  Rounds(
      Options options,
      Stage stage,
      Results results,
      Consumer<String> progress,
      Consumer<Result> told) {
    this.options = options;
    this.stage = stage;
    this.results = results;
    this.progress = progress;
    this.told = told;
  }

  void playAll() throws IOException, SQLException {
    for (Work work : options.works()) {
      for (int concurrency : options.concurrencies(work)) {
        play(work, concurrency);
      }
    }
  }

  /** What a contender has shown at this work so far. */
  private static final class Score {
    private final List<Sample> samples = new ArrayList<>();
    private final Map<String, List<Sample>> limits = new java.util.LinkedHashMap<>();
    private String settings = "";
    private String durability = "";
  }

  private void play(Work work, int concurrency) throws IOException, SQLException {
    Map<Contender, Score> scores = new EnumMap<>(Contender.class);
    Set<Contender> out = new LinkedHashSet<>();
    List<Contender> order = new ArrayList<>(options.contenders());
    try (Play play = new Play(options, stage, work, concurrency)) {
      for (int round = 0; round < options.rounds(work); round++) {
        for (Contender contender : order) {
          if (!out.contains(contender) && !gone.contains(contender)) {
            Score score = scores.computeIfAbsent(contender, each -> new Score());
            if (!turn(play, contender, round, score)) {
              out.add(contender);
            }
          }
        }
        Collections.rotate(order, -1);
      }
    }
    for (Contender contender : options.contenders()) {
      Score score = scores.get(contender);
      if (score != null && !score.samples.isEmpty()) {
        tell(contender, work, concurrency, score);
      }
    }
  }

  /** Plays one turn; returns whether there is any point in another. */
  private boolean turn(Play play, Contender contender, int round, Score score)
      throws IOException, SQLException {
    String what = play.title() + " " + contender.word();
    Optional<Database> database = stage.fresh(contender);
    if (database.isEmpty()) {
      miss(contender.word() + " is skipped: " + stage.why());
      return false;
    }
    try {
      if (round == 0) {
        rehearse(play, contender);
      }
      Play.Turn turn = play.turn(contender, database.get());
      score.samples.add(turn.sample());
      turn.limits()
          .forEach((limit, sample) ->
              score.limits.computeIfAbsent(limit, each -> new ArrayList<>()).add(sample));
      score.settings = turn.opened().settings();
      score.durability = turn.opened().durability();
      progress.accept("%s round %d: %s".formatted(what, round + 1, gist(turn.sample())));
      return true;
    } catch (Child.Refused e) {
      switch (e.kind()) {
        case "na" -> miss(play.title() + " " + contender.word() + " n/a: " + e.getMessage());
        case "missing" -> {
          gone.add(contender);
          miss(contender.word() + " is skipped: " + e.getMessage());
        }
        default -> miss(what + " failed in round " + (round + 1) + ": " + e.getMessage());
      }
      play.forget(contender);
      return false;
    } finally {
      stage.drop(database.get());
    }
  }

  private void rehearse(Play play, Contender contender)
      throws Child.Refused, IOException, SQLException {
    Database database = stage.fresh(contender).orElseThrow();
    try {
      play.rehearse(contender, database);
    } finally {
      stage.drop(database);
    }
  }

  private static String gist(Sample sample) {
    return String.format(
        Locale.ROOT,
        "%,.1f runs/s, p50 %.2f ms, p99 %.2f ms, others used %.0f %% of the processors",
        sample.measured().runsPerSecond(),
        sample.measured().p50Millis(),
        sample.measured().p99Millis(),
        sample.strangers() * 100);
  }

  private void miss(String line) {
    results.miss(line);
    progress.accept(line);
  }

  private void tell(Contender contender, Work work, int concurrency, Score score) {
    Result result =
        new Result(
            Results.today(),
            work,
            contender.system(),
            contender.store(),
            contender.isDurable(),
            concurrency,
            Optional.empty(),
            score.settings,
            score.durability,
            score.samples);
    results.add(result);
    told.accept(result);
    score.limits.forEach((name, samples) -> {
      Result limit =
          new Result(
              Results.today(),
              work,
              name,
              contender.store(),
              true,
              concurrency,
              Optional.empty(),
              "the same rows, inserted again without an engine",
              score.durability,
              samples);
      results.add(limit);
      told.accept(limit);
    });
  }
}
