// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/dali_steps.h"

#include "core/export/typed_steps.h"
#include "core/node_parts/short_text.h"

namespace millrace {

namespace {

using Steps = std::vector<ExportStep>;

/// Removes the step that mirrors the fields of steps[place], if no step is between them; returns
/// its variable.
std::string takeMirror(Steps& steps, std::size_t place) {
  const std::vector<std::string> fields = steps[place].fields;
  while (place > 0) {
    const ExportStep& before = steps[--place];
    if (!touches(before, fields)) continue;
    if (before.fields != fields || !before.traits) return {};
    std::string mirror = before.traits->mirror;
    if (!mirror.empty()) steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(place));
    return mirror;
  }
  return {};
}

/// Normalisation also mirrors, in one pass over the pixels.
void mirrorInNormalise(Steps& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].traits || !steps[i].traits->placesPixels) continue;
    const std::string mirror = takeMirror(steps, i);
    if (mirror.empty()) continue;
    ExportStep& step = steps[--i];
    step.code = filledIn(step.code, "{mirror}", ", mirror=" + mirror);
  }
}

/// The last operation of a field sets its layout if it can.
void toPlanes(Steps& steps, const std::string& name) {
  ExportStep* const last = lastTouching(steps, name);
  if (last != nullptr && last->traits && last->traits->placesPixels)
    last->code = filledIn(last->code, "{layout}", "");
  else
    steps.push_back({"fn.transpose({}, perm=[2, 0, 1])", {name}, ExportStep::Form::NewValue});
}

}  // namespace

DaliSteps daliSteps(const ExportSubject& subject, const ShortForm& form) {
  DaliSteps all;
  Steps steps;
  for (const NodeText& node : form.nodes)
    for (const ExportStep& step : node.text.steps) {
      const NodeRole role = node.node->spec->role;
      if (role == NodeRole::Source) all.source.push_back(step.code);
      if (role == NodeRole::Order) all.shuffles = true;
      if (role == NodeRole::Source || role == NodeRole::Order) continue;
      steps.push_back(node.isShort ? step : ExportStep{"sample = " + step.code, {}});
    }
  mirrorInNormalise(steps);
  for (const std::string& name : pictureFields(subject.pipeline->nodes.back().in, Layout::Chw))
    toPlanes(steps, name);
  for (ExportStep& step : steps) {
    // Unless a pass decided otherwise.
    step.code = filledIn(step.code, "{mirror}", "");
    step.code = filledIn(step.code, "{layout}", ", output_layout=\"HWC\"");
    all.processing.push_back(statementOf(step));
  }
  return all;
}

}  // namespace millrace
