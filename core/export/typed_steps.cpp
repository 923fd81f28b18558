// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/typed_steps.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/node_parts/short_text.h"

namespace millrace {

namespace {

using Form = ExportStep::Form;

bool casts(const StepTraits& traits) { return traits.computed != traits.stored; }

/// The step's numbers stay as they were computed.
void keepComputed(ExportStep& step, const CastTexts& texts) {
  StepTraits& traits = *step.traits;
  if (traits.stored == DType::U8 && !traits.inRange) step.code = texts.clip(step.code);
  traits.stored = traits.computed;
}

/// Finds the step that makes the cast of steps[i] needless, or takes it over.
void placeCast(std::vector<ExportStep>& steps, std::size_t i, const CastTexts& texts) {
  ExportStep& step = steps[i];
  const StepTraits& made = *step.traits;
  const bool grows = sizeOf(*made.stored) > sizeOf(*made.computed);
  const bool toBytes = made.computed == DType::F32 && made.stored == DType::U8 && made.whole;
  if (!grows && !toBytes) return;
  for (std::size_t j = i + 1; j < steps.size(); ++j) {
    ExportStep& next = steps[j];
    if (!touches(next, step.fields)) continue;
    if (!next.traits || next.fields != step.fields) return;
    StepTraits& taken = *next.traits;
    if (toBytes && !taken.ofFloats.empty()) {
      next.code = taken.ofFloats;
      next.form = Form::NewValue;
      return keepComputed(step, texts);
    }
    if (taken.anyType && taken.computed) return keepComputed(step, texts);
    if (!taken.anyType) return;
    if (toBytes) continue;
    if (next.form != Form::NewValue) return;
    taken.computed = made.computed;
    taken.stored = made.stored;
    return keepComputed(step, texts);
  }
}

std::string withNumbersOfChannels(std::string code, const std::vector<std::string>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    code = filledIn(code, fmt::format("{{{}}}", i + 1), numbers[i]);
  return code;
}

}  // namespace

bool touches(const ExportStep& step, const std::vector<std::string>& fields) {
  if (step.form == Form::LocalOnly) return false;
  const bool isLimited = step.form == Form::NewValue || (step.traits && !step.fields.empty());
  if (!isLimited) return true;
  return std::ranges::any_of(step.fields, [&](const std::string& field) {
    return std::ranges::find(fields, field) != fields.end();
  });
}

ExportStep* lastTouching(std::vector<ExportStep>& steps, const std::string& field) {
  const auto last = std::find_if(steps.rbegin(), steps.rend(),
                                 [&](const ExportStep& step) { return touches(step, {field}); });
  return last == steps.rend() ? nullptr : &*last;
}

void placeCasts(std::vector<ExportStep>& steps, const CastTexts& texts) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].traits || !casts(*steps[i].traits)) continue;
    placeCast(steps, i, texts);
    if (casts(*steps[i].traits)) steps[i].code = texts.cast(steps[i].code, *steps[i].traits);
  }
}

namespace {

/// Whether the planes of a field are made before its last step.
bool computePlanes(std::vector<ExportStep>& steps, const std::string& field,
                   const std::string& planes) {
  const std::vector<std::string> fields{field};
  ExportStep* const last = lastTouching(steps, field);
  if (last == nullptr || !last->traits || last->fields != fields) return false;
  if (last->traits->perChannel.empty()) return false;
  for (std::string& numbers : last->traits->perChannel) numbers += "[:, None, None]";
  steps.insert(steps.begin() + (last - steps.data()), {planes, fields, Form::NewValue});
  return true;
}

}  // namespace

void addPlanes(std::vector<ExportStep>& steps, std::vector<std::string> fields,
               const std::string& planes, const std::string& back) {
  std::erase_if(fields, [&](const std::string& name) {
    return computePlanes(steps, name, planes) == back.empty();
  });
  if (!fields.empty())
    steps.push_back({back.empty() ? planes : back, std::move(fields), Form::NewValue});
}

std::string statementOf(const ExportStep& step) {
  if (step.form == Form::SampleCall) return "sample = " + step.code;
  if (step.form != Form::NewValue) return step.code;
  const std::string code =
      step.traits ? withNumbersOfChannels(step.code, step.traits->perChannel) : step.code;
  return replaceFields(step.fields, code);
}

}  // namespace millrace
