// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/describe.h"

namespace millrace::nodes::drain {

namespace {

struct Params {};

class Drain final : public Consumer {
 public:
  Status consume(const Batch&, StepWaiter&, std::chrono::nanoseconds& step) override {
    step = {};
    return {};
  }
  std::chrono::nanoseconds nominalStep(std::size_t) const override { return {}; }
};

StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

}  // namespace

NodeSpec describe() {
  Describe<Params> d("drain", Category::Consumer, NodeRole::Consumer);
  d.label("Drain").help(
      "Takes batches as fast as they come and discards them (a null sink). It shows how fast the "
      "loader is on its own.");
  d.example("{}");
  d.tags({"consumer", "sink", "throughput"});
  d.infer(infer);
  d.consumer([](const Params&, const BuildContext&) -> Result<std::unique_ptr<Consumer>> {
    return std::unique_ptr<Consumer>(std::make_unique<Drain>());
  });
  return d.take();
}

}  // namespace millrace::nodes::drain
