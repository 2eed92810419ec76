package dev.pawl.script.lang;

import java.util.Arrays;

/** One function of a script in the form that is run. Immutable but for its hints. */
final class FunctionCode {
  final int index;
  final String name;
  final boolean isAsync;
  final int parameters;
  final boolean hasRest;

  /** Which parameters have a default: what is missing there is filled in by the function. */
  final boolean[] defaulted;

  /** Slots for variables; the operand stack begins behind them. */
  final int locals;

  final int frameSize;
  final int[] code;
  final Object[] constants;

  /** For each instruction's address the offset in the source that its errors are reported at. */
  final int[] places;

  /**
   * The addresses at which the function can stand while something else runs or nothing does: behind
   * every call and await, and at the beginning of every statement. A snapshot holds the index in
   * here, so that other instructions for the same script still find the place.
   */
  final int[] sites;

  final boolean[] statementStarts;
  final Handler[] handlers;
  final Capture[] captures;
  final LocalRange[] ranges;

  /** Where to go on after an error between two addresses, innermost first. */
  record Handler(int start, int end, int target) {}

  /** Where a closure takes a variable from: its maker's slot, or what its maker captured. */
  record Capture(boolean local, int index, String name) {}

  /** Between these addresses the slot holds this variable; hidden ones have no name. */
  record LocalRange(String name, int slot, int start, int end) {
    boolean contains(int address) {
      return start <= address && address < end;
    }
  }

  FunctionCode(int index, Emitter emitter, Header header) {
    this.index = index;
    this.name = header.name();
    this.isAsync = header.isAsync();
    this.parameters = header.parameters();
    this.hasRest = header.hasRest();
    this.defaulted = header.defaulted();
    this.locals = emitter.slotsUsed();
    this.frameSize = emitter.slotsUsed() + emitter.deepest() + 2;
    this.code = emitter.code();
    this.constants = emitter.constants();
    this.places = emitter.places();
    this.sites = emitter.sites();
    this.statementStarts = emitter.statementStarts();
    this.handlers = emitter.handlers();
    this.captures = header.captures();
    this.ranges = emitter.ranges();
  }

  /** What is known of a function before its code. */
  @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
  record Header(
      String name,
      boolean isAsync,
      int parameters,
      boolean hasRest,
      boolean[] defaulted,
      Capture[] captures) {}

  /** The number of the site at an address. */
  int siteAt(int address) {
    int site = Arrays.binarySearch(sites, address);
    if (site < 0) {
      throw new IllegalStateException("no function can stand at " + name + ":" + address);
    }
    return site;
  }

  /** The source offset of the instruction that ends just before this address, or begins there. */
  int placeBefore(int address) {
    int at = Math.min(address, places.length) - 1;
    while (at > 0 && places[at] < 0) {
      at--;
    }
    return at < 0 ? 0 : Math.max(0, places[at]);
  }
}
