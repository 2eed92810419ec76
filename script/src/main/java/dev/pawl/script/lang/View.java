package dev.pawl.script.lang;

import java.util.Map;

/**
 * Where one part of a script stands: the main program, or a call of an async function.
 *
 * @param path the functions it is in, outermost first, each with its line, such as {@code
 *     main:3/book:12}
 * @param locals the variables that can be seen there, as JSON; what is no JSON is described
 * @param suspended what it waits for, as JSON: {@code {"type":"run","task_id":…}} and the like;
 *     {@code null} if it can go on
 */
public record View(
    boolean main,
    String function,
    int line,
    int column,
    String path,
    Map<String, String> locals,
    String suspended) {}
