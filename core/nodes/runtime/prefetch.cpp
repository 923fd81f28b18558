// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/describe.h"

namespace millrace::nodes::prefetch {

namespace {

struct Params {
  std::int64_t batches = 2;
};

StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

}  // namespace

NodeSpec describe() {
  Describe<Params> d("prefetch", Category::Runtime, NodeRole::Prefetch);
  d.label("Prefetch")
      .help(
          "A queue of finished batches, so that the consumer does not have to wait for the loader. "
          "Check its fill level first: if it is empty the loader is the bottleneck, if it is full "
          "the consumer is.");
  d.example(R"({"batches": 4})");
  d.tags({"queue", "buffer", "prefetch_factor"});
  d.integer("batches", &Params::batches)
      .label("Batches")
      .range(1, 1024)
      .unit("batches")
      .help("Number of finished batches that may wait.");
  d.infer(infer);
  d.prefetch([](const Params& p) { return PrefetchSettings{p.batches}; });
  return d.take();
}

}  // namespace millrace::nodes::prefetch
