package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.Node.*;
import java.util.ArrayList;
import java.util.List;

/** Takes values apart. */
final class PatternCompiler {
  private final FunctionCompiler function;
  private final Emitter out;

  PatternCompiler(FunctionCompiler function) {
    this.function = function;
    this.out = function.out;
  }

  /** Takes the value from the stack and declares what the pattern names. */
  void bind(Pattern pattern) {
    out.at(pattern.span().start());
    switch (pattern) {
      case NamePattern name -> {
        out.emit(Op.OR_NULL, 0);
        function.initialize(function.resolution.variable(name));
      }
      case HolePattern ignored -> out.emit(Op.POP, -1);
      case DefaultPattern other -> {
        Emitter.Label present = new Emitter.Label();
        out.jump(Op.JUMP_IF_PRESENT, -1, present);
        function.expressions.named(other.value(), other.target());
        out.markAndBind(present);
        bind(other.target());
      }
      case ObjectPattern object -> bindObject(object);
      case ListPattern list -> bindList(list);
    }
  }

  private void bindObject(ObjectPattern object) {
    out.emit(Op.CHECK_OBJECT, 0);
    List<Object> taken = new ArrayList<>();
    for (PropertyPattern property : object.properties()) {
      out.at(property.span().start());
      switch (property.key()) {
        case NamedKey key -> {
          taken.add(key.name());
          out.emit(Op.PART, 1, out.constant(key.name().intern()));
        }
        case ComputedKey key -> {
          function.expressions.value(key.value());
          out.emit(Op.PART_COMPUTED, 0);
        }
      }
      bind(property.target());
    }
    if (object.rest().isPresent()) {
      out.emit(Op.REST_OF_OBJECT, 1, out.constant(List.copyOf(taken)));
      bind(object.rest().get());
    }
    out.emit(Op.POP, -1);
  }

  private void bindList(ListPattern list) {
    out.emit(Op.CHECK_LIST, 0);
    int index = 0;
    for (Pattern element : list.elements()) {
      if (!(element instanceof HolePattern)) {
        out.at(element.span().start());
        out.emit(Op.ELEMENT, 1, index);
        bind(element);
      }
      index++;
    }
    if (list.rest().isPresent()) {
      out.emit(Op.ELEMENTS_FROM, 1, index);
      bind(list.rest().get());
    }
    out.emit(Op.POP, -1);
  }
}
