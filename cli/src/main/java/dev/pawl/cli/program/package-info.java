/**
 * Kinds of programs that people write in files: how a file is read and checked, what carries it
 * out, how one sees where a run stands in it.
 *
 * <p>Reading order: {@link dev.pawl.cli.program.ProgramKind}, {@link
 * dev.pawl.cli.program.ProgramKinds}. A kind's classes are loaded when one of its files or runs is
 * met, not before.
 */
@NullMarked
package dev.pawl.cli.program;

import org.jspecify.annotations.NullMarked;
