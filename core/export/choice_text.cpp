// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/choice_text.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/export/pytorch_file.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

bool isTorchvisions(const ExportStep& step) { return step.code.starts_with("v2."); }

bool actsOnSame(const ExportStep& one, const ExportStep& other) {
  return one.fields == other.fields && one.each == other.each;
}

/// A node's transforms as one.
std::string asOneTransform(const std::vector<ExportStep>& steps) {
  if (steps.size() == 1) return steps.front().code;
  std::vector<std::string> codes;
  for (const ExportStep& step : steps) codes.push_back(step.code);
  return "v2.Compose([" + join(codes, ", ") + "])";
}

/// Why PyTorch cannot make this choice; empty: it can.
std::string whyNoChoice(std::span<NodeText* const> nodes) {
  const NodeChoice& choice = *nodes.front()->node->choice;
  const std::size_t those = nodes.size();
  if (choice.count != 1 && choice.count < those)
    return fmt::format(
        "{} applies {} of {} nodes, and torchvision one of several transforms or all", choice.id,
        choice.count, those);
  const std::vector<ExportStep>& first = nodes.front()->text.steps;
  for (const NodeText* node : nodes) {
    if (!node->text.missing.empty()) return node->node->id + ": " + node->text.missing;
    const bool fits = std::ranges::all_of(node->text.steps, [&](const ExportStep& step) {
      return isTorchvisions(step) && actsOnSame(step, first.front());
    });
    if (node->text.steps.empty() || first.empty() || !fits)
      return fmt::format("{} is not a transform of the same fields as {} in this code",
                         node->node->id, nodes.front()->node->id);
  }
  return {};
}

std::string choiceCode(std::span<NodeText* const> nodes) {
  const NodeChoice& choice = *nodes.front()->node->choice;
  std::vector<std::string> all;
  std::vector<double> weights;
  for (const NodeText* node : nodes) {
    all.push_back(asOneTransform(node->text.steps));
    weights.push_back(choice.weights[node->node->choice->place]);
  }
  const std::string list = "[" + join(all, ", ") + "]";
  const std::string chance = ", p=" + pythonReal(choice.probability) + ")";
  if (choice.count >= nodes.size()) return "v2.RandomApply(" + list + chance;
  const bool isEven = std::ranges::all_of(weights, [&](double w) { return w == weights[0]; });
  const std::string one =
      "v2.RandomChoice(" + list + (isEven ? "" : ", p=" + pythonReals(weights)) + ")";
  return choice.probability < 1 ? "v2.RandomApply([" + one + "]" + chance : one;
}

void writeChoice(std::span<NodeText* const> nodes, std::string_view target) {
  const std::string& id = nodes.front()->node->choice->id;
  std::string why = target == kPyTorchTarget
                        ? whyNoChoice(nodes)
                        : fmt::format(
                              "{} applies it to some samples only, and Millrace writes no "
                              "code for this target that chooses; export the pipeline as "
                              "Python over the engine",
                              id);
  ExportText& text = nodes.front()->text;
  if (why.empty()) {
    ExportStep whole = text.steps.front();
    whole.code = choiceCode(nodes);
    whole.traits.reset();
    for (NodeText* node : nodes) node->text.steps.clear();
    text.steps.push_back(std::move(whole));
    return;
  }
  for (NodeText* node : nodes) node->text = {};
  text.missing = std::move(why);
}

}  // namespace

void joinChoices(std::vector<NodeText>& texts, std::string_view target) {
  std::vector<NodeText*> nodes;  // of one choice
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& choice = texts[i].node->choice;
    if (!choice) continue;
    if (choice->weights[choice->place] > 0)
      nodes.push_back(&texts[i]);
    else
      texts[i].text = {};
    const bool isLast = i + 1 == texts.size() || !texts[i + 1].node->choice ||
                        texts[i + 1].node->choice->id != choice->id;
    if (!isLast) continue;
    if (!nodes.empty() && !nodes.front()->node->choice->isCertain()) writeChoice(nodes, target);
    nodes.clear();
  }
}

}  // namespace millrace
