/**
 * What programs read: runs, events and counts as JSON objects with stable names and ISO-8601
 * moments.
 *
 * <p>Reading order: {@link dev.pawl.cli.json.JsonLine}, {@link dev.pawl.cli.json.RunJson}, {@link
 * dev.pawl.cli.json.EventJson}.
 */
@NullMarked
package dev.pawl.cli.json;

import org.jspecify.annotations.NullMarked;
