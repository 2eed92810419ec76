/**
 * Chaos with real processes: workers that are killed and stopped, a server that loses its power, a
 * network that loses answers, and a ledger outside of it all that says what really happened.
 *
 * <p>Reading order: {@link dev.pawl.testkit.chaos.ChaosPlan} (what is done), {@link
 * dev.pawl.testkit.chaos.Chaos} (how it goes), {@link dev.pawl.testkit.chaos.ChaosWorker} (a worker
 * process), {@code Mischief} (what is done to them), {@code Ledger} (what they did), {@link
 * dev.pawl.testkit.chaos.ChaosReport} (what came of it), {@link dev.pawl.testkit.chaos.Main} (the
 * command {@code pawl chaos}).
 *
 * <p>Sees the engine through its door, the doctor, and the tools of {@code testkit}. The store is
 * whatever the class path has for its address.
 */
@NullMarked
package dev.pawl.testkit.chaos;

import org.jspecify.annotations.NullMarked;
