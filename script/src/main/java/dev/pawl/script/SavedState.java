package dev.pawl.script;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.script.lang.Host;
import dev.pawl.script.lang.Limits;
import dev.pawl.script.lang.Machine;
import dev.pawl.script.lang.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A script's state as it rides on its suspension: the machine's snapshot, and the ledger. What the
 * waits of the suspension say already is not said again. The names of the members are in every
 * store's data for ever.
 */
final class SavedState {
  private static final String MACHINE = "machine";
  private static final String CHILDREN = "children";
  private static final String TIMES = "times";
  private static final String WATCHED = "watched";
  private static final String CURSORS = "cursors";
  private static final String DEADLINE_PASSED = "deadlinePassed";

  private final byte[] snapshot;
  private final Ledger ledger;

  private SavedState(byte[] snapshot, Ledger ledger) {
    this.snapshot = snapshot;
    this.ledger = ledger;
  }

  Ledger ledger() {
    return ledger;
  }

  /**
   * The machine in this state.
   *
   * @throws dev.pawl.script.lang.SnapshotException if it cannot be restored
   */
  Machine machine(Script script, Host host, Limits limits) {
    return Machine.restore(script, snapshot, host, limits);
  }

  // ---- writing ----

  static Json write(byte[] snapshot, Ledger ledger, List<Wait> waits) {
    Set<Long> told = new HashSet<>();
    Set<Long> timed = new HashSet<>();
    for (Wait wait : waits) {
      if (wait instanceof Wait.Child) {
        told.add((long) wait.op());
      } else if (wait instanceof Wait.Timer) {
        timed.add((long) wait.op());
      }
    }
    StringBuilder out = new StringBuilder(snapshot.length * 4 / 3 + 64);
    out.append("{\"").append(MACHINE).append("\":\"");
    out.append(Base64.getEncoder().encodeToString(snapshot)).append('"');
    Members children = new Members(out, CHILDREN);
    ledger
        .children()
        .forEach((op, run) -> {
          if (!told.contains(op)) {
            children.name(op.toString()).append('"').append(run).append('"');
          }
        });
    children.end();
    Members times = new Members(out, TIMES);
    ledger
        .times()
        .forEach((op, at) -> {
          if (!timed.contains(op)) {
            times.name(op.toString()).append(at.toEpochMilli());
          }
        });
    times.end();
    Members watched = new Members(out, WATCHED);
    ledger
        .watched()
        .forEach((op, run) -> {
          StringBuilder value = watched.name(op.toString()).append("[\"").append(run.run());
          value.append("\",").append(run.next().toEpochMilli());
          value.append(',').append(run.pause().toMillis()).append(']');
        });
    watched.end();
    Members cursors = new Members(out, CURSORS);
    ledger.cursors().forEach((topic, position) -> cursors.name(topic).append(position));
    cursors.end();
    if (ledger.isDeadlinePassed()) {
      out.append(",\"").append(DEADLINE_PASSED).append("\":true");
    }
    return Json.written(out.append('}').toString());
  }

  /** An object that is left out if it has no members. */
  private static final class Members {
    private final StringBuilder out;
    private final String name;
    private boolean any;

    Members(StringBuilder out, String name) {
      this.out = out;
      this.name = name;
    }

    StringBuilder name(String member) {
      out.append(any ? "," : ",\"" + name + "\":{");
      any = true;
      Json.quote(member, out);
      return out.append(':');
    }

    void end() {
      out.append(any ? "}" : "");
    }
  }

  // ---- reading ----

  /** What rides on a suspension; empty if that is not one of a script. */
  static Optional<SavedState> read(Event.Suspended suspended) {
    Ledger ledger = new Ledger();
    byte[] snapshot = new byte[0];
    try (JsonParser in = suspended.snapshot().reader()) {
      if (in.currentToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (in.nextToken() == JsonToken.PROPERTY_NAME) {
        String member = in.currentName();
        in.nextToken();
        switch (member) {
          case MACHINE -> snapshot = Base64.getDecoder().decode(in.getString());
          case CHILDREN ->
              eachMember(in, op -> ledger.child(number(op), RunId.parse(in.getString())));
          case TIMES -> eachMember(in, op -> ledger.time(number(op), moment(in)));
          case WATCHED -> eachMember(in, op -> ledger.watch(number(op), watched(in)));
          case CURSORS -> eachMember(in, topic -> ledger.advance(topic, in.getLongValue()));
          case DEADLINE_PASSED -> ledger.passDeadline();
          default -> in.skipChildren();
        }
      }
    }
    suspended.waits().forEach(wait -> remember(wait, ledger));
    return Optional.of(new SavedState(snapshot, ledger));
  }

  private interface Member {
    void read(String name);
  }

  private static void eachMember(JsonParser in, Member member) {
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = in.currentName();
      in.nextToken();
      member.read(name);
    }
  }

  private static long number(String text) {
    return Long.parseLong(text);
  }

  private static Instant moment(JsonParser in) {
    return Instant.ofEpochMilli(in.getLongValue());
  }

  private static Ledger.Watched watched(JsonParser in) {
    in.nextToken();
    RunId run = RunId.parse(in.getString());
    in.nextToken();
    Instant next = moment(in);
    in.nextToken();
    Duration pause = Duration.ofMillis(in.getLongValue());
    in.nextToken();
    return new Ledger.Watched(run, next, pause);
  }

  private static void remember(Wait wait, Ledger ledger) {
    switch (wait) {
      case Wait.Child child -> ledger.child(child.op(), child.child());
      case Wait.Timer timer -> {
        if (ledger.watched(timer.op()).isEmpty()) {
          ledger.time(timer.op(), timer.at());
        }
      }
      case Wait.Signal signal -> {}
      case Wait.Topic topic -> {}
      case Wait.Operator operator -> {}
    }
  }
}
