// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/describe.h"

namespace millrace::nodes::choose {

namespace {

StreamType infer(const ChoiceSettings&, const StreamType& in, InferContext&) { return in; }

}  // namespace

NodeSpec describe() {
  Describe<ChoiceSettings> d("choose", Category::Runtime, NodeRole::Choice);
  d.label("Choose").help(
      "Applies some of a group of nodes to each sample, drawn at random: one of them, several, or "
      "all with a probability. It has no wires; it names neighbouring nodes that change neither "
      "the "
      "size nor the type of a sample. The nodes that are drawn run in the order of the pipeline. "
      "Views of a picture draw separately. Bypassed, it lets every node run.");
  d.example(R"({"nodes": ["flip", "blur"], "count": 1, "weights": [2, 1]})");
  d.tags({"OneOf", "SomeOf", "RandomChoice", "RandomApply", "one_of", "some_of", "augmentation",
          "group"});
  d.texts("nodes", &ChoiceSettings::nodes)
      .label("Nodes")
      .nodeIds()
      .optional()
      .help("The nodes to choose from. Bypassed ones are not chosen.");
  d.integer("count", &ChoiceSettings::count)
      .label("Count")
      .range(0, 64)
      .unit("nodes")
      .help("How many of them are applied to a sample. 0: all of them.");
  d.real("probability", &ChoiceSettings::probability)
      .label("Probability")
      .range(0, 1)
      .help("Probability that a sample gets any of them.");
  d.reals("weights", &ChoiceSettings::weights)
      .label("Weights")
      .optional()
      .range(0, 1e6)
      .help(
          "How often each node is chosen compared with the others, in the order of the list. "
          "Empty: all alike.");
  d.infer(infer);
  d.choosing([](const ChoiceSettings& p) { return p; });
  return d.take();
}

}  // namespace millrace::nodes::choose
