package dev.pawl.graph.node;

/** Code with something to do before it and after it. */
final class Hooked {
  private Hooked() {}

  static NodeCode of(NodeCode inner, NodeType.Hook before, NodeType.Hook after) {
    return switch (inner) {
      case NodeCode.Batchwise code -> new Batchwise(code, before, after);
      case NodeCode.Streaming code -> new Streaming(code, before, after);
    };
  }

  private static void initialize(NodeCode inner, NodeType.Hook before, NodeContext context)
      throws Exception {
    before.run(context);
    inner.initialize(context);
  }

  private static void finish(NodeCode inner, NodeType.Hook after, NodeContext context)
      throws Exception {
    try {
      inner.finish(context);
    } finally {
      after.run(context);
    }
  }

  private record Batchwise(NodeCode.Batchwise inner, NodeType.Hook before, NodeType.Hook after)
      implements NodeCode.Batchwise {
    @Override
    public void initialize(NodeContext context) throws Exception {
      Hooked.initialize(inner, before, context);
    }

    @Override
    public void process(NodeContext context, Batch in, Outputs out) throws Exception {
      inner.process(context, in, out);
    }

    @Override
    public void finish(NodeContext context) throws Exception {
      Hooked.finish(inner, after, context);
    }
  }

  private record Streaming(NodeCode.Streaming inner, NodeType.Hook before, NodeType.Hook after)
      implements NodeCode.Streaming {
    @Override
    public void initialize(NodeContext context) throws Exception {
      Hooked.initialize(inner, before, context);
    }

    @Override
    public void process(NodeContext context, Batches in, Outputs out) throws Exception {
      inner.process(context, in, out);
    }

    @Override
    public void finish(NodeContext context) throws Exception {
      Hooked.finish(inner, after, context);
    }
  }
}
