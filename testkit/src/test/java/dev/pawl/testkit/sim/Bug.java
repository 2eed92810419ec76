package dev.pawl.testkit.sim;

import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Bugs that a store, or whoever writes one, could have. The simulation has to find each. */
enum Bug {
  NO_FENCE((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome advance(Command.Advance advance) {
          boolean stale = isRunning(advance.run()) && row(advance.run()).epoch() > advance.epoch();
          return right(
              stale
                  ? with(advance, row(advance.run()).epoch(), lastSeq(advance.run()) + 1)
                  : advance);
        }
      }),

  APPLICATION_CLOCK_FOR_LEASES((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome claim(Command.Claim claim) {
          Host host = clock.committing();
          clock.set(host == null ? 0 : host.skewMillis());
          try {
            return super.claim(claim);
          } finally {
            clock.set(0);
          }
        }
      }),

  CLAIM_OF_A_LIVE_LEASE((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome claim(Command.Claim claim) {
          tables.rows().stream()
              .filter(run -> run.status() == Status.RUNNING && run.epoch() % 7 == 3)
              .forEach(run -> tables.write(run.change().due(Optional.of(clock.truth())).run()));
          return super.claim(claim);
        }
      }),

  WAKE_LOST_BETWEEN_CHECK_AND_SUSPEND((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome advance(Command.Advance advance) {
          Run row = row(advance.run());
          return right(row == null ? advance : with(advance, row.wakes(), advance.events()));
        }
      }),

  ATTEMPT_NOT_COUNTED((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Activation claimed(Activation activation) {
          return activation.run().resumed()
              ? activation
              : withAttempt(activation, activation.run().attempt() - 1);
        }
      }),

  RESUME_COUNTED_AS_ATTEMPT((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Activation claimed(Activation activation) {
          return activation.run().resumed()
              ? withAttempt(activation, activation.run().attempt() + 1)
              : activation;
        }
      }),

  EPOCH_NOT_RAISED((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Activation claimed(Activation activation) {
          if (activation.run().epoch() < 2
              || !(tables.log(activation.run().id()).getLast().event() instanceof Event.Leased e)) {
            return activation;
          }
          long epoch = e.epoch() - 1;
          return rewrite(
              activation,
              new Event.Leased(
                  e.worker(), epoch, e.until(), e.attempt(), e.resumed(), e.crashes(), e.ticket()),
              epoch);
        }
      }),

  DOUBLE_FAN_IN((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected void advanced(Command.Advance advance) {
          Run child = row(advance.run());
          if (child.status().isTerminal()) {
            child.parent().ifPresent(parent -> again(parent, child.id()));
          }
        }

        private void again(RunId parent, RunId child) {
          for (Mail mail : List.copyOf(tables.mail(parent))) {
            if (mail instanceof Mail.ChildOutcome out && out.child().equals(child)) {
              tables.post(
                  parent, new Mail.ChildOutcome(tables.nextMail(), out.at(), child, out.result()));
              Run row = row(parent);
              tables.write(row.change().wakes(row.wakes() + 1).run());
            }
          }
        }
      }),

  CURSOR_GOES_BACK((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome advance(Command.Advance advance) {
          List<Event> events = new ArrayList<>();
          for (Event event : advance.events()) {
            events.add(
                event instanceof Event.EventReceived e
                    ? new Event.EventReceived(e.op(), e.topic(), e.position() - 1, e.value())
                    : event);
          }
          return right(with(advance, advance.wakes(), events));
        }
      }),

  TOPIC_EVENT_SKIPPED((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Activation claimed(Activation activation) {
          List<Mail> mail = new ArrayList<>(activation.mail());
          long topics = mail.stream().filter(Mail.Topic.class::isInstance).count();
          if (topics < 2) {
            return activation;
          }
          mail.remove(mail.stream().filter(Mail.Topic.class::isInstance).findFirst().orElseThrow());
          return new Activation(activation.run(), activation.seq(), mail, activation.now());
        }
      }),

  SEQ_GAP((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected void advanced(Command.Advance advance) {
          Entry last = tables.log(advance.run()).getLast();
          if (last.seq() % 5 == 0) {
            tables.replaceLast(
                advance.run(), new Entry(last.seq() + 1, last.at(), last.epoch(), last.event()));
          }
        }
      }),

  CANCEL_OVERWRITTEN((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome advance(Command.Advance advance) {
          Run row = row(advance.run());
          if (row == null || row.status() != Status.CANCELLED) {
            return right(advance);
          }
          advance.events().forEach(event -> tables.append(advance.run(), event));
          return new Outcome.Advanced(clock.truth());
        }
      }),

  CANCEL_FORGOTTEN((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome carryOut(Command command) {
          return command instanceof Command.Cancel cancel && isRunning(cancel.run())
              ? new Outcome.CancelTaken(row(cancel.run()))
              : super.carryOut(command);
        }
      }),

  IDEMPOTENCY_RACE((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome carryOut(Command command) {
          if (command instanceof Command.Start start) {
            start.run().key().ifPresent(tables.keys()::remove);
          }
          return super.carryOut(command);
        }
      }),

  KEY_FORGOTTEN((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected void advanced(Command.Advance advance) {
          row(advance.run()).key().ifPresent(tables.keys()::remove);
        }
      }),

  ACKNOWLEDGED_AND_NOT_WRITTEN((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome advance(Command.Advance advance) {
          boolean dropped = advance.seq() % 11 == 7 && isRunning(advance.run());
          return dropped ? new Outcome.Advanced(clock.truth()) : right(advance);
        }
      }),

  WRITTEN_AND_FORGOTTEN((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected void advanced(Command.Advance advance) {
          if (row(advance.run()).status() == Status.SUCCEEDED && lastSeq(advance.run()) > 20) {
            tables.forget(advance.run());
          }
        }
      }),

  CHILDREN_NOT_STARTED(without("children")),

  SENDS_NOT_SENT(without("sends")),

  EMITS_NOT_EMITTED(without("emits")),

  CONSUMED_MAIL_STAYS(without("consumed")),

  MAIL_EATEN((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected void advanced(Command.Advance advance) {
          List<Mail> mail = tables.mail(advance.run());
          if (!mail.isEmpty() && advance.seq() % 3 == 0) {
            tables.removeMail(advance.run(), mail.getFirst());
          }
        }
      }),

  SIGNAL_DELIVERED_TWICE(postingAgain(true)),

  RECEIVED_SIGNAL_FORGOTTEN(postingAgain(false)),

  SIGNAL_LOST((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome carryOut(Command command) {
          return command instanceof Command.Send send
                  && row(send.run()) != null
                  && !row(send.run()).status().isTerminal()
              ? new Outcome.Sent()
              : super.carryOut(command);
        }
      }),

  CHILD_OUTCOME_LOST((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected void advanced(Command.Advance advance) {
          Run child = row(advance.run());
          if (child.status() == Status.SUCCEEDED) {
            child.parent().filter(parent -> row(parent) != null).ifPresent(this::lose);
          }
        }

        private void lose(RunId parent) {
          List.copyOf(tables.mail(parent)).stream()
              .filter(mail -> outcome(mail).isPresent())
              .forEach(mail -> {
                tables.removeMail(parent, mail);
                Run row = row(parent);
                tables.write(row.change().wakes(row.wakes() - 1).run());
              });
        }
      }),

  WAKES_AFTER_ONE_TOO_MANY(
      suspending(e ->
          new Event.Suspended(
              e.until(),
              e.waits(),
              e.wakeAfter() == 0 ? 0 : e.wakeAfter() + 1,
              e.cleanup(),
              e.snapshot()))),

  TIMER_FORGOTTEN(
      suspending(e ->
          new Event.Suspended(
              Optional.empty(), e.waits(), e.wakeAfter(), e.cleanup(), e.snapshot()))),

  WAITS_FORGOTTEN(
      suspending(e ->
          new Event.Suspended(e.until(), List.of(), e.wakeAfter(), e.cleanup(), e.snapshot()))),

  TIMER_FIRES_EARLY((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome advance(Command.Advance advance) {
          List<Event> events = new ArrayList<>(advance.events());
          if (events.getLast() instanceof Event.Suspended e) {
            Optional<Instant> early = e.until().map(until -> until.minusSeconds(1));
            events.set(
                events.size() - 1,
                new Event.Suspended(early, e.waits(), e.wakeAfter(), e.cleanup(), e.snapshot()));
          }
          return right(with(advance, advance.wakes(), events));
        }

        @Override
        protected Activation claimed(Activation activation) {
          Instant fast =
              activation.run().resumed() ? activation.now().plusSeconds(1) : activation.now();
          return new Activation(activation.run(), activation.seq(), activation.mail(), fast);
        }
      }),

  WOKEN_AND_NOT_DUE((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome carryOut(Command command) {
          Outcome outcome = super.carryOut(command);
          if (command instanceof Command.Send send && outcome instanceof Outcome.Sent) {
            Run row = row(send.run());
            if (row.status() == Status.SUSPENDED) {
              tables.write(row.change().due(Optional.empty()).run());
            }
          }
          return outcome;
        }
      }),

  STEP_RECORDED_TWICE((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected void advanced(Command.Advance advance) {
          Event last = advance.events().getLast();
          if (last instanceof Event.StepCompleted) {
            tables.append(advance.run(), last);
          }
        }
      }),

  RESULT_REWRITTEN((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome advance(Command.Advance advance) {
          List<Event> events = new ArrayList<>();
          for (Event event : advance.events()) {
            events.add(
                event instanceof Event.StepCompleted e && e.value().text().startsWith("\"s")
                    ? new Event.StepCompleted(
                        e.op(), e.name(), e.n(), e.attempt(), Json.parse("\"s\""), e.millis())
                    : event);
          }
          return right(with(advance, advance.wakes(), events));
        }
      }),

  LEASE_KEPT_AT_THE_END((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected void advanced(Command.Advance advance) {
          Run row = row(advance.run());
          if (row.status().isTerminal()) {
            tables.write(
                row.change().lease(Optional.of(new Run.Lease("gone", clock.truth()))).run());
          }
        }
      }),

  MAIL_SURVIVES_THE_END((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected void advanced(Command.Advance advance) {
          if (row(advance.run()).status().isTerminal()) {
            tables.post(
                advance.run(), new Mail.Cancel(tables.nextMail(), clock.truth(), "too late"));
          }
        }
      }),

  ENDED_TWICE((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected void advanced(Command.Advance advance) {
          if (advance.events().getLast() instanceof Event.Failed failed) {
            tables.append(advance.run(), failed);
          }
        }
      }),

  ROW_NOT_WRITTEN((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome advance(Command.Advance advance) {
          Run before = row(advance.run());
          Outcome outcome = right(advance);
          if (outcome instanceof Outcome.Advanced
              && advance.events().getLast() instanceof Event.Retried) {
            tables.write(before);
          }
          return outcome;
        }
      }),

  STALE_EXTEND_RENEWS((store, clock) ->
      new Planted(store, clock) {
        @Override
        protected Outcome carryOut(Command command) {
          if (!(command instanceof Command.Extend extend)) {
            return super.carryOut(command);
          }
          List<Command.Held> held =
              extend.held().stream()
                  .filter(lease -> row(lease.run()) != null)
                  .map(lease -> new Command.Held(lease.run(), row(lease.run()).epoch()))
                  .toList();
          return right(new Command.Extend(extend.worker(), held, extend.lease()));
        }
      }),

  A_READ_MISSES_AN_ENTRY((store, clock) ->
      new Planted(store, clock) {
        @Override
        public List<Entry> log(RunId id, long after, int limit) {
          List<Entry> log = new ArrayList<>(super.log(id, after, limit));
          boolean replay = limit == 1000;
          if (replay) {
            log.stream()
                .filter(entry -> entry.event() instanceof Event.StepCompleted)
                .reduce((earlier, later) -> later)
                .ifPresent(log::remove);
          }
          return log;
        }
      });

  private final Sabotage sabotage;

  Bug(Sabotage sabotage) {
    this.sabotage = sabotage;
  }

  Sabotage sabotage() {
    return sabotage;
  }

  private interface Change {
    Event.Suspended of(Event.Suspended suspended);
  }

  private static Sabotage suspending(Change change) {
    return (store, clock) ->
        new Planted(store, clock) {
          @Override
          protected Outcome advance(Command.Advance advance) {
            List<Event> events = new ArrayList<>(advance.events());
            if (events.getLast() instanceof Event.Suspended suspended) {
              events.set(events.size() - 1, change.of(suspended));
            }
            return right(with(advance, advance.wakes(), events));
          }
        };
  }

  /** Delivers signals again: those that lie in the mailbox already, or those that do not. */
  private static Sabotage postingAgain(boolean there) {
    return (store, clock) ->
        new Planted(store, clock) {
          @Override
          protected Outcome carryOut(Command command) {
            Outcome outcome = super.carryOut(command);
            if (command instanceof Command.Send send
                && outcome instanceof Outcome.Sent
                && there == lies(send)) {
              postAgain(send);
            }
            return outcome;
          }
        };
  }

  private static Sabotage without(String what) {
    return (store, clock) ->
        new Planted(store, clock) {
          @Override
          protected Outcome advance(Command.Advance advance) {
            return right(withoutEnclosures(advance, what));
          }
        };
  }
}
