/**
 * The engines that are compared, one small adapter each.
 *
 * <p>Reading order: {@link dev.pawl.bench.peers.Peer} (what the works ask of an engine), {@link
 * dev.pawl.bench.peers.Place} and {@link dev.pawl.bench.peers.Role}, {@link
 * dev.pawl.bench.peers.Tally} (where bodies report), then the adapters. Sees the engines and knows
 * nothing of rounds, processes or reports.
 */
@NullMarked
package dev.pawl.bench.peers;

import org.jspecify.annotations.NullMarked;
