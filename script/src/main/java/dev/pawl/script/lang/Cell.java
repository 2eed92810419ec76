package dev.pawl.script.lang;

/** A variable that closures share. */
final class Cell {
  Object value;

  Cell(Object value) {
    this.value = value;
  }
}
