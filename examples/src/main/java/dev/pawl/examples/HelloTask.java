package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.work.Task;

/** The smallest program there is: a task, a worker, a run, its result. */
public final class HelloTask {
  record Person(String name) {}

  static final Task<Person, String> HELLO =
      Task.of("hello.greet.v1", Person.class, String.class, p -> "Hello, " + p.name() + "!");

  private HelloTask() {}

  public static void main(String[] args) {
    String store = args.length > 0 ? args[0] : "sqlite:hello.db";
    try (Pawl pawl = Pawl.open(store)) {
      pawl.register(HELLO).work();
      System.out.println(pawl.start(HELLO, new Person("Ada")).result());
    }
  }
}
