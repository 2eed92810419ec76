package dev.pawl.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventCodecTest {

  static Stream<Event> events() {
    return Stream.concat(Samples.full().stream(), Samples.bare().stream());
  }

  @ParameterizedTest
  @MethodSource("events")
  void anEventReadsBackAsItWasWritten(Event event) {
    assertThat(roundTrip(event)).isEqualTo(event);
  }

  @ParameterizedTest
  @MethodSource("events")
  void whatIsWrittenIsJsonThatSurvivesUtf8(Event event) {
    String text = EventCodec.data(event).text();

    assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
        .isEqualTo(text);
    assertThat(text.chars()).noneMatch(c -> c < ' ');
    assertThat(Json.parse(text)).isEqualTo(EventCodec.data(event));
  }

  @Test
  void thereIsASampleOfEveryKind() {
    Set<Class<?>> sampled =
        Samples.full().stream().map(Object::getClass).collect(Collectors.toSet());

    assertThat(sampled).isEqualTo(records(Event.class));
  }

  @Test
  void thereIsASampleOfEveryWaitAndEveryChildResult() {
    Set<Class<?>> waits =
        Samples.full().stream()
            .filter(Event.Suspended.class::isInstance)
            .flatMap(event -> ((Event.Suspended) event).waits().stream())
            .map(Object::getClass)
            .collect(Collectors.toSet());
    Set<Class<?>> results =
        events()
            .filter(Event.ChildFinished.class::isInstance)
            .map(event -> ((Event.ChildFinished) event).result().getClass())
            .collect(Collectors.toSet());

    assertThat(waits).isEqualTo(records(Wait.class));
    assertThat(results).isEqualTo(records(Event.ChildResult.class));
  }

  @Test
  void everyKindHasAWordOfItsOwn() {
    List<String> words = Samples.full().stream().map(EventCodec::kind).toList();

    assertThat(words).doesNotHaveDuplicates();
  }

  /** What is in every store's data for ever. If this fails, data in the field cannot be read. */
  @Test
  void theStoredFormNeverChanges() {
    assertThat(written(new Event.StepCompleted(3, "pay", 0, 1, Json.TRUE, 12)))
        .isEqualTo(
            "step.completed"
                + " {\"op\":3,\"name\":\"pay\",\"attempt\":1,\"value\":true,\"millis\":12}");
    assertThat(written(new Event.Leased("w", 2, Samples.T, 1, true, 1, 9)))
        .isEqualTo(
            "leased {\"worker\":\"w\",\"epoch\":2,\"until\":1893456000123,\"attempt\":1,"
                + "\"resumed\":true,\"crashes\":1,\"ticket\":9}");
    assertThat(written(new Event.Failed(Failure.of("C", "m"))))
        .isEqualTo("failed {\"failure\":{\"code\":\"C\",\"message\":\"m\"}}");
    assertThat(
            written(
                new Event.Suspended(
                    Optional.empty(), List.of(new Wait.Signal(1, "go")), 1, false, Json.NULL)))
        .isEqualTo("suspended {\"waits\":[{\"op\":1,\"signal\":\"go\"}],\"wakeAfter\":1}");
  }

  @Test
  void aTimeToLiveIsWrittenOnlyWhereThereIsOneAndOldLogsHaveNone() {
    String before =
        "{\"type\":\"t.v1\",\"payload\":null,\"priority\":100,\"runAt\":0,\"maxAttempts\":3,"
            + "\"root\":\"00000000-0000-0001-0000-000000000002\",\"bond\":\"detached\",\"since\":0}";
    Event.Created old = (Event.Created) EventCodec.read("created", Json.stored(before));
    assertThat(old.ttl()).isEmpty();
    assertThat(EventCodec.data(old).text()).isEqualTo(before);

    String with = before.replace(",\"since\"", ",\"ttl\":604800000,\"since\"");
    Event.Created kept = (Event.Created) EventCodec.read("created", Json.stored(with));
    assertThat(kept.ttl()).contains(Duration.ofDays(7));
    assertThat(EventCodec.data(kept).text()).isEqualTo(with);
  }

  @Test
  void membersOfANewerVersionAreIgnored() {
    Json data = Json.parse("{\"new\":{\"x\":[1]},\"op\":4,\"newer\":\"y\"}");

    assertThat(EventCodec.read("timer.fired", data)).isEqualTo(new Event.TimerFired(4));
  }

  @Test
  void aKindOfANewerVersionIsNamed() {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> EventCodec.read("teleported", Json.EMPTY_OBJECT))
        .withMessageContaining("teleported")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_TOO_NEW));
  }

  @Test
  void aMissingMemberIsNamed() {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> EventCodec.read("timer.fired", Json.EMPTY_OBJECT))
        .withMessageContaining("'op'");
  }

  @Test
  void theDeepestValueThereIsReadsBack() {
    Json deep = Json.parse("[".repeat(Json.MAX_DEPTH) + "]".repeat(Json.MAX_DEPTH));
    Failure failure =
        new Failure("DEEP", "", "m", deep, false, 0, Failure.Source.UNKNOWN, Optional.empty(), "");
    Failure wrapped =
        new Failure(
            "TOP", "", "m", deep, false, 0, Failure.Source.UNKNOWN, Optional.of(failure), "");

    for (Event event :
        List.of(
            new Event.Succeeded(deep),
            new Event.Failed(wrapped),
            new Event.ChildFinished(0, Samples.ID, new Event.ChildResult.Failed(wrapped)))) {
      assertThat(roundTrip(event)).isEqualTo(event);
    }
    assertThat(EventCodec.readResult(EventCodec.result(Samples.ID, failed(wrapped))))
        .isEqualTo(failed(wrapped));
  }

  @Test
  void aLongChainOfCausesReadsBack() {
    Failure failure = Failure.of("ROOT", "m");
    for (int i = 0; i < Json.MAX_DEPTH + 50; i++) {
      failure =
          new Failure(
              "C", "", "m", Json.NULL, false, 0, Failure.Source.UNKNOWN, Optional.of(failure), "");
    }

    Json written = EventCodec.failure(failure);

    assertThat(EventCodec.failure(EventCodec.readFailure(written))).isEqualTo(written);
  }

  @Test
  void aChildsOutcomeReadsBackFromItsMessage() {
    for (Event.ChildResult result :
        List.of(
            new Event.ChildResult.Succeeded(Samples.DATA),
            failed(Samples.FAILURE),
            new Event.ChildResult.Cancelled(Samples.ODD))) {
      Json message = EventCodec.result(Samples.ID, result);

      assertThat(EventCodec.readResult(message)).isEqualTo(result);
      assertThat(EventCodec.readChild(message)).isEqualTo(Samples.ID);
    }
  }

  @Test
  void tagsReadBack() {
    Map<String, String> tags = Map.of("a", Samples.ODD, "\uD83D\uDE80", "");

    assertThat(EventCodec.readTags(EventCodec.tags(tags))).isEqualTo(tags);
    assertThat(EventCodec.readTags(EventCodec.tags(Map.of()))).isEmpty();
  }

  @Test
  void aTagMayHaveAnyNameThatIsAllowed() {
    Map<String, String> tags = Map.of("quote\"d", "1", "back\\slash", "2");

    assertThat(EventCodec.readTags(EventCodec.tags(tags))).isEqualTo(tags);
  }

  private static Event.ChildResult failed(Failure failure) {
    return new Event.ChildResult.Failed(failure);
  }

  private static String written(Event event) {
    return EventCodec.kind(event) + " " + EventCodec.data(event);
  }

  private static Event roundTrip(Event event) {
    return EventCodec.read(EventCodec.kind(event), Json.stored(EventCodec.data(event).text()));
  }

  private static Set<Class<?>> records(Class<?> sealed) {
    if (!sealed.isSealed()) {
      return Set.of(sealed);
    }
    return Arrays.stream(sealed.getPermittedSubclasses())
        .flatMap(kind -> records(kind).stream())
        .collect(Collectors.toCollection(HashSet::new));
  }
}
