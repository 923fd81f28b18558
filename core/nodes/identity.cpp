// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The model of a node kind. Copy this file, rename the function, add one line to nodes.def: there
// is nothing else to touch. The inspector, JSON, checks, help, documentation and the property tests
// find the kind through what is described here.
#include "core/spec/describe.h"

namespace millrace::nodes {

namespace {

// 1. What a person can set, with the only defaults that there are. Members are std::int64_t,
//    double, bool, std::string, an enum, RealList or TextList.
struct Params {
  std::string note;
};

// 2. What the stream is like behind the node, known before anything runs. Report everything that
//    does not fit through `context` with a remedy, and return the best guess, so that the nodes
//    behind are checked too. This one changes nothing.
StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

// 3. The work. One instance a thread: scratch memory is a member and only grows. Draw by
//    context.draw(sample.key()); change a field in place through sample.writable(i), or put a new
//    value there by sample.replace(i, ...) and name the field in replaces(). An error concerns the
//    one sample and is counted against the failure budget.
class Identity final : public SampleOp {
 public:
  Status process(Sample&, const OpContext&) override { return {}; }
};

// 3b. What it is in another loader's code, target by target (core/export/README.md). Here: nothing.
//     A kind that does not say stands in the exported code as a place to be filled.
ExportText pytorch(const Params&, const ExportContext&) { return {}; }

/// For tf.data and DALI.
ExportText arrays(const Params&, const ExportContext&) { return {}; }

}  // namespace

// 4. The description, which binds it all together. Its name is the one in nodes.def.
NodeSpec identity() {
  Describe<Params> d("identity", Category::Tensor, NodeRole::Sample);
  d.label("Identity")
      .help(
          "Passes every sample on as it is. A place to measure at, and the model "
          "that new node kinds start from.");
  d.example(R"({"note": "before the crop"})");
  d.tags({"pass", "probe", "none"});
  d.text("note", &Params::note).label("Note").optional().help("Anything; the engine ignores it.");
  d.infer(infer);
  d.sample([](const Params&, const BuildContext&) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Identity>());
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  return d.take();
}

}  // namespace millrace::nodes
