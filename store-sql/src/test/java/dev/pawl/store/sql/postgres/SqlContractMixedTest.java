package dev.pawl.store.sql.postgres;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.flow.Flow;
import dev.pawl.flow.FlowContext;
import dev.pawl.flow.Promise;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import dev.pawl.work.CancelledException;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that pass between the engine and those who speak SQL. */
@Timeout(120)
class SqlContractMixedTest {
  private static final Duration SOON = ofSeconds(30);

  /** Carried out by whoever speaks SQL: no worker here knows it. */
  private static final Task<String, String> FOREIGN =
      Task.of(
          "foreign.work.v1",
          String.class,
          String.class,
          in -> {
            throw new IllegalStateException("this is not done in Java");
          });

  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final AtomicInteger undone = new AtomicInteger();
  private Inbox inbox;
  private Pawl pawl;

  @BeforeEach
  void open() {
    inbox = Inbox.open();
    pawl = Pawl.open(Inbox.url());
  }

  @AfterEach
  void closeAndCheck() {
    pawl.close();
    try {
      inbox.isSound();
    } finally {
      inbox.close();
    }
  }

  private void work() {
    pawl.work(worker -> worker.lease(ofSeconds(3)).poll(ofSeconds(20)));
  }

  private void awaitStatus(RunId id, Status status) {
    Await.until(
        id + " is " + status,
        () -> {
          Status found = inbox.run(id).status();
          assertThat(found == status || !found.isTerminal()).as("%s", inbox.log(id)).isTrue();
          return found == status;
        });
  }

  /** The one run of a type. */
  private RunId only(String type) {
    String ask = "select id from workflow.workflow_run where type = '" + type + "'";
    Await.until("a run of " + type, () -> !inbox.ask(ask).isEmpty());
    return RunId.parse(inbox.ask(ask).getFirst());
  }

  private String blocked(String in) throws InterruptedException {
    inside.countDown();
    try {
      new CountDownLatch(1).await();
      return in;
    } catch (InterruptedException e) {
      interrupted.countDown();
      throw e;
    }
  }

  // ---- runs from SQL, work in Java ----

  @Test
  void aRunInsertedInSqlIsCarriedOutInJava() {
    Task<String, String> greet =
        Task.of("greet.v1", String.class, String.class, in -> "hello " + in);
    pawl.register(greet);
    work();

    RunId id = inbox.insert("(type, payload) values ('greet.v1', '\"world\"')");

    awaitStatus(id, Status.SUCCEEDED);
    assertThat(inbox.get(id, "result")).isEqualTo("\"hello world\"");
    assertThat(inbox.kinds(id)).isEqualTo("created leased succeeded");
  }

  @Test
  void itsRetriesKeepTheWaitsOfTheInbox() {
    pawl.register(
        Task.of(
                "flaky.v1",
                String.class,
                String.class,
                in -> {
                  throw new IllegalStateException("no");
                })
            .retry(Retry.fixed(3, ofMillis(1))));
    work();

    RunId id = inbox.insertOf("flaky.v1");

    Await.until("it is to be tried again", () -> inbox.kinds(id).endsWith("retried"));
    Run run = inbox.run(id);
    assertThat(Duration.between(run.updatedAt(), run.due().orElseThrow()))
        .isBetween(ofMinutes(1), ofSeconds(67));
  }

  @Test
  void cancellingInSqlStopsAHandlerInJava() {
    pawl.register(Task.of("slow.v1", String.class, String.class, this::blocked));
    RunHandle<String> run =
        pawl.start(Task.of("slow.v1", String.class, String.class, in -> in), "x");
    work();
    Await.open("the handler has begun", inside);

    assertThat(inbox.change(Inbox.words("cancel", run.id()))).isEqualTo(1);

    assertThat(inbox.ask(Inbox.words("check", run.id()))).containsExactly("cancelled");
    Await.open("the handler was interrupted", interrupted);
    assertThatThrownBy(() -> run.result(SOON)).isInstanceOf(CancelledException.class);
    assertThat(inbox.kinds(run.id())).isEqualTo("created leased cancelled");
  }

  @Test
  void cancellingInSqlLetsAFlowCleanUp() {
    Flow<String, String> flow =
        Flow.define(
            "saga.v1",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.step("book", () -> {});
              ctx.onFailure("unbook", undone::incrementAndGet);
              return ctx.step("blocked", String.class, () -> blocked(in));
            });
    pawl.register(flow);
    work();
    RunHandle<String> run = pawl.start(flow, "x");
    Await.open("the second step has begun", inside);

    assertThat(inbox.change(Inbox.words("cancel", run.id()))).isEqualTo(1);

    awaitStatus(run.id(), Status.CANCELLED);
    assertThat(undone).hasValue(1);
  }

  @Test
  void cancellingASuspendedFlowInSqlCancelsTheChildrenItAwaits() {
    Flow<String, String> flow =
        Flow.define(
            "waiting.v1",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.onFailure("undo", undone::incrementAndGet);
              Promise<String> child = ctx.child(FOREIGN, in);
              return ctx.awaitSignal("go", String.class) + child.await();
            });
    pawl.register(flow);
    work();
    RunHandle<String> run = pawl.start(flow, "x");
    RunId child = only(FOREIGN.type());
    inbox.lease(child, "w");
    awaitStatus(run.id(), Status.SUSPENDED);

    inbox.set(run.id(), "status = 'cancelled', last_error = 'no more'");

    assertThat(inbox.run(child).status()).isEqualTo(Status.CANCELLED);
    assertThat(inbox.last(child)).isEqualTo(new Event.Cancelled("no more"));
    awaitStatus(run.id(), Status.CANCELLED);
    assertThat(undone).hasValue(1);
  }

  // ---- runs from Java, work in SQL ----

  @Test
  void aRunStartedInJavaIsCarriedOutInSql() {
    RunHandle<String> run = pawl.start(FOREIGN, "x", o -> o.key("k"));
    work();

    inbox.lease(run.id(), "w");
    inbox.change(Inbox.words("heartbeat", run.id()));
    inbox.change(Inbox.words("note", run.id()));
    inbox.set(run.id(), "status = 'succeeded', result = '\"y\"'");

    assertThat(run.result(SOON)).isEqualTo("y");
    assertThat(inbox.kinds(run.id())).isEqualTo("created leased heartbeat succeeded");
  }

  @Test
  void cancellingInJavaIsSeenInSql() {
    RunHandle<String> run = pawl.start(FOREIGN, "x");
    inbox.lease(run.id(), "w");

    run.cancel("enough");

    assertThat(inbox.ask(Inbox.words("check", run.id()))).containsExactly("cancelled");
    assertThat(inbox.last(run.id())).isEqualTo(new Event.Cancelled("enough"));
    assertThat(inbox.change(Inbox.words("heartbeat", run.id()))).isZero();
  }

  @Test
  void aFlowAwaitsChildrenThatAreFinishedInSql() {
    Flow<String, String> flow =
        Flow.define(
            "family.v1",
            String.class,
            String.class,
            (ctx, in) -> String.join("+", ctx.all(both(ctx)).await()));
    pawl.register(flow);
    work();
    RunHandle<String> run = pawl.start(flow, "x");
    awaitStatus(run.id(), Status.SUSPENDED);
    List<String> children =
        inbox.ask("select id from workflow.workflow_run where type like 'foreign.%' order by id");

    inbox.lease(RunId.parse(children.get(0)), "w");
    inbox.set(RunId.parse(children.get(0)), "status = 'succeeded', result = '\"one\"'");
    assertThat(
            inbox.get(run.id(), "wakes || ' ' || wake_after || ' ' || coalesce(run_at::text, '')"))
        .isEqualTo("1 1 ");

    inbox.lease(RunId.parse(children.get(1)), "w");
    inbox.set(RunId.parse(children.get(1)), "status = 'succeeded', result = '\"two\"'");
    assertThat(run.result(SOON)).isEqualTo("one+two");
  }

  private static List<Promise<String>> both(FlowContext ctx) {
    return List.of(ctx.child(FOREIGN, "a"), ctx.child(FOREIGN, "b"));
  }

  @Test
  void aChildThatFailsInSqlWakesItsParentAtOnce() {
    Flow<String, String> flow =
        Flow.define(
            "caught.v1",
            String.class,
            String.class,
            (ctx, in) -> {
              try {
                return ctx.all(both(ctx)).await().toString();
              } catch (FailedException e) {
                return e.failure().code() + " " + e.failure().message();
              }
            });
    pawl.register(flow);
    work();
    RunHandle<String> run = pawl.start(flow, "x");
    awaitStatus(run.id(), Status.SUSPENDED);
    RunId child = only(FOREIGN.type());
    inbox.lease(child, "w");

    inbox.set(child, "status = 'failed', last_error = '{\"code\":\"FULL\",\"message\":\"no\"}'");

    assertThat(run.result(SOON)).isEqualTo("FULL no");
  }

  @Test
  void anExpiredLeaseInSqlIsTakenOverInJava() {
    pawl.register(Task.of("shared.v1", String.class, String.class, in -> "from java"));
    RunId id = inbox.insertOf("shared.v1");
    inbox.leaseBriefly(id, "w");
    work();

    awaitStatus(id, Status.SUCCEEDED);
    assertThat(inbox.run(id).attempt()).isEqualTo(2);
    assertThat(inbox.kinds(id)).isEqualTo("created leased leased succeeded");
  }

  // ---- the registry ----

  @Test
  void aTypeOfAnotherRuntimeIsLeftAlone() {
    pawl.register(Task.of("mine.v1", String.class, String.class, in -> "java"));
    pawl.register(Task.of("theirs.v1", String.class, String.class, in -> "java"));
    inbox.change(
        "insert into workflow.workflow_registry (workflow_name, runtime) values ('theirs.v1',"
            + " 'python')");
    RunId theirs = inbox.insertOf("theirs.v1");
    work();
    awaitStatus(inbox.insertOf("mine.v1"), Status.SUCCEEDED);

    assertThat(inbox.run(theirs).status()).isEqualTo(Status.PENDING);
    inbox.lease(theirs, "python-1");
    inbox.set(theirs, "status = 'succeeded', result = '\"python\"'");
    assertThat(inbox.kinds(theirs)).isEqualTo("created leased succeeded");
  }

  @Test
  void aDisabledTypeWaits() {
    pawl.register(Task.of("mine.v1", String.class, String.class, in -> "java"));
    pawl.register(Task.of("off.v1", String.class, String.class, in -> "java"));
    inbox.change(
        "insert into workflow.workflow_registry (workflow_name, is_enabled) values ('off.v1',"
            + " false)");
    RunId off = inbox.insertOf("off.v1");
    work();
    awaitStatus(inbox.insertOf("mine.v1"), Status.SUCCEEDED);
    assertThat(inbox.run(off).status()).isEqualTo(Status.PENDING);

    inbox.change("update workflow.workflow_registry set is_enabled = true");

    awaitStatus(off, Status.SUCCEEDED);
  }
}
