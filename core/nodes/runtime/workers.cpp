// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/describe.h"

namespace millrace::nodes::workers {

namespace {

struct Params {
  std::int64_t count = 4;
  WorkUnit unit = WorkUnit::Sample;
  DeliveryOrder order = DeliveryOrder::Strict;
};

// How many threads make sense depends on the machine; the check of the whole chain reports that.
StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

}  // namespace

NodeSpec describe() {
  Describe<Params> d("workers", Category::Runtime, NodeRole::Workers);
  d.label("Workers").help(
      "Runs the following nodes, up to the next batch, prefetch, transfer, consumer or workers "
      "node, on this many threads. After a batch node each thread takes whole batches.");
  d.example(R"({"count": 8})");
  d.tags({"threads", "parallel", "num_workers"});
  d.integer("count", &Params::count)
      .label("Threads")
      .range(1, 1024)
      .unit("threads")
      .help("Number of threads that work in parallel.");
  d.choice<WorkUnit>(
       "unit", &Params::unit,
       {{WorkUnit::Sample, "sample", "All threads work together on the next batches."},
        {WorkUnit::Batch, "batch", "Each thread makes a whole batch alone, like other loaders."}})
      .label("Unit")
      .help("What a thread takes at a time.");
  d.choice<DeliveryOrder>(
       "order", &Params::order,
       {{DeliveryOrder::Strict, "strict", "Samples come in the order of the epoch."},
        {DeliveryOrder::Ready, "ready",
         "A finished sample takes the next free row; the order is not reproducible."}})
      .label("Order")
      .help("Whether a batch waits for a slow sample.");
  d.infer(infer);
  d.workers([](const Params& p) { return WorkersSettings{p.count, p.unit, p.order}; });
  return d.take();
}

}  // namespace millrace::nodes::workers
