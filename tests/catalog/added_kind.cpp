// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A node kind as a new contributor would write it: this file is all that JSON, checks, settings and
// help need.
#include "core/spec/describe.h"

namespace millrace::nodes {

namespace {

enum class Shade { Dark, Light };

struct Params {
  double strength = 0.5;
  Shade shade = Shade::Dark;
};

class Vignette final : public SampleOp {
 public:
  Status process(Sample&, const OpContext&) override { return {}; }
};

StreamType infer(const Params&, const StreamType& in, InferContext& context) {
  checkFields(in, {}, {Role::Image}, context);
  return in;
}

}  // namespace

NodeSpec vignette() {
  Describe<Params> d("vignette_for_tests", Category::Colour, NodeRole::Sample);
  d.label("Vignette").help("Darkens the corners. Only for tests.");
  d.example(R"({"strength": 0.25})");
  d.real("strength", &Params::strength).label("Strength").range(0, 1).help("Of the corners.");
  d.choice<Shade>("shade", &Params::shade,
                  {{Shade::Dark, "dark", "To black."}, {Shade::Light, "light", "To white."}})
      .label("Shade")
      .help("What the corners turn to.");
  d.infer(infer);
  d.sample([](const Params&, const BuildContext&) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Vignette>());
  });
  return d.take();
}

}  // namespace millrace::nodes
