package dev.pawl.testkit.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * What one run does, act by act. A plan belongs to one run; plans within it are those of its
 * children.
 *
 * @param id its number within the episode
 */
public record Plan(int id, List<Act> acts) {
  private static final int MAX_DEPTH = 3;

  /** How the children of a fan are awaited. */
  public enum Mode {
    ALL,
    ANY,
    RACE,
    SETTLED
  }

  public sealed interface Act {
    /** A step that fails some times before it succeeds. */
    record Step(int failures, int backoffMillis, int takesMillis) implements Act {}

    /** A step that never succeeds. */
    record Hopeless(boolean caught) implements Act {}

    /** A step whose first attempt takes longer than it may. */
    record Limited() implements Act {}

    /** A task, which fails some times before it succeeds. */
    record Job(int failures) implements Act {}

    /** Steps side by side. */
    record Parallel(int steps) implements Act {}

    /** One step for each of some items, at most so many at once. */
    record Items(int items, int parallel) implements Act {}

    record Sleep(int millis) implements Act {}

    record Call(Plan child, boolean caught) implements Act {}

    record Fan(List<Plan> children, Mode mode) implements Act {}

    record Spawn(Plan child) implements Act {}

    /** Starts a child, waits for a signal from it, and then for the child. */
    record Ask(Plan child) implements Act {}

    /** Sends the parent the signal that it asks for. */
    record Tell() implements Act {}

    record Signal() implements Act {}

    /** Waits for a signal for a time. */
    record SignalOr(int millis) implements Act {}

    /** Waits for a signal or a time, whichever is first, and then for the signal all the same. */
    record SignalRace(int millis) implements Act {}

    record Topic(int topic) implements Act {}

    record Emit(int topic) implements Act {}

    /** Asks for what is recorded: the time, a number, an id, a line in the log. */
    record Recorded() implements Act {}

    /** Registers a step that undoes something. */
    record Undo() implements Act {}

    /** Fails the first attempt at the whole run. */
    record Stumble() implements Act {}

    /** Fails the run. */
    record Fail() implements Act {}
  }

  /** Every plan in this one, itself first. */
  List<Plan> all() {
    List<Plan> all = new ArrayList<>();
    collect(all);
    return all;
  }

  private void collect(List<Plan> all) {
    all.add(this);
    children().forEach(child -> child.collect(all));
  }

  List<Plan> children() {
    List<Plan> children = new ArrayList<>();
    for (Act act : acts) {
      switch (act) {
        case Act.Call call -> children.add(call.child());
        case Act.Fan fan -> children.addAll(fan.children());
        case Act.Spawn spawn -> children.add(spawn.child());
        case Act.Ask ask -> children.add(ask.child());
        default -> {}
      }
    }
    return children;
  }

  /** Makes random plans. */
  static final class Maker {
    private final Dice dice;
    private int ids;

    Maker(Dice dice) {
      this.dice = dice;
    }

    Plan root() {
      return plan(1, false);
    }

    private Plan plan(int depth, boolean tells) {
      int id = ids++;
      List<Act> acts = new ArrayList<>();
      if (tells) {
        acts.add(new Act.Tell());
      }
      int many = dice.between(1, depth == 1 ? 6 : 3);
      for (int i = 0; i < many; i++) {
        acts.add(act(depth));
      }
      return new Plan(id, List.copyOf(acts));
    }

    private Act act(int depth) {
      return switch (dice.below(depth < MAX_DEPTH ? 29 : 21)) {
        case 0, 1, 2, 3 -> new Act.Step(0, 0, dice.between(0, 300));
        case 4 -> new Act.Step(dice.between(1, 2), dice.of(List.of(100, 3_000)), 10);
        case 5 -> new Act.Parallel(dice.between(2, 3));
        case 6 -> new Act.Items(3, dice.between(1, 2));
        case 7, 8 -> new Act.Sleep(dice.between(1, 4_000));
        case 9, 10 -> new Act.Signal();
        case 11 -> new Act.SignalOr(dice.between(1, 3_000));
        case 12 -> new Act.SignalRace(dice.between(1, 3_000));
        case 13 -> new Act.Topic(dice.below(2));
        case 14 -> new Act.Emit(dice.below(2));
        case 15 -> new Act.Recorded();
        case 16 -> new Act.Undo();
        case 17 -> rare();
        case 18 -> new Act.Limited();
        case 19, 20 -> new Act.Job(dice.below(3));
        case 21, 22, 23 -> new Act.Call(plan(depth + 1, false), dice.hits(0.5));
        case 24, 25, 26 -> fan(depth);
        case 27 -> new Act.Spawn(plan(depth + 1, false));
        default -> new Act.Ask(plan(depth + 1, true));
      };
    }

    private Act rare() {
      return switch (dice.below(4)) {
        case 0 -> new Act.Hopeless(true);
        case 1 -> new Act.Hopeless(false);
        case 2 -> new Act.Stumble();
        default -> new Act.Fail();
      };
    }

    private Act fan(int depth) {
      List<Plan> children = new ArrayList<>();
      int many = dice.between(2, 3);
      for (int i = 0; i < many; i++) {
        children.add(plan(depth + 1, false));
      }
      return new Act.Fan(List.copyOf(children), dice.of(List.of(Mode.values())));
    }
  }
}
