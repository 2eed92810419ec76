package dev.pawl.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.graph.Graphs;
import dev.pawl.graph.Nodes;
import dev.pawl.graph.node.NodeType;
import dev.pawl.testkit.sim.Cast;
import dev.pawl.testkit.sim.Notation;
import dev.pawl.testkit.sim.Plan;
import dev.pawl.testkit.sim.SeedsContract;
import dev.pawl.testkit.sim.Simulation;
import dev.pawl.testkit.sim.Site;
import dev.pawl.work.DefinedProgram;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows, scripts and graphs that start each other keep every promise on every seed. */
class ScriptsAndGraphsTest extends SeedsContract {
  private static final int SEEDS = 3_000;
  private static final int SEEDS_PER_BUG = 2_000;

  ScriptsAndGraphsTest() {
    super(SEEDS, Main.NOTATIONS);
  }

  /** Seeds that once broke a promise; docs/reliability.md says what was wrong. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        157_590_695_888_870L,
        157_590_695_889_230L,
        166_535_072_866_507L,
        172_546_448_550_459L,
        172_546_448_565_633L,
        188_277_447_061_302L,
        190_270_276_657_975L,
        196_378_420_411_250L,
        196_378_420_412_631L,
        198_831_201_131_267L,
        203_980_455_734_625L,
        203_980_455_741_823L
      })
  void aSeedThatOnceFailedKeepsItsPromises(long seed) {
    assertThat(Simulation.violations(seed, Main.NOTATIONS)).isEmpty();
  }

  /** What is wrong with a runtime, or with what it is given, is found. */
  @Nested
  class Canaries {
    @Test
    void aNodeWhoseCodeBeginsBeforeItsStartIsOnRecord() {
      assertFound("P3", graphs(NodeType::pure));
    }

    @Test
    void aTimerThatFiresEarly() {
      assertFound(
          "MODEL",
          scripts(text -> text.replaceAll("delay\\(\"[0-9]+ms\"\\)\nsaid", "delay(0)\nsaid")));
    }

    @Test
    void aScriptThatForgetsWhatItsChildrenSaid() {
      assertFound("MODEL", scripts(text -> text.replace(".map(textOf)", ".slice(1).map(textOf)")));
    }

    private void assertFound(String invariant, Notation wrong) {
      long base = Simulation.freshSeed();
      boolean found =
          LongStream.range(base, base + SEEDS_PER_BUG)
              .anyMatch(seed ->
                  Simulation.violations(seed, List.of(wrong)).stream()
                      .anyMatch(told -> told.startsWith(invariant)));
      assertThat(found).as("%s, in seeds from %s on", invariant, base).isTrue();
    }
  }

  private static Notation graphs(UnaryOperator<NodeType> change) {
    return new Changed(new GraphNotation()) {
      @Override
      public DefinedProgram program(Site site) {
        NodeType[] types = Arrays.stream(PlanNodes.of(site)).map(change).toArray(NodeType[]::new);
        return Graphs.all(Nodes.with(types));
      }
    };
  }

  private static Notation scripts(UnaryOperator<String> change) {
    return new Changed(new ScriptNotation()) {
      @Override
      public String write(Plan plan, Cast cast) {
        return change.apply(super.write(plan, cast));
      }
    };
  }

  /** A notation with something wrong in it. */
  private abstract static class Changed implements Notation {
    private final Notation right;

    Changed(Notation right) {
      this.right = right;
    }

    @Override
    public String kind() {
      return right.kind();
    }

    @Override
    public boolean canWrite(Plan plan) {
      return right.canWrite(plan);
    }

    @Override
    public String write(Plan plan, Cast cast) {
      return right.write(plan, cast);
    }

    @Override
    public DefinedProgram program(Site site) {
      return right.program(site);
    }
  }
}
