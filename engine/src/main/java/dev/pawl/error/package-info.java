/**
 * The one exception root and the stable codes of everything that can go wrong.
 *
 * <p>Reading order: {@link dev.pawl.error.ErrorCode}, {@link dev.pawl.error.PawlException}. A leaf:
 * it sees nothing else of Pawl.
 */
@NullMarked
package dev.pawl.error;

import org.jspecify.annotations.NullMarked;
