package dev.pawl.graph.node;

import dev.pawl.error.PawlException;
import dev.pawl.json.JsonType;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns batches into records and records into messages. How to make a record of a class and how to
 * read one is found out once. Immutable.
 */
final class Typed<I extends Record, O extends Record> {
  private static final ClassValue<MethodHandle> MAKERS =
      new ClassValue<>() {
        @Override
        protected MethodHandle computeValue(Class<?> record) {
          return maker(record);
        }
      };
  private static final ClassValue<MethodHandle[]> READERS =
      new ClassValue<>() {
        @Override
        protected MethodHandle[] computeValue(Class<?> record) {
          return readers(record);
        }
      };

  private static final ClassValue<List<Handle>> HANDLES =
      new ClassValue<>() {
        @Override
        protected List<Handle> computeValue(Class<?> record) {
          return handles(record);
        }
      };
  private static final ClassValue<JsonType<?>[]> TYPES =
      new ClassValue<>() {
        @Override
        protected JsonType<?>[] computeValue(Class<?> record) {
          return types(record);
        }
      };

  private final List<Handle> inputs;
  private final List<Handle> outputs;
  private final JsonType<?>[] types;
  private final MethodHandle make;
  private final MethodHandle[] parts;

  Typed(Class<I> in, Class<O> out) {
    this.inputs = HANDLES.get(in);
    this.outputs = HANDLES.get(out);
    this.types = TYPES.get(in);
    this.make = MAKERS.get(in);
    this.parts = READERS.get(out);
  }

  Shape shape() {
    return new Shape(inputs, outputs);
  }

  NodeCode.Batchwise batchwise(NodeType.Convert<I, O> code) {
    return (context, in, out) -> put(code.process(context, record(in)), out);
  }

  NodeCode.Batchwise batchwise(NodeType.Produce<I, O> code) {
    return (context, in, out) -> code.process(context, record(in), each -> put(each, out));
  }

  NodeCode.Streaming streaming(NodeType.Consume<I, O> code) {
    return (context, in, out) -> put(code.process(context, incoming(in)), out);
  }

  NodeCode.Streaming streaming(NodeType.Transform<I, O> code) {
    return (context, in, out) -> code.process(context, incoming(in), each -> put(each, out));
  }

  private Incoming<I> incoming(NodeCode.Batches in) {
    return () -> {
      Batch batch = in.next();
      return batch == null ? null : record(batch);
    };
  }

  @SuppressWarnings("unchecked")
  private I record(Batch batch) throws Exception {
    @Nullable Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = batch.get(i).as(types[i]);
    }
    try {
      return (I) make.invoke(arguments);
    } catch (NullPointerException e) {
      throw PawlException.badInput(
          "an input handle of a simple type got no value: " + Arrays.toString(arguments));
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private void put(@Nullable O output, NodeCode.Outputs out) throws Exception {
    if (output == null) {
      return;
    }
    for (int i = 0; i < parts.length; i++) {
      Object value;
      try {
        value = parts[i].invoke(output);
      } catch (Exception | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
      if (value != null) {
        out.put(outputs.get(i).name(), value);
      }
    }
  }

  private static List<Handle> handles(Class<?> record) {
    return Arrays.stream(record.getRecordComponents())
        .map(component -> {
          Handle handle = Handle.of(component.getName(), HandleType.of(component.getGenericType()));
          return component.getType().isPrimitive() ? handle.asNeeded() : handle;
        })
        .toList();
  }

  private static JsonType<?>[] types(Class<?> record) {
    return Arrays.stream(record.getRecordComponents())
        .map(component -> JsonType.known(boxed(component.getGenericType())))
        .toArray(JsonType<?>[]::new);
  }

  private static Type boxed(Type type) {
    return type instanceof Class<?> plain && plain.isPrimitive()
        ? MethodType.methodType(plain).wrap().returnType()
        : type;
  }

  private static MethodHandle maker(Class<?> record) {
    try {
      var constructor =
          record.getDeclaredConstructor(
              Arrays.stream(record.getRecordComponents())
                  .map(RecordComponent::getType)
                  .toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return MethodHandles.lookup()
          .unreflectConstructor(constructor)
          .asSpreader(Object[].class, constructor.getParameterCount())
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw unreadable(record, e);
    }
  }

  private static MethodHandle[] readers(Class<?> record) {
    return Arrays.stream(record.getRecordComponents())
        .map(component -> {
          try {
            component.getAccessor().setAccessible(true);
            return MethodHandles.lookup()
                .unreflect(component.getAccessor())
                .asType(MethodType.methodType(Object.class, Object.class));
          } catch (ReflectiveOperationException e) {
            throw unreadable(record, e);
          }
        })
        .toArray(MethodHandle[]::new);
  }

  private static PawlException unreadable(Class<?> record, ReflectiveOperationException e) {
    return PawlException.badInput(
        "the record " + record.getName() + " cannot be used for a node: " + e.getMessage());
  }
}
