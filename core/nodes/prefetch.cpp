// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/describe.h"

namespace millrace::nodes {

namespace {

struct Params {
  std::int64_t batches = 2;
};

StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

}  // namespace

NodeSpec prefetch() {
  Describe<Params> d("prefetch", Category::Runtime, NodeRole::Prefetch);
  d.label("Prefetch")
      .help(
          "Finished batches wait here, so that the consumer does not wait for the loader. Its fill "
          "is "
          "the first figure to look at: empty, the loader limits; full, the consumer does.");
  d.example(R"({"batches": 4})");
  d.tags({"queue", "buffer", "prefetch_factor"});
  d.integer("batches", &Params::batches)
      .label("Batches")
      .range(1, 1024)
      .unit("batches")
      .help("Finished batches that may wait.");
  d.infer(infer);
  d.prefetch([](const Params& p) { return PrefetchSettings{p.batches}; });
  return d.take();
}

}  // namespace millrace::nodes
