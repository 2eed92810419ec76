package dev.pawl.cli;

/** Where the {@code pawl} command starts. */
public final class Main {
  private Main() {}

  /** Runs one command and exits. */
  public static void main(String[] args) {
    System.out.println("pawl 0.1.0");
  }
}
