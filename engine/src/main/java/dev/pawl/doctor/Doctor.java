package dev.pawl.doctor;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Mail;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Walks over the runs of a store and holds each to the invariants. Deleted runs are passed over.
 *
 * <p>Row, log and mailbox are read one after the other while others write. So whatever looks wrong
 * is read again, until row and log stand still from before the first of these reads to after the
 * last: only what is wrong then is reported. That is enough to make the three one picture, because
 * each message that arrives counts in the row, and each that is consumed leaves an entry in the
 * log. Runs are read in pages and so are logs, and of a log only what later checks need is kept.
 */
public final class Doctor {
  private static final int PAGE = 100;

  /**
   * How often a run that changes with every read is read. After that only its log is judged: what
   * is written there does not change.
   */
  private static final int MAX_READS = 100;

  private final Store store;
  private final Consumer<Violation> each;
  private final Families families;
  private long runs;
  private long events;
  private long violations;

  private Doctor(Store store, Consumer<Violation> each) {
    this.store = store;
    this.each = each;
    this.families = new Families(store);
  }

  /** Checks every run, and tells of each violation as it is found. */
  public static Report check(Store store, Consumer<Violation> each) {
    return check(store, each, runs -> {});
  }

  /** As {@link #check(Store, Consumer)}; tells now and then how many runs have been checked. */
  public static Report check(Store store, Consumer<Violation> each, LongConsumer progress) {
    Doctor doctor = new Doctor(store, each);
    doctor.walk(progress);
    return doctor.report();
  }

  /** Checks one run. One that is not there (any more) passes if it left no log and no mail. */
  public static Report check(Store store, RunId run, Consumer<Violation> each) {
    Doctor doctor = new Doctor(store, each);
    store.run(run).ifPresentOrElse(doctor::visit, () -> doctor.lookForRemains(run));
    return doctor.report();
  }

  private Report report() {
    return new Report(runs, events, violations);
  }

  private void walk(LongConsumer progress) {
    List<Run> page = store.list(Query.all().withLimit(PAGE));
    while (!page.isEmpty()) {
      page.forEach(this::visit);
      progress.accept(runs);
      page = store.list(Query.all().withLimit(PAGE).withAfter(page.getLast().id()));
    }
  }

  private void visit(Run run) {
    runs++;
    LogScan log = new LogScan(run.id());
    try {
      tell(examine(run, log));
    } catch (PawlException | IllegalArgumentException e) {
      if (!isAboutData(e)) {
        throw e;
      }
      Findings findings = new Findings(run.id());
      findings.addAll(log.findings());
      findings.add(
          "S6",
          "its log should be readable; behind seq "
              + log.lastSeq()
              + " it says: "
              + e.getMessage());
      tell(findings);
    }
    events += log.events();
  }

  /** What is wrong with the run while it stands still. */
  private Findings examine(Run listed, LogScan log) {
    Run row = listed;
    for (int reads = 0; reads < MAX_READS; reads++) {
      log.readOn(store);
      Findings found = judge(store, families, row, log);
      if (found.isEmpty()) {
        return found;
      }
      Optional<Run> again = store.run(row.id());
      if (again.isEmpty()) {
        return new Findings(row.id());
      }
      if (again.get().equals(row) && !log.readOn(store)) {
        return found;
      }
      row = again.get();
    }
    return log.findings();
  }

  /** Holds a row to its log, its mailbox and its relatives. */
  static Findings judge(Store store, Families families, Run row, LogScan log) {
    List<Mail> mail = store.mail(row.id());
    Findings findings = log.findings();
    RowCheck.check(row, log, mail, findings);
    row.key().ifPresent(key -> ownsItsKey(store, row, key, findings));
    families.checkChild(row, log, findings);
    if (log.hasChildren()) {
      families.checkParent(row, log, mail, findings);
    }
    return findings;
  }

  private static void ownsItsKey(Store store, Run row, String key, Findings findings) {
    Optional<RunId> owner = store.runByKey(key).map(Run::id);
    if (!owner.equals(Optional.of(row.id()))) {
      findings.add(
          "S7",
          "the idempotency key '"
              + Findings.show(key)
              + "' should find this run; it finds "
              + owner.map(RunId::toString).orElse("none"));
    }
  }

  private void lookForRemains(RunId run) {
    Findings findings = new Findings(run);
    int entries = store.log(run, 0, 1).size();
    int mail = store.mail(run).size();
    if (entries + mail > 0 && store.run(run).isEmpty()) {
      findings.add(
          "S6",
          "it has no row, so it should have neither log nor mail; it has "
              + (entries > 0 ? "a log" : "no log")
              + " and "
              + mail
              + " messages");
    }
    tell(findings);
  }

  private void tell(Findings findings) {
    violations += findings.violations().size();
    findings.violations().forEach(each);
  }

  /** Whether the trouble is with what is stored, and not with the store. */
  private static boolean isAboutData(RuntimeException e) {
    return !(e instanceof PawlException problem)
        || problem.code() == ErrorCode.INTERNAL
        || problem.code() == ErrorCode.BAD_JSON
        || problem.code() == ErrorCode.BAD_VALUE
        || problem.code() == ErrorCode.BAD_INPUT;
  }
}
