package dev.pawl.graph.picture;

import java.util.ArrayList;
import java.util.List;

/** A place in a column of the picture: a node, or where an edge passes by. */
final class Spot {
  private static final double PASS_HEIGHT = 10;

  final String node;
  final int column;
  final double width;
  final double height;
  final List<Spot> before = new ArrayList<>();
  final List<Spot> after = new ArrayList<>();
  double y;

  private Spot(String node, int column, double width, double height) {
    this.node = node;
    this.column = column;
    this.width = width;
    this.height = height;
  }

  static Spot node(String node, int column, double width, double height) {
    return new Spot(node, column, width, height);
  }

  static Spot pass(int column) {
    return new Spot("", column, 0, PASS_HEIGHT);
  }

  boolean isNode() {
    return !node.isEmpty();
  }

  double middle() {
    return y + height / 2;
  }

  /** How much room there is to be between this and the spot below it. */
  double gap(Spot below) {
    if (isNode() && below.isNode()) {
      return 26;
    }
    return isNode() || below.isNode() ? 16 : 4;
  }
}
