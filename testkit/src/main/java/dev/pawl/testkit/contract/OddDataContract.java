package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.newChild;
import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.TypeState;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import dev.pawl.time.Ids;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts and sizes that break stores. */
abstract class OddDataContract extends Area {
  private static final int MIB = 1024 * 1024;

  /** A bit of everything that programs can hold and databases cannot. */
  private static final String ODD =
      "nul\u0000 high\uD83D low\uDE80 rocket\uD83D\uDE80 \uFFFF\uFFFE\uFEFF del\u007F line\u2028"
          + " \"quoted\" back\\slash /*'--; ${x} %s {0} \r\n\t end";

  static Stream<String> oddTexts() {
    return Stream.of(
        ODD,
        "\u0000",
        "\uD83D",
        "\uDE80",
        "\uDE80\uD83D",
        "\uD83D\uDE80",
        "\\u0000",
        "\\",
        "",
        " ",
        "null",
        "'; DROP TABLE run; --");
  }

  @ParameterizedTest
  @MethodSource("oddTexts")
  void anyTextSurvivesAsPayloadAndResult(String text) {
    Json value = Json.string(text);
    NewRun wanted = NewRun.of(new RunId(Ids.next()), StoreFixture.TYPE, value);

    store.start(wanted);
    Turn turn = store.claimOne();
    turn.succeed(value);

    assertThat(turn.run().payload()).isEqualTo(value);
    assertThat(store.run(wanted.id()).payload()).isEqualTo(value);
    assertThat(store.run(wanted.id()).result()).contains(value);
    assertThat(((Event.Created) store.log(wanted.id()).getFirst().event()).payload())
        .isEqualTo(value);
    assertThat(store.lastEvent(wanted.id())).isEqualTo(new Event.Succeeded(value));
  }

  @Test
  void anyTextThatMayBeAMembersNameSurvives() {
    Json name = Json.string("nul\u0000 \uFFFF rocket\uD83D\uDE80 \"quoted\" back\\slash \n");
    Json value = Json.parse("{" + name + ":[" + Json.string(ODD) + "],\"\":{}}");
    NewRun wanted = NewRun.of(new RunId(Ids.next()), StoreFixture.TYPE, value);

    store.start(wanted);

    assertThat(store.run(wanted.id()).payload()).isEqualTo(value);
  }

  @Test
  void anyTextSurvivesInAFailure() {
    Failure cause = new Failure(ODD, ODD, ODD, Json.string(ODD), true, 3, source(), noCause(), ODD);
    Failure failure =
        new Failure(ODD, ODD, ODD, Json.NULL, false, 0, source(), Optional.of(cause), ODD);
    Turn failed = store.begin();
    Turn retried = store.begin();

    failed.must(new Event.Failed(failure));
    retried.must(new Event.Retried(failure, store.now().plusSeconds(60), false));

    assertThat(store.run(failed.id()).lastError()).contains(failure);
    assertThat(store.lastEvent(failed.id())).isEqualTo(new Event.Failed(failure));
    assertThat(store.run(retried.id()).lastError()).contains(failure);
  }

  @Test
  void anyTextSurvivesInTheOutcomeOfAChild() {
    Failure failure =
        new Failure(ODD, ODD, ODD, Json.string(ODD), true, 3, source(), noCause(), ODD);
    Turn parent = store.begin();
    NewRun one = newChild(parent.id(), Bond.AWAITED);
    NewRun two = newChild(parent.id(), Bond.AWAITED);
    parent.draft(Turn.step("one")).starting(one, two).must();
    List<Turn> children = store.claim(2, one.type());

    children.get(0).must(new Event.Failed(failure));
    children.get(1).must(new Event.Cancelled(ODD));

    assertThat(store.mail(parent.id()))
        .extracting(mail -> ((Mail.ChildOutcome) mail).result())
        .containsExactly(
            new Event.ChildResult.Failed(failure), new Event.ChildResult.Cancelled(ODD));
  }

  @ParameterizedTest
  @MethodSource("oddTexts")
  void anyTextSurvivesInASignalAndATopicEvent(String text) {
    Turn turn = store.begin();
    turn.must(Turn.waiting(2, Turn.signal("go"), Turn.topic("news", turn.run().since())));

    store.send(turn.id(), "go", Json.string(text));
    store.emit("news", Json.string(text));

    List<Mail> mail = store.claimOne().mail();
    assertThat(((Mail.Signal) mail.get(0)).value()).isEqualTo(Json.string(text));
    assertThat(((Mail.Topic) mail.get(1)).value()).isEqualTo(Json.string(text));
  }

  @ParameterizedTest
  @MethodSource("oddTexts")
  void anyTextSurvivesInAStep(String text) {
    Turn turn = store.begin();
    Event step = new Event.StepCompleted(1, text, 2, 3, Json.string(text), 4);

    turn.must(step, new Event.Logged(2, text));

    assertThat(store.log(turn.id())).hasSize(4);
    assertThat(store.log(turn.id()).get(2).event()).isEqualTo(step);
    assertThat(store.log(turn.id()).get(3).event()).isEqualTo(new Event.Logged(2, text));
  }

  @Test
  void anyTextSurvivesAsTheReasonOfACancel() {
    RunId pending = store.start();
    Turn running = store.begin();

    store.commit(
        new Command.Cancel(pending, ODD, false), new Command.Cancel(running.id(), ODD, false));

    assertThat(store.lastEvent(pending)).isEqualTo(new Event.Cancelled(ODD));
    assertThat(((Mail.Cancel) store.mail(running.id()).getFirst()).reason()).isEqualTo(ODD);
    running.must(new Event.CancelRequested(0, ODD));
    assertThat(store.run(running.id()).cancelling()).contains(ODD);
  }

  @Test
  void anyTextSurvivesAsTheReasonOfARewind() {
    RunId id = store.start();

    store.expect(Outcome.Reopened.class, new Command.Rewind(id, Ids.next(), "rewind", 0, ODD));

    assertThat(((Event.Rewound) store.lastEvent(id)).reason()).isEqualTo(ODD);
  }

  @Test
  void anyTextSurvivesAsTheValueOfATag() {
    Map<String, String> tags = Map.of("odd", ODD, "\uD83D\uDE80", "", "q\"uote\\", "back");

    RunId id = store.start(newRun().withTags(tags));

    assertThat(store.run(id).tags()).isEqualTo(tags);
  }

  @Test
  void anyTextSurvivesAsTheDescriptionOfAType() {
    TypeState state = new TypeState("a.v1", true, "python", ODD);

    store.configure(state);

    assertThat(store.store().types()).containsExactly(state);
  }

  @Test
  void namesMayBeInAnyScript() {
    String name = "größe-尺寸-\uD83D\uDE80'\"\\%_";
    RunId id = store.start(newRun().withKey(name));
    Turn turn = store.claimOne();
    turn.must(Turn.waiting(2, Turn.signal(name), Turn.topic(name, turn.run().since())));

    store.send(id, name);
    assertThat(store.emit(name).woken()).isEqualTo(1);

    assertThat(store.claimOne().signals()).containsExactly(name);
    assertThat(store.store().runByKey(name).map(Run::id)).contains(id);
  }

  @Test
  void namesOfTwoHundredCharactersAreAccepted() {
    String name = "n".repeat(200);
    Turn turn = store.begin(newRun(name).withKey(name).withTags(Map.of(name, name)));
    turn.must(Turn.waiting(2, Turn.signal(name), Turn.topic(name, turn.run().since())));

    store.send(turn.id(), name);
    store.emit(name);

    assertThat(store.claim(1, name)).hasSize(1);
    assertThat(store.store().runByKey(name).map(Run::id)).contains(turn.id());
    assertThat(store.run(turn.id()).tags()).containsEntry(name, name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\u0000", "a\nb", "\uD83D", "x\uDE80"})
  void namesThatCannotBeStoredAreRefusedBeforeTheyGetHere(String name) {
    assertRefused(name);
  }

  @Test
  void namesOfTwoHundredAndOneCharactersAreRefusedBeforeTheyGetHere() {
    assertRefused("n".repeat(201));
  }

  private static void assertRefused(String name) {
    RunId id = new RunId(Ids.next());
    assertThatThrownBy(() -> newRun(name)).isInstanceOf(PawlException.class);
    assertThatThrownBy(() -> newRun().withKey(name)).isInstanceOf(PawlException.class);
    assertThatThrownBy(() -> newRun().withTags(Map.of(name, ""))).isInstanceOf(PawlException.class);
    assertThatThrownBy(() -> StoreFixture.signal(id, name, Json.NULL))
        .isInstanceOf(PawlException.class);
    assertThatThrownBy(() -> StoreFixture.event(name, Json.NULL)).isInstanceOf(PawlException.class);
    assertThatThrownBy(() -> TypeState.paused(name)).isInstanceOf(PawlException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {MIB, 16 * MIB})
  void aLargeValueSurvivesEverywhere(int chars) {
    Json large = Json.string("0123456789abcdef".repeat(chars / 16));
    RunId id = store.start(NewRun.of(new RunId(Ids.next()), StoreFixture.TYPE, large));
    store.send(id, "go", large);
    Turn turn = store.claimOne();

    turn.must(new Event.StepCompleted(0, "one", 0, 1, large, 1));
    turn.succeed(large);

    assertThat(same(turn.run().payload(), large)).isTrue();
    assertThat(same(((Mail.Signal) turn.mail().getFirst()).value(), large)).isTrue();
    assertThat(same(store.run(id).result().orElseThrow(), large)).isTrue();
    Event step = store.store().log(id, 2, 1).getFirst().event();
    assertThat(same(((Event.StepCompleted) step).value(), large)).isTrue();
  }

  @Test
  void aValueAtTheLimitIsStoredOrRefusedAndSpoilsNothing() {
    Json huge = Json.string("x".repeat(Json.MAX_CHARS - 2));
    NewRun before = newRun();
    NewRun after = newRun();
    NewRun wanted = NewRun.of(new RunId(Ids.next()), StoreFixture.TYPE, huge);

    List<Outcome> outcomes =
        store.commit(
            new Command.Start(before), new Command.Start(wanted), new Command.Start(after));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Started.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Started.class);
    boolean stored = outcomes.get(1) instanceof Outcome.Started;
    assertThat(stored || outcomes.get(1) instanceof Outcome.Broken).isTrue();
    assertThat(store.store().run(wanted.id()).isPresent()).isEqualTo(stored);
    assertThat(store.claim(5)).hasSize(stored ? 3 : 2);
  }

  @Test
  void deepValuesSurviveEverywhere() {
    Json deep = Json.parse("[".repeat(Json.MAX_DEPTH) + "]".repeat(Json.MAX_DEPTH));
    Turn turn = store.begin(NewRun.of(new RunId(Ids.next()), StoreFixture.TYPE, deep));
    store.send(turn.id(), "go", deep);
    Failure failure =
        new Failure("DEEP", "", "deep", deep, false, 0, Failure.Source.UNKNOWN, noCause(), "");

    turn.must(new Event.Suspended(Optional.of(store.now()), List.of(), 0, false, deep));
    Turn second = store.claimOne();
    second.must(new Event.Failed(failure));

    assertThat(store.run(turn.id()).payload()).isEqualTo(deep);
    assertThat(((Mail.Signal) second.mail().getFirst()).value()).isEqualTo(deep);
    assertThat(store.run(turn.id()).lastError()).contains(failure);
    assertThat(store.log(turn.id())).hasSize(5);
  }

  @Test
  void aHugeStackAndALongChainOfCausesAreKept() {
    String stack = "\tat dev.pawl.Deep.call(Deep.java:1)\n".repeat(50_000);
    Failure failure = Failure.of("ROOT", "the root of it");
    for (int i = 0; i < 100; i++) {
      failure =
          new Failure(
              "C" + i, "T", "m", Json.NULL, false, 0, source(), Optional.of(failure), "\tat x\n");
    }
    failure =
        new Failure("TOP", "T", "m", Json.NULL, false, 0, source(), Optional.of(failure), stack);
    Turn turn = store.begin();

    turn.must(new Event.Failed(failure));

    assertThat(store.run(turn.id()).status()).isEqualTo(Status.FAILED);
    assertThat(store.run(turn.id()).lastError().orElseThrow().equals(failure)).isTrue();
  }

  @Test
  void numbersSurviveToTheLastDigit() {
    Json numbers =
        Json.parse(
            "[12345678901234567890,0.1000000000000000055,-9223372036854775808,1E+400,-1.5E-300]");

    RunId id = store.start(NewRun.of(new RunId(Ids.next()), StoreFixture.TYPE, numbers));

    assertThat(store.run(id).payload().text()).isEqualTo(numbers.text());
  }

  @Test
  void extremeNumbersOfTheRunSurvive() {
    NewRun wanted = newRun().withPriority(Integer.MIN_VALUE).withMaxAttempts(Integer.MAX_VALUE);
    RunId last = store.start(newRun().withPriority(Integer.MAX_VALUE));

    store.start(wanted);

    assertThat(store.run(wanted.id()).maxAttempts()).isEqualTo(Integer.MAX_VALUE);
    assertThat(store.claim(2)).extracting(Turn::id).containsExactly(wanted.id(), last);
  }

  @Test
  void aManyThousandEventsLongLogIsReadWhole() {
    Turn turn = store.begin();
    Event[] events = new Event[3000];
    Arrays.setAll(events, i -> Turn.step("step-" + i));

    turn.must(events);

    assertThat(store.log(turn.id())).hasSize(3002);
  }

  private static Failure.Source source() {
    return new Failure.Source(ODD, ODD, ODD);
  }

  private static Optional<Failure> noCause() {
    return Optional.empty();
  }

  /** Equality without sixteen megabytes of message when it fails. */
  private static boolean same(Json actual, Json expected) {
    return actual.equals(expected);
  }
}
