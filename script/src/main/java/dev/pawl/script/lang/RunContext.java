package dev.pawl.script.lang;

/** What {@code Context} tells a script about its run. */
public record RunContext(String runId, String type, int attempt) {}
