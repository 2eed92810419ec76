package dev.pawl.store.sql.sqlite;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Decide;
import dev.pawl.store.Hint;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.sql.BodyConnection;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one transaction, carried out at one moment. What they mean is written in {@code
 * Command}; how the memory store does it is the measure.
 *
 * <p>Each command decides before it writes, so that one which cannot be carried out leaves nothing
 * behind and only its own outcome is {@link Outcome.Broken}. An error after a first write spoils
 * the transaction.
 */
final class Batch {
  private final Session session;
  private final Instant now;
  private final Runs runs;
  private final Messages messages;
  private final ClaimScan scan;
  private final Cache cache;
  private final Set<Hint> hints = new LinkedHashSet<>();

  Batch(Session session, Cache cache, Instant now) {
    this.session = session;
    this.cache = cache;
    this.now = now;
    this.runs = new Runs(session, cache);
    this.messages = new Messages(session, cache);
    this.scan = new ClaimScan(session, cache, now);
  }

  /** What the listeners should hear of once this is committed. */
  Set<Hint> hints() {
    return hints;
  }

  Outcome apply(Command command) throws SQLException {
    long writes = session.writes();
    try {
      return carryOut(command);
    } catch (PawlException e) {
      if (session.writes() == writes) {
        return new Outcome.Broken(e);
      }
      throw e;
    } catch (ArithmeticException | DateTimeException e) {
      PawlException problem =
          new PawlException(
              ErrorCode.BAD_INPUT,
              "a moment in the command is too far off to be stored: " + e.getMessage(),
              e);
      if (session.writes() == writes) {
        return new Outcome.Broken(problem);
      }
      throw problem;
    }
  }

  private Outcome carryOut(Command command) throws SQLException {
    return switch (command) {
      case Command.Start start -> start(start);
      case Command.Claim claim -> claim(claim);
      case Command.Advance advance -> advance(advance);
      case Command.Transact transact -> transact(transact);
      case Command.Extend extend -> extend(extend);
      case Command.Send send -> send(send);
      case Command.Emit emit -> emit(emit);
      case Command.Cancel cancel -> cancel(cancel);
      case Command.Rewind rewind -> rewind(rewind);
      case Command.Configure configure -> configure(configure);
      case Command.Delete delete -> delete(delete);
      case Command.Purge purge -> purge(purge);
    };
  }

  // ---- start ----

  /** A run about to be written. */
  private record Draft(Run run, List<Runs.Line> log) {}

  private Outcome start(Command.Start command) throws SQLException {
    Draft draft = draft(command.run());
    Optional<Event.Leased> lease = leaseAtOnce(draft.run(), command.claimant());
    if (lease.isPresent()) {
      draft = leased(draft, lease.get());
    }
    @Nullable Known known = runs.insert(draft.run(), draft.log());
    if (known == null) {
      return new Outcome.AlreadyStarted(runs.row(holder(command.run())));
    }
    hint(draft.run());
    Run run = draft.run();
    return new Outcome.Started(
        run, lease.map(held -> new Activation(run, known.lastSeq, List.of(), now)));
  }

  private Draft draft(NewRun wanted) throws SQLException {
    List<Event> events = new ArrayList<>();
    events.add(wanted.created(now, messages.lastPosition()));
    wanted.origin().ifPresent(origin -> events.addAll(origin.history()));
    List<Runs.Line> log = Runs.lines(0, now, 0, events);
    return new Draft(Run.created(wanted.id(), log.get(0).entry()), log);
  }

  private Optional<Event.Leased> leaseAtOnce(Run run, Optional<Command.Claimant> claimant)
      throws SQLException {
    if (claimant.isEmpty() || !isDue(run) || !scan.isEnabled(run.type())) {
      return Optional.empty();
    }
    return Decide.claim(run, false, claimant.get(), now) instanceof Event.Leased lease
        ? Optional.of(lease)
        : Optional.empty();
  }

  private Draft leased(Draft draft, Event.Leased lease) {
    List<Runs.Line> line = Runs.lines(draft.log().size(), now, lease.epoch(), List.of(lease));
    List<Runs.Line> log = new ArrayList<>(draft.log());
    log.addAll(line);
    return new Draft(draft.run().apply(line.get(0).entry()), log);
  }

  /** The run that has the id or the key already. */
  private Known holder(NewRun wanted) throws SQLException {
    @Nullable Known holder = runs.find(wanted.id());
    if (holder == null && wanted.key().isPresent()) {
      holder = runs.findByKey(wanted.key().get());
    }
    if (holder == null) {
      throw PawlException.internal(
          "run " + wanted.id() + " could not be recorded, and nothing is in its way");
    }
    return holder;
  }

  // ---- claim ----

  private Outcome claim(Command.Claim command) throws SQLException {
    Collection<String> types = scan.types(command.routes());
    List<Activation> activations = new ArrayList<>();
    Set<RunId> passed = new HashSet<>();
    boolean more = true;
    while (more && activations.size() < command.max()) {
      more = claimSome(types, command, activations, passed);
    }
    Optional<Instant> later =
        activations.size() < command.max() ? scan.later(types) : Optional.empty();
    return new Outcome.Claimed(activations, later);
  }

  /**
   * Leases what one scan finds; returns whether another could find more, because a run ended here
   * instead.
   */
  private boolean claimSome(
      Collection<String> types,
      Command.Claim command,
      List<Activation> activations,
      Set<RunId> passed)
      throws SQLException {
    boolean more = false;
    int wanted = command.max() - activations.size() + passed.size();
    for (ClaimScan.Candidate candidate : scan.due(types, wanted)) {
      if (activations.size() == command.max() || !passed.add(candidate.id())) {
        continue;
      }
      Known known = runs.get(candidate);
      Optional<Activation> activation = lease(known, command.claimant());
      activation.ifPresent(activations::add);
      if (activation.isEmpty()) {
        more = true;
        if (runs.row(known).parent().isPresent()) {
          // Its end may have woken its parent, whose place could be before what is left of this
          // scan.
          return true;
        }
      }
    }
    return more;
  }

  private Optional<Activation> lease(Known known, Command.Claimant by) throws SQLException {
    Run run = runs.row(known);
    boolean progressed = run.status() == Status.RUNNING && runs.progressed(known);
    Event.Lifecycle decision = Decide.claim(run, progressed, by, now);
    if (!(decision instanceof Event.Leased leased)) {
      transition(known, run.epoch(), List.of(decision));
      return Optional.empty();
    }
    boolean waited = run.status() == Status.SUSPENDED;
    List<Mail> mail = messages.forClaim(known, run.wakes() > 0, waited);
    Run held = transition(known, leased.epoch(), List.of(leased));
    return Optional.of(new Activation(held, known.lastSeq, mail, now));
  }

  // ---- advance ----

  private Outcome advance(Command.Advance command) throws SQLException {
    @Nullable Known known = runs.fence(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    Optional<Outcome> fenced = fenced(known, command.epoch(), command.seq());
    if (fenced.isPresent()) {
      return fenced.get();
    }
    List<Runs.Line> lines = Runs.lines(known.lastSeq, now, known.epoch, command.events());
    if (isCheckpoint(command)) {
      runs.append(known, lines);
    } else {
      turn(known, command, lines);
    }
    return new Outcome.Advanced(now);
  }

  private Optional<Outcome> fenced(Known known, long epoch, long seq) throws SQLException {
    if (known.epoch != epoch) {
      return Optional.of(
          new Outcome.Fenced(
              known.id, "the lease was epoch " + epoch + ", the run is at epoch " + known.epoch));
    }
    Status status = runs.row(known).status();
    if (status != Status.RUNNING) {
      return Optional.of(
          new Outcome.Fenced(known.id, "nobody holds the run, it is " + status.word()));
    }
    return seq == known.lastSeq + 1
        ? Optional.empty()
        : Optional.of(
            new Outcome.Fenced(
                known.id, "the write was for seq " + seq + ", the log ends at " + known.lastSeq));
  }

  /** Whether it only adds to the log: then the run's row is neither read nor written. */
  private static boolean isCheckpoint(Command.Advance command) {
    return command.consumed().isEmpty()
        && command.children().isEmpty()
        && command.sends().isEmpty()
        && command.emits().isEmpty()
        && command.events().stream().noneMatch(Event.Lifecycle.class::isInstance);
  }

  private void turn(Known known, Command.Advance command, List<Runs.Line> lines)
      throws SQLException {
    Run after = apply(runs.row(known), lines);
    List<Draft> children = draftChildren(command.children());
    messages.consume(known, new HashSet<>(command.consumed()));
    for (Draft child : children) {
      runs.insert(child.run(), child.log());
      hint(child.run());
    }
    if (after.status() == Status.SUSPENDED
        && command.end().orElse(null) instanceof Event.Suspended suspended) {
      messages.await(known, suspended.waits());
      after = wokenAlready(after, suspended, command.wakes()) ? dueNow(after) : after;
    }
    boolean resting = after.status() == Status.SUSPENDED || after.status() == Status.PENDING;
    if (resting && hasCancel(known, after)) {
      after = dueNow(after);
    }
    move(known, after, lines);
    for (Command.Send send : command.sends()) {
      send(send);
    }
    for (Command.Emit emit : command.emits()) {
      emit(emit);
    }
  }

  private static Run apply(Run run, List<Runs.Line> lines) {
    Run after = run;
    for (Runs.Line line : lines) {
      after = after.apply(line.entry());
    }
    return after;
  }

  private List<Draft> draftChildren(List<NewRun> children) throws SQLException {
    List<Draft> drafts = new ArrayList<>();
    Set<Object> taken = new HashSet<>();
    for (NewRun child : children) {
      boolean free = taken.add(child.id()) && runs.fence(child.id()) == null;
      if (child.key().isPresent()) {
        free &= taken.add(child.key().get()) && runs.findByKey(child.key().get()) == null;
      }
      if (!free) {
        throw PawlException.conflict(
            "the child "
                + child.id()
                + " of "
                + child.type()
                + " cannot be started: its id or key is taken");
      }
      drafts.add(draft(child));
    }
    return drafts;
  }

  /** Whether what the suspended run waits for came while it was still running. */
  private boolean wokenAlready(Run run, Event.Suspended suspended, long wakesSeen)
      throws SQLException {
    return suspended.wakeAfter() > 0
        && (run.wakes() != wakesSeen || messages.hasTopicEvents(suspended.waits()));
  }

  // ---- transactional steps ----

  private Outcome transact(Command.Transact command) throws SQLException {
    @Nullable Known known = runs.fence(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    Optional<Outcome> fenced = fenced(known, command.epoch(), command.seq());
    if (fenced.isPresent()) {
      return fenced.get();
    }
    session.sql("savepoint").perform();
    Outcome outcome = transact(known, command.body());
    session.sql(outcome instanceof Outcome.Transacted ? "release" : "undo").perform();
    if (!(outcome instanceof Outcome.Transacted)) {
      session.sql("release").perform();
    }
    return outcome;
  }

  private Outcome transact(Known known, Command.Transact.Body body) throws SQLException {
    Event event;
    BodyConnection shown = new BodyConnection(session.connection());
    try {
      event = body.run(shown.connection());
    } catch (Exception e) {
      return new Outcome.Threw(e);
    } finally {
      shown.close();
      // The thread is the store's: an interrupt meant for the body ends with it.
      Thread.interrupted();
    }
    List<Runs.Line> lines;
    Run after;
    try {
      lines = Runs.lines(known.lastSeq, now, known.epoch, List.of(event));
      after = apply(runs.row(known), lines);
    } catch (PawlException e) {
      return new Outcome.Broken(e);
    }
    move(known, after, lines);
    return new Outcome.Transacted(lines.get(0).entry());
  }

  // ---- messages ----

  private Outcome send(Command.Send command) throws SQLException {
    @Nullable Known known = runs.find(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    Run run = runs.row(known);
    if (run.status().isTerminal()) {
      return ended(run);
    }
    if (run.wakes() == 0 || !messages.hasSignal(known, command.message())) {
      deliver(
          known,
          new Mail.Signal(
              messages.nextMailId(), now, command.message(), command.name(), command.value()),
          false);
    }
    return new Outcome.Sent();
  }

  private static Outcome ended(Run run) {
    return new Outcome.Refused(run, "it has ended (" + run.status().word() + ")");
  }

  /**
   * Puts a message into the mailbox of a live run, and wakes the run if it waits for such a one.
   */
  private void deliver(Known known, Mail mail, boolean urgent) throws SQLException {
    messages.post(known, mail);
    Run run = runs.row(known);
    Run counted = run.change().wakes(run.wakes() + 1).run();
    if (mail instanceof Mail.Cancel && counted.status() != Status.RUNNING) {
      save(known, dueNow(counted));
    } else if (isWaiting(counted) && messages.awaits(known, mail)) {
      save(known, woken(counted, urgent));
    } else {
      runs.save(known, counted);
    }
  }

  /** Whether a message could wake the run: it waits for some, and has not had them all. */
  private static boolean isWaiting(Run run) {
    return run.status() == Status.SUSPENDED && run.wakeAfter() > 0;
  }

  /** The run with one awaited message counted. */
  private Run woken(Run run, boolean urgent) {
    int left = urgent ? 0 : Math.max(0, run.wakeAfter() - 1);
    Run counted = run.change().wakeAfter(left).run();
    return left == 0 ? dueNow(counted) : counted;
  }

  private Run dueNow(Run run) {
    return isDue(run) ? run : run.change().due(Optional.of(now)).run();
  }

  private Outcome emit(Command.Emit command) throws SQLException {
    Optional<Mail.Topic> earlier = messages.emitted(command.message());
    if (earlier.isPresent()) {
      return new Outcome.Emitted(earlier.get().id(), 0);
    }
    long position = messages.emit(command, now);
    int woken = 0;
    for (RunId id : messages.awaiting(command.topic())) {
      Known known = runs.get(id);
      if (isWaiting(runs.row(known))) {
        Run after = woken(runs.row(known), false);
        save(known, after);
        woken += after.wakeAfter() == 0 ? 1 : 0;
      }
    }
    return new Outcome.Emitted(position, woken);
  }

  // ---- the rest ----

  private Outcome extend(Command.Extend command) throws SQLException {
    Set<RunId> lost = new HashSet<>();
    Set<RunId> cancelled = new HashSet<>();
    for (Command.Held held : command.held()) {
      @Nullable Known known = runs.find(held.run());
      if (known == null
          || known.epoch != held.epoch()
          || runs.row(known).status() != Status.RUNNING) {
        lost.add(held.run());
        continue;
      }
      Run run = runs.row(known);
      Optional<Instant> until = Optional.of(now.plus(command.lease()));
      Optional<Run.Lease> lease = until.map(end -> new Run.Lease(command.worker(), end));
      runs.save(known, run.change().due(until).lease(lease).run());
      if (hasCancel(known, run)) {
        cancelled.add(known.id);
      }
    }
    return new Outcome.Extended(lost, cancelled);
  }

  private Outcome cancel(Command.Cancel command) throws SQLException {
    @Nullable Known known = runs.find(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    if (runs.row(known).status().isTerminal()) {
      return ended(runs.row(known));
    }
    cancelTree(known.id, command.reason(), command.force());
    return new Outcome.CancelTaken(runs.row(known));
  }

  /**
   * Cancels a run, then the children it awaits, each with its own before the next. A tree may be
   * deeper than the stack.
   */
  private void cancelTree(RunId top, String reason, boolean force) throws SQLException {
    Deque<RunId> todo = new ArrayDeque<>();
    todo.push(top);
    while (!todo.isEmpty()) {
      Known known = runs.get(todo.pop());
      Run run = runs.row(known);
      switch (Decide.cancel(run, force)) {
        case END -> transition(known, run.epoch(), List.of(new Event.Cancelled(reason)));
        case ASK -> ask(known, reason);
        case REFUSE -> {
          continue;
        }
      }
      List<RunId> children = runs.awaitedChildren(known.id);
      children.reversed().forEach(todo::push);
    }
  }

  private void ask(Known known, String reason) throws SQLException {
    Run run = runs.row(known);
    if (!hasCancel(known, run) && run.cancelling().isEmpty()) {
      deliver(known, new Mail.Cancel(messages.nextMailId(), now, reason), true);
    }
  }

  private Outcome rewind(Command.Rewind command) throws SQLException {
    @Nullable Known known = runs.find(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    Run run = runs.row(known);
    Optional<String> refusal = Decide.whyNotRewind(run, command.how());
    if (refusal.isPresent()) {
      return new Outcome.Refused(run, refusal.get());
    }
    Event event = new Event.Rewound(command.how(), command.keep(), now, command.reason());
    return new Outcome.Reopened(transition(known, run.epoch(), List.of(event)));
  }

  private Outcome configure(Command.Configure command) throws SQLException {
    var type = command.type();
    session
        .sql("put-type")
        .with(type.type())
        .with(type.enabled())
        .with(type.runtime())
        .with(Json.string(type.description()).text())
        .write();
    cache.setDisabled(type.type(), !type.enabled());
    hints.add(new Hint.Claimable(type.type()));
    return new Outcome.Done();
  }

  private Outcome delete(Command.Delete command) throws SQLException {
    @Nullable Known known = runs.find(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    Run run = runs.row(known);
    if (!run.status().isTerminal()) {
      return new Outcome.Refused(run, "it is " + run.status().word() + "; cancel it first");
    }
    if (run.deletedAt().isEmpty()) {
      runs.hide(known, run.change().deletedAt(Optional.of(now)).run());
    }
    return new Outcome.Done();
  }

  private Outcome purge(Command.Purge command) throws SQLException {
    Instant deletedBefore = before(command.deletedFor());
    Instant emittedBefore = before(command.emittedFor());
    List<Known> gone = runs.purgeable(deletedBefore, command.max());
    for (Known known : gone) {
      messages.empty(known);
      messages.clearWaits(known);
      runs.purge(known);
    }
    return new Outcome.Purged(gone.size(), messages.purgeTopics(emittedBefore));
  }

  /** A moment so long ago, or the earliest that can be stored. */
  private Instant before(Duration ago) {
    Duration longest = Duration.between(Instant.EPOCH, now);
    return now.minus(ago.compareTo(longest) > 0 ? longest : ago);
  }

  // ---- what they share ----

  /** Appends events and writes the row they leave, with all that follows from a run's end. */
  private Run transition(Known known, long epoch, List<? extends Event> events)
      throws SQLException {
    List<Runs.Line> lines = Runs.lines(known.lastSeq, now, epoch, events);
    Run after = apply(runs.row(known), lines);
    move(known, after, lines);
    return after;
  }

  private void move(Known known, Run after, List<Runs.Line> lines) throws SQLException {
    boolean waited = runs.row(known).status() == Status.SUSPENDED;
    runs.append(known, lines);
    runs.save(known, after);
    if (waited && after.status() != Status.SUSPENDED) {
      messages.clearWaits(known);
    }
    Entry last = lines.get(lines.size() - 1).entry();
    if (last.event() instanceof Event.Terminal end) {
      if (after.wakes() > 0) {
        messages.empty(known);
      }
      tellParent(after, end);
      hints.add(new Hint.Finished(known.id));
    } else {
      hint(after);
    }
  }

  private void tellParent(Run child, Event.Terminal end) throws SQLException {
    if (child.parent().isEmpty() || child.bond() == Bond.DETACHED) {
      return;
    }
    @Nullable Known parent = runs.find(child.parent().get());
    if (parent == null || runs.row(parent).status().isTerminal()) {
      return;
    }
    Event.ChildResult result = Event.ChildResult.of(end);
    Mail mail = new Mail.ChildOutcome(messages.nextMailId(), now, child.id(), result);
    deliver(parent, mail, Decide.isUrgent(result));
  }

  private boolean hasCancel(Known known, Run run) throws SQLException {
    return run.wakes() > 0 && messages.hasCancel(known);
  }

  /** Writes a row that a message has changed. */
  private void save(Known known, Run after) throws SQLException {
    runs.save(known, after);
    hint(after);
  }

  private boolean isDue(Run run) {
    return run.due().filter(due -> !due.isAfter(now)).isPresent();
  }

  private void hint(Run run) {
    if (run.status() != Status.RUNNING && run.due().isPresent()) {
      hints.add(
          isDue(run)
              ? new Hint.Claimable(run.type())
              : new Hint.Scheduled(run.type(), run.due().get()));
    }
  }
}
