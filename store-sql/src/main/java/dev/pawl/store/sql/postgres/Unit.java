package dev.pawl.store.sql.postgres;

import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Definition;
import dev.pawl.store.Mail;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.FreeText;
import dev.pawl.store.sql.batch.Line;
import dev.pawl.store.sql.batch.Messages;
import dev.pawl.store.sql.batch.Queue;
import dev.pawl.store.sql.batch.Runs;
import dev.pawl.store.sql.batch.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The unit of work of one transaction: what the commands will need is locked and read in one go,
 * what they decide is gathered in memory, where the next command sees it, and in the end all of it
 * is written at once ({@code Flush}). Used by one thread.
 */
final class Unit implements Tables {
  static final long UNKNOWN = -1;

  final Session session;
  final Instant now;
  final Map<RunId, KnownRun> runs = new LinkedHashMap<>();
  final Set<RunId> absent = new HashSet<>();
  final Map<String, KnownRun> byKey = new HashMap<>();
  final Set<String> freeKeys = new HashSet<>();

  /** By type the runtime that may claim it, or none: then it is empty. */
  final Map<String, String> admitted = new HashMap<>();

  /** Signals that are known, by their ids in the mailbox or as {@link Wanted#RECEIVED}. */
  final Map<Wanted.Letter, Long> letters = new HashMap<>();

  final Set<Wanted.Letter> soughtLetters = new HashSet<>();
  final Map<UUID, Mail.Topic> emitted = new HashMap<>();
  final Set<UUID> notEmitted = new HashSet<>();
  final Map<WaitRow, List<Mail.Topic>> topicEvents = new HashMap<>();

  /** Waits that runs are about to begin, and whether there is already something for them. */
  final Map<WaitRow, Boolean> satisfied = new HashMap<>();

  /** What is to be appended to logs, and to the stream of topics, in order. */
  final List<Appended> appended = new ArrayList<>();

  final List<Mail.Topic> emitting = new ArrayList<>();

  /** Of the last topic event; {@link #UNKNOWN} until somebody asks. */
  long position;

  long writes;

  private final UnitRuns unitRuns = new UnitRuns(this);
  private final UnitMessages unitMessages = new UnitMessages(this);
  private final UnitQueue unitQueue;

  /** The time by the database; null if it was not asked. */
  private @Nullable Instant said;

  private @Nullable Beginning beginning;
  private Optional<Rows.Sql> condition = Optional.empty();

  /** The next round that writes. */
  private Session.Round first;

  /** An entry of a run's log to be written. */
  record Appended(KnownRun run, Line line, boolean probe) {}

  private Unit(Session session, Instant now, long position, Frontier frontier) {
    this.session = session;
    this.first = session.round();
    this.now = now;
    this.position = position;
    this.unitQueue = new UnitQueue(this, frontier);
  }

  /**
   * The numbers of the last changes that starts depend on: those of topics, and of the registry.
   *
   * @param server when the server that gave them out was started: another may give out the same
   */
  record Changes(long server, long topics, long registry) {}

  /**
   * What a transaction begins with: the time, the position of the last topic event, and who may
   * claim which types.
   *
   * @param changes the last that were made to the latter two
   * @param settled whether nobody was about to make another
   */
  record Beginning(
      Instant now, long position, Map<String, String> admitted, Changes changes, boolean settled) {
    private static Beginning read(Cells cells, Collection<String> types) throws SQLException {
      Instant now = cells.instant();
      long position = cells.number();
      Map<String, String> admitted = new HashMap<>();
      types.forEach(type -> admitted.put(type, TypeState.ANY));
      // Each text is of a runtime, a line break and a type.
      for (@Nullable Object text : cells.array()) {
        String[] parts = String.valueOf(text).split("\n", 2);
        admitted.put(parts[1], parts[0]);
      }
      Changes changes = new Changes(cells.number(), cells.number(), cells.number());
      return new Beginning(now, position, admitted, changes, cells.flag());
    }

    /** The same at another moment. */
    Beginning at(Instant moment) {
      return new Beginning(moment, position, admitted, changes, settled);
    }

    /** With what was known of other types, if that is still so. */
    Beginning with(Beginning earlier) {
      if (!changes.equals(earlier.changes)) {
        return this;
      }
      Map<String, String> all = new HashMap<>(earlier.admitted);
      all.putAll(admitted);
      return new Beginning(now, position, Map.copyOf(all), changes, settled);
    }

    /** Whether runs of these types can be started on it, if nothing has changed since. */
    boolean covers(Collection<String> types) {
      return types.isEmpty() || (settled && admitted.keySet().containsAll(types));
    }

    String admitted(String type) {
      return admitted.getOrDefault(type, TypeState.ANY);
    }
  }

  /**
   * Begins the transaction: locks and reads what the commands are known to need.
   *
   * @param clock the time, if it is not the database's
   * @param told what a claim looks for, if it is not whatever is due
   */
  static Unit begin(
      Session session,
      Wanted wanted,
      Optional<Instant> clock,
      boolean pooled,
      Frontier frontier,
      Set<RunId> told)
      throws SQLException {
    Session.Round round = session.round().begin();
    if (pooled) {
      round.query("plan-by-index", none -> {}, cells -> 0);
    }
    if (wanted.emits()) {
      round.query("lock-topics", none -> {}, cells -> 0);
    } else if (!wanted.topicWaits.isEmpty()) {
      round.query("share-topics", none -> {}, cells -> 0);
    }
    Found found = new Found();
    Optional<ClaimAhead> ahead =
        wanted
            .onlyClaim
            .filter(claim -> frontier.find(claim).isEmpty())
            .map(claim ->
                told.isEmpty()
                    ? ClaimAhead.add(round, claim, clock)
                    : ClaimAhead.add(round, claim, clock, told));
    List<Beginning> beginnings = new ArrayList<>();
    if (ahead.isEmpty()) {
      round.query(
          "beginning",
          to -> to.texts(wanted.types),
          cells -> beginnings.add(Beginning.read(cells, wanted.types)));
    }
    found.add(round, wanted);
    round.run();
    Optional<Beginning> beginning = beginnings.stream().findFirst();
    Instant said = ahead.map(ClaimAhead::now).orElseGet(() -> beginning.orElseThrow().now());
    long position = beginning.map(Beginning::position).orElse(UNKNOWN);
    Unit unit = new Unit(session, clock.orElse(said), position, frontier);
    unit.said = said;
    unit.beginning = beginning.orElse(null);
    unit.unitQueue.begin(ahead);
    unit.take(wanted, found);
    beginning.ifPresent(one -> unit.admit(wanted.types, one));
    return unit;
  }

  /**
   * Begins without asking: what commands need that are all known here is presumed, and the
   * statements that write are the first of the transaction, and the last. They fail if something
   * was presumed wrongly.
   *
   * @param presumed what a transaction would begin with, as far as is known here
   */
  static Unit presume(Session session, Wanted wanted, Beginning presumed, boolean pooled) {
    Unit unit = new Unit(session, presumed.now(), presumed.position(), new Frontier());
    unit.take(wanted, new Found());
    unit.admit(wanted.types, presumed);
    session.blind(true);
    if (pooled) {
      unit.first.query("plan-by-index", none -> {}, cells -> 0);
    }
    if (!wanted.types.isEmpty()) {
      Changes last = presumed.changes();
      unit.condition =
          Optional.of(
              new Rows.Sql(
                  Session.STATEMENTS.text("as-presumed"),
                  to -> to.number(last.server()).number(last.topics()).number(last.registry())));
    }
    return unit;
  }

  /** Whether everything there is was presumed: so it asks nothing, and writes in one round. */
  boolean isPresumed() {
    return said == null;
  }

  /** On what condition runs may be inserted, if nobody else has looked. */
  Optional<Rows.Sql> condition() {
    return condition;
  }

  private void admit(Collection<String> types, Beginning beginning) {
    types.forEach(type -> admitted.put(type, beginning.admitted(type)));
  }

  /** The round that writes. */
  Session.Round toWrite() {
    Session.Round round = first;
    first = session.round();
    return round;
  }

  /** The time by the database, if it was asked. */
  Optional<Instant> said() {
    return Optional.ofNullable(said);
  }

  /** What the database said of its state in this transaction, if it was asked. */
  Optional<Beginning> beginning() {
    return Optional.ofNullable(beginning);
  }

  private void take(Wanted wanted, Found found) {
    runs.putAll(wanted.remembered);
    found.runs.forEach(run -> runs.put(run.id, run));
    wanted.toRead().stream().filter(id -> !runs.containsKey(id)).forEach(absent::add);
    for (KnownRun holder : found.keyHolders) {
      KnownRun known = runs.computeIfAbsent(holder.id, id -> holder);
      holder.current().key().ifPresent(key -> byKey.put(key, known));
    }
    wanted.keys.stream().filter(key -> !byKey.containsKey(key)).forEach(freeKeys::add);
    found.giveWaits(runs);
    letters.putAll(found.letters);
    soughtLetters.addAll(wanted.letters);
    found.emitted.forEach(event -> emitted.put(event.message(), event));
    wanted.emitted.stream().filter(id -> !emitted.containsKey(id)).forEach(notEmitted::add);
    wanted.topicWaits.forEach(wait -> satisfied.put(wait, found.topicEvents.containsKey(wait)));
  }

  /** Locks and reads runs that were not foreseen. */
  void load(Collection<RunId> ids) throws SQLException {
    Wanted more = new Wanted(List.of(), new HeldRuns(), 0, true);
    for (RunId id : ids) {
      @Nullable KnownRun known = runs.get(id);
      if (!absent.contains(id) && (known == null || known.run == null)) {
        more.locked.add(id);
      }
    }
    if (more.locked.isEmpty()) {
      return;
    }
    Found found = new Found();
    Session.Round round = session.round();
    found.add(round, more);
    round.run();
    for (KnownRun run : found.runs) {
      @Nullable KnownRun presumed = runs.get(run.id);
      runs.put(run.id, presumed == null ? run : confirmed(presumed, run));
    }
    found.giveWaits(runs);
    more.locked.stream().filter(id -> !runs.containsKey(id)).forEach(absent::add);
  }

  /**
   * What a writer said of a run, and what the row says, as one.
   *
   * @throws SQLException if the run was taken to be new
   */
  static KnownRun confirmed(KnownRun presumed, KnownRun read) throws SQLException {
    if (presumed.isNew()) {
      throw Diagnosis.presumedWrongly("run " + presumed.id + " is there already");
    }
    presumed.run = read.run;
    presumed.stored = read.stored;
    presumed.version = read.version;
    presumed.cancelId = read.cancelId;
    presumed.lastWord = presumed.lastWord == null ? read.lastWord : presumed.lastWord;
    presumed.waits = read.waits;
    return presumed;
  }

  @Override
  public Runs runs() {
    return unitRuns;
  }

  @Override
  public Messages messages() {
    return unitMessages;
  }

  UnitRuns unitRuns() {
    return unitRuns;
  }

  UnitMessages unitMessages() {
    return unitMessages;
  }

  @Override
  public Queue queue() {
    return unitQueue;
  }

  @Override
  public void put(TypeState type) throws SQLException {
    writes++;
    String description = Registry.storable(type.description());
    @Nullable String exact = Registry.exact(type.description());
    session.write(
        "put-type",
        to ->
            to.text(type.type())
                .flag(type.enabled())
                .text(type.runtime())
                .text(description)
                .text(exact));
    admitted.put(type.type(), type.enabled() ? type.runtime() : "");
  }

  @Override
  public boolean deploy(Definition definition) throws SQLException {
    writes++;
    session.first("lock-definitions", none -> {}, cells -> 0);
    boolean fresh =
        session.write(
                "insert-definition",
                to ->
                    to.text(definition.hash())
                        .text(definition.type())
                        .text(definition.kind())
                        .text(FreeText.quote(definition.source()))
                        .moment(now))
            > 0;
    session.write("deploy-definition", to -> to.text(definition.hash()));
    return fresh;
  }

  @Override
  public long writes() {
    return writes;
  }

  @Override
  public Connection connection() {
    return session.connection();
  }

  @Override
  public void savepoint() throws SQLException {
    session
        .round()
        .write("savepoint", none -> {}, rows -> {})
        .query("plan-freely", none -> {}, cells -> 0)
        .run();
  }

  @Override
  public void release() throws SQLException {
    session
        .round()
        .write("constraints-now", none -> {}, rows -> {})
        .query("plan-by-index", none -> {}, cells -> 0)
        .write("release", none -> {}, rows -> {})
        .run();
  }

  @Override
  public void undo() throws SQLException {
    session
        .round()
        .write("undo", none -> {}, rows -> {})
        .write("release", none -> {}, rows -> {})
        .query("plan-by-index", none -> {}, cells -> 0)
        .run();
  }

  /** A command that appends says so; its entries are written with all others. */
  void append(KnownRun run, List<Line> lines) {
    for (Line line : lines) {
      appended.add(new Appended(run, line, run.presumed && !run.probed));
      run.probed = true;
    }
    take(run, lines);
  }

  /** ... or with the run's row, which is to be written as well; false if they cannot be. */
  boolean keep(KnownRun run, List<Line> lines) {
    Optional<String> page = run.page == null ? Kept.page(lines) : Optional.empty();
    if (page.isEmpty()) {
      return false;
    }
    run.page = page.get();
    take(run, lines);
    return true;
  }

  private void take(KnownRun run, List<Line> lines) {
    for (Line line : lines) {
      run.lastSeq = line.entry().seq();
      if (line.entry().epoch() > 0 && line.entry().event() instanceof Event.SignalReceived got) {
        letters.put(new Wanted.Letter(run.id, got.message()), Wanted.RECEIVED);
      }
      if (!line.kind().equals("heartbeat")) {
        run.lastWord = line.kind();
      }
    }
    writes++;
  }

  Run row(KnownRun known) throws SQLException {
    if (known.run == null) {
      load(List.of(known.id));
      if (known.run == null) {
        throw PawlException.internal("run " + known.id + " has no row");
      }
    }
    return known.run;
  }
}
