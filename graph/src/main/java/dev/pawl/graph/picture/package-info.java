/**
 * Graphs drawn: {@link dev.pawl.graph.picture.Picture} is the door; {@code Layout} puts nodes into
 * layers, {@code Svg}, {@code Mermaid} and {@code Dot} write them down. Pure. Sees {@code
 * graph.definition} and {@code graph.fold}.
 */
@NullMarked
package dev.pawl.graph.picture;

import org.jspecify.annotations.NullMarked;
