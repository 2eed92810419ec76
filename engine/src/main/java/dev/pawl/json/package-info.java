/**
 * Values as they are stored: JSON text without class names.
 *
 * <p>Reading order: {@link dev.pawl.json.Json} (a valid text), {@link dev.pawl.json.JsonCodec} (to
 * and from a user's types). Sees nothing of Pawl but its exceptions.
 */
@NullMarked
package dev.pawl.json;

import org.jspecify.annotations.NullMarked;
