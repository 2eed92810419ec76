/**
 * What every command has: the streams, the options that stand before or behind any of them, and the
 * store they name.
 *
 * <p>Reading order: {@link dev.pawl.cli.session.Session}, {@link dev.pawl.cli.session.RunAddress}.
 */
@NullMarked
package dev.pawl.cli.session;

import org.jspecify.annotations.NullMarked;
