// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A template for node kinds. To add a kind, copy this file, rename the namespace and add one line
// to nodes.def. Nothing else needs to change: the inspector, JSON, checks, help, documentation and
// the property tests read the description below.
#include "core/spec/describe.h"

namespace millrace::nodes::identity {

namespace {

// 1. The parameters with their only defaults. Members are std::int64_t, double, bool,
//    std::string, an enum, RealList or TextList.
struct Params {
  std::string note;
};

// 2. The stream after the node, known before anything runs. Report everything that does not fit
//    through `context` with a remedy, and return the best guess, so that the following nodes are
//    checked too. This one changes nothing.
StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

// 3. The work. There is one instance per thread; scratch memory is a member and only grows. Draw
//    with context.draw(sample.key()). Change a field in place through sample.writable(i), or
//    replace it with sample.replace(i, ...) and list the field in replaces(). An error fails this
//    sample only and counts against the failure budget.
class Identity final : public SampleOp {
 public:
  Status process(Sample&, const OpContext&) override { return {}; }
};

// 3b. What it becomes in another loader's code, per target (core/export/README.md). Here: nothing.
//     A target that cannot do it has a text with `missing`, which the head of the file repeats.
ExportText pytorch(const Params&, const ExportContext&) { return {}; }

/// For tf.data, DALI and Grain.
ExportText arrays(const Params&, const ExportContext&) { return {}; }

}  // namespace

// 4. The description, which binds everything together.
NodeSpec describe() {
  Describe<Params> d("identity", Category::Tensor, NodeRole::Sample);
  d.label("Identity")
      .help(
          "Passes samples on unchanged. It is a place to measure at, and the template for new node "
          "kinds.");
  d.example(R"({"note": "before the crop"})");
  d.cpuOnly();
  d.tags({"pass", "probe", "none"});
  d.text("note", &Params::note).label("Note").optional().help("Any text; the engine ignores it.");
  d.infer(infer);
  d.sample([](const Params&, const BuildContext&) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Identity>());
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  return d.take();
}

}  // namespace millrace::nodes::identity
