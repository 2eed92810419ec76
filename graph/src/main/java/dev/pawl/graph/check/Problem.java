package dev.pawl.graph.check;

/**
 * Something that is wrong with a graph.
 *
 * @param place the node, the edge or the handle: {@code node 'resize'}
 * @param message what was found and what to do
 */
public record Problem(String place, String message) {
  @Override
  public String toString() {
    return place + ": " + message;
  }
}
