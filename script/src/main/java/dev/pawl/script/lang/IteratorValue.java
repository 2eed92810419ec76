package dev.pawl.script.lang;

/** Where a loop over a list stands. Never a value of the script. */
final class IteratorValue {
  ListValue list;
  int next;

  IteratorValue(ListValue list, int next) {
    this.list = list;
    this.next = next;
  }
}
