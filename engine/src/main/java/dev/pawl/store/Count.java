package dev.pawl.store;

import dev.pawl.log.Status;

/** How many runs of a type are in a status. */
public record Count(String type, Status status, long runs) {}
