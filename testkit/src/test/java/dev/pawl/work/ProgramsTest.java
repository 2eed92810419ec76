package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.store.Command;
import dev.pawl.store.Definition;
import dev.pawl.store.Routes;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.ForwardingStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a worker claims follows what it has learned. */
class ProgramsTest {
  private static final String KIND = "rhyme";

  private final Programs programs = new Programs();

  private static final class Rhymes implements DefinedProgram {
    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public Retry retry() {
      return Retry.standard();
    }

    @Override
    public Event.TurnEnd run(Turn turn, Definition definition) {
      throw new UnsupportedOperationException("nothing is run here");
    }
  }

  private static Task<String, String> task(String type) {
    return Task.define(type, String.class, String.class, (context, in) -> in);
  }

  private Set<String> claimed() {
    return programs.routes(Set.of()).types();
  }

  @Test
  void routesAreTheSameUntilSomethingIsAdded() {
    programs.add(task("one.v1"));
    Routes before = programs.routes(Set.of());
    assertThat(programs.routes(Set.of())).isSameAs(before);
    programs.add(task("two.v1"));
    assertThat(claimed()).containsExactlyInAnyOrder("one.v1", "two.v1");
    assertThat(programs.routes(Set.of("one.%")).types()).containsExactly("one.v1");
    assertThat(claimed()).containsExactlyInAnyOrder("one.v1", "two.v1");
  }

  @Test
  void aDefinitionIsClaimedOnceItsKindIsKnown() {
    programs.learn(Definition.of("poem.v1", KIND, "roses"));
    assertThat(claimed()).isEmpty();
    programs.add(new Rhymes());
    assertThat(claimed()).containsExactly("poem.v1");
    programs.learn(Definition.of("ode.v1", KIND, "violets"));
    assertThat(claimed()).containsExactlyInAnyOrder("poem.v1", "ode.v1");
    programs.learn(Definition.of("ode.v1", "prose", "violets"));
    assertThat(claimed()).containsExactly("poem.v1");
  }

  @Test
  void whatWasLearnedBeforeTheStoreFailedIsClaimed() {
    MemoryStore memory = new MemoryStore(InstantSource.system());
    for (String type : List.of("ode.v1", "poem.v1")) {
      memory.commit(List.of(new Command.Deploy(Definition.of(type, KIND, "roses"))));
    }
    ForwardingStore failing =
        new ForwardingStore(memory) {
          @Override
          public Optional<Definition> newestDefinition(String type) {
            if (type.equals("poem.v1")) {
              throw new PawlException(ErrorCode.STORE_UNAVAILABLE, "it fails here");
            }
            return super.newestDefinition(type);
          }
        };
    programs.add(new Rhymes());
    assertThat(claimed()).isEmpty();
    assertThatThrownBy(() -> programs.learn(failing)).hasMessageContaining("it fails here");
    assertThat(claimed()).containsExactly("ode.v1");
    programs.learn(memory);
    assertThat(claimed()).containsExactlyInAnyOrder("ode.v1", "poem.v1");
  }
}
