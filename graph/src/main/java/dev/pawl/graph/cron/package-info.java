/**
 * Times that come again: {@link dev.pawl.graph.cron.Cron}. Pure, and sees nothing else of Pawl but
 * its errors.
 */
@NullMarked
package dev.pawl.graph.cron;

import org.jspecify.annotations.NullMarked;
