package dev.pawl.testkit.sim;

/**
 * What goes wrong in one episode, and how often: a random few of the kinds, each with a probability
 * per commit, read or hint.
 *
 * @param fail a commit fails, and nothing of it was written
 * @param lose a commit is lost, and nobody can tell
 * @param loseAnswer a commit is written, and its answer is lost
 * @param late a commit's answer is lost, and it is written only later
 * @param delay a commit takes longer than a lease
 * @param failRead a read fails
 * @param crash a worker dies before or after a commit
 * @param pause a worker stands still for longer than a lease
 * @param restart a worker is shut down in good order
 * @param skew a worker's clock on the wall is wrong, and jumps
 * @param loseHint a hint does not arrive
 * @param repeatHint a hint arrives twice
 */
public record Faults(
    double fail,
    double lose,
    double loseAnswer,
    double late,
    double delay,
    double failRead,
    double crash,
    double pause,
    double restart,
    double skew,
    double loseHint,
    double repeatHint) {

  /** Nothing goes wrong. */
  public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  private static final double HALF = 0.5;

  static Faults random(Dice dice) {
    return new Faults(
        some(dice, 0.1),
        some(dice, 0.1),
        some(dice, 0.15),
        some(dice, 0.1),
        some(dice, 0.03),
        some(dice, 0.05),
        some(dice, 0.05),
        some(dice, 0.02),
        some(dice, 0.01),
        some(dice, 1),
        some(dice, 1),
        some(dice, 1));
  }

  private static double some(Dice dice, double most) {
    boolean on = dice.hits(HALF);
    double often = dice.fraction() * most;
    return on ? often : 0;
  }
}
