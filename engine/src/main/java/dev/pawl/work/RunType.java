package dev.pawl.work;

import dev.pawl.json.JsonType;

/** A type of run as a producer sees it: its versioned name, what goes in and what comes out. */
public interface RunType<I, O> {
  /** The versioned name, such as {@code shop.checkout.v1}. */
  String type();

  JsonType<I> input();

  JsonType<O> output();

  /** How failures of runs of this type are retried, unless a start says otherwise. */
  Retry retry();

  /** What carries out the runs of this type. */
  Program program();
}
