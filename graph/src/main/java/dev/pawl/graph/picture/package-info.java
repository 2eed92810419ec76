/**
 * Graphs drawn: {@link dev.pawl.graph.picture.Picture} is the door; {@code Columns} puts nodes into
 * an order, {@code Layout} gives everything its place, {@code Svg} and {@code Texts} write it down.
 * Pure. Sees {@code graph.definition} and {@code graph.fold}.
 */
@NullMarked
package dev.pawl.graph.picture;

import org.jspecify.annotations.NullMarked;
