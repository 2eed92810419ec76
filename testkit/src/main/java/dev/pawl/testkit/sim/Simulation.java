package dev.pawl.testkit.sim;

/** Plays many seeds. */
public final class Simulation {
  private Simulation() {}

  public static void main(String[] args) {
    long base = args.length > 0 ? Long.parseLong(args[0]) : 1;
    int many = args.length > 1 ? Integer.parseInt(args[1]) : 100;
    long start = System.nanoTime();
    long commits = 0;
    long runs = 0;
    long moves = 0;
    int bad = 0;
    for (long seed = base; seed < base + many; seed++) {
      Episode.Result result = new Episode(seed, Sabotage.NONE).play();
      commits += result.commits();
      runs += result.runs();
      moves += result.moves();
      if (!result.violations().isEmpty() && bad++ < 10) {
        System.out.println(seed + ": " + result.violations().getFirst());
      }
      if (seed % 100 == 0 && new Episode(seed, Sabotage.NONE).play().trace() != result.trace()) {
        System.out.println(seed + " does not replay");
      }
      if (many == 1) {
        System.out.println(result);
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "%d seeds, %d bad, %.1f s, %.0f/s; %d runs %d commits %d moves%n",
        many, bad, seconds, many / seconds, runs, commits, moves);
  }
}
