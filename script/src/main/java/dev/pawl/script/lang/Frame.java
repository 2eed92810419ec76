package dev.pawl.script.lang;

/** One call that has not returned: a function of the script, or one of the library's loops. */
abstract sealed class Frame permits CodeFrame, LoopFrame, SortFrame {}
