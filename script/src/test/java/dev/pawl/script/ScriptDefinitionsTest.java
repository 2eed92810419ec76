package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.json.Json;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Definition;
import dev.pawl.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How scripts are deployed, and which text a run takes. */
@Timeout(120)
class ScriptDefinitionsTest extends ScriptTesting {
  @Test
  void aWatchedDirectoryIsDeployedAgainWhenAFileChanges(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("watched.flow");
    Files.writeString(file, "return 1");
    Files.writeString(directory.resolve("bad.flow"), "return nothing");
    ScriptWatch watch = Scripts.watch(house.pawl, directory);
    try {
      assertThat(house.store.definedTypes()).containsExactly("watched");
      Files.writeString(file, "return 'changed'");
      Await.until("it is deployed again", () -> house.store.definitions("watched").size() == 2);
    } finally {
      watch.close();
    }
    assertThat(house.store.newestDefinition("watched").orElseThrow().source())
        .isEqualTo("return 'changed'");
  }

  @Test
  void aRunUnderWayKeepsItsTextAndNewOnesTakeTheNewest() {
    house.work();
    RunId old = house.start("await Signal.next('go')\nreturn 'old'", "{}");
    house.settle();
    RunId fresh = house.start("await Signal.next('go')\nreturn 'new'", "{}");
    house.settle();
    house.pawl.signal(old, "go", 1);
    house.pawl.signal(fresh, "go", 1);
    assertThat(succeed(house.finish(old))).isEqualTo("\"old\"");
    assertThat(succeed(house.finish(fresh))).isEqualTo("\"new\"");
    assertThat(house.pawl.get(old).definition()).isNotEqualTo(house.pawl.get(fresh).definition());
  }

  @Test
  void aScriptWithErrorsIsRefusedWithAllOfThem() {
    assertThatThrownBy(() -> Scripts.deploy(house.pawl, "bad.flow", "var a = 1\nreturn b"))
        .isInstanceOfSatisfying(ScriptRefused.class, e -> assertThat(e.errors()).hasSize(2))
        .hasMessageContaining("bad.flow:1:1")
        .hasMessageContaining("bad.flow:2:8");
    assertThat(house.store.definedTypes()).isEmpty();
  }

  @Test
  void theTypeIsTheNameInTheFrontMatterElseOfTheWorkflowElseOfTheFile() {
    assertThat(Scripts.define("f.flow", "---\nname: a.b.v1\n---\nreturn 1").type())
        .isEqualTo("a.b.v1");
    assertThat(Scripts.define("f.flow", "workflow square(n) { return n }").type())
        .isEqualTo("square");
    assertThat(Scripts.define("dir/f.flow", "return 1").type()).isEqualTo("f");
  }

  @Test
  void whatIsDeployedByAnotherProcessIsNoticed() {
    house.work();
    Definition definition = Scripts.define("late.v1", "return 'here'");
    house.store.commit(List.of(new Command.Deploy(definition)));
    RunId id = house.pawl.start("late.v1", Json.NULL, o -> o).id();
    Await.until(
        "it was carried out",
        () -> {
          house.clock.advanceMillis(1);
          return house.pawl.get(id).status().isTerminal();
        });
    assertThat(succeed(house.pawl.get(id))).isEqualTo("\"here\"");
  }
}
