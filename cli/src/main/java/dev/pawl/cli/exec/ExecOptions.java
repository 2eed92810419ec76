package dev.pawl.cli.exec;

import java.time.Duration;
import java.util.Optional;

/**
 * How commands are run.
 *
 * @param timeout how long one attempt may take
 * @param killAfter how long a process that was sent SIGTERM may take before it is sent SIGKILL
 * @param maxOutputBytes how much a process may write to its standard output
 * @param maxAttempts after how many attempts a task fails for good, whatever its run allows
 * @param storeUrl the store's address, for commands that call pawl themselves
 */
public record ExecOptions(
    Optional<Duration> timeout,
    Duration killAfter,
    int maxOutputBytes,
    int maxAttempts,
    String storeUrl) {}
