// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/image_pass_plan.h"

#include <algorithm>

#include "core/base/check.h"

namespace millrace {

bool hasField(const std::vector<std::size_t>& fields, std::size_t field) {
  return std::find(fields.begin(), fields.end(), field) != fields.end();
}

namespace {

bool allIn(const std::vector<std::size_t>& some, const std::vector<std::size_t>& all) {
  return std::all_of(some.begin(), some.end(),
                     [&](std::size_t field) { return hasField(all, field); });
}

bool windowJoins(const std::vector<ImagePassStep>& group, const ImagePassStep& next) {
  if (next.fields != group.front().fields) return false;
  for (const ImagePassStep& step : group) {
    if (step.step.normalise || step.step.form) return false;
    if (step.step.decode) continue;
    const WindowStep& before = *step.step.window;
    if (next.step.window->resizes() && (before.resizes() || before.pads())) return false;
    if (next.step.window->pads() && before.pads()) return false;
  }
  return true;
}

PixelForm decodeForm(const DecodeStep& step, Role role) {
  if (role == Role::Mask) return step.colourMasks ? PixelForm::Rgb : PixelForm::Index;
  switch (step.form) {
    case DecodeForm::Rgb: return PixelForm::Rgb;
    case DecodeForm::Grey: return PixelForm::Grey;
    case DecodeForm::Stored: return PixelForm::Stored;
  }
  return PixelForm::Rgb;
}

float at(const std::vector<double>& values, std::size_t channel) {
  return static_cast<float>(values.size() == 1 ? values[0] : values[channel]);
}

void setNormalise(const NormaliseStep& step, PassField& field) {
  const auto channels = static_cast<std::size_t>(field.channels);
  field.form.dtype = DType::F32;
  field.form.normalise = true;
  for (std::size_t i = 0; i < channels; ++i) {
    field.form.mean[i] = at(step.mean, i);
    field.form.deviation[i] = at(step.deviation, i);
  }
}

void apply(const ImageStep& step, PassField& field) {
  if (step.decode) {
    field.decodeForm = decodeForm(*step.decode, field.role);
    field.channels = field.decodeForm == PixelForm::Rgb ? 3 : 1;
    if (field.decodeForm == PixelForm::Stored) {
      field.channels = step.decode->channels;
      field.form.dtype = DType::F32;
    }
  }
  if (step.normalise) setNormalise(*step.normalise, field);
  if (step.form) {
    field.form.dtype = step.form->dtype;
    if (step.form->layout != Layout::Plain) field.form.layout = step.form->layout;
  }
}

PassField start(const FieldSpec& spec, std::size_t index) {
  PassField field;
  field.index = index;
  field.name = spec.name;
  field.role = spec.role;
  field.from = spec.dtype;
  field.fromLayout = spec.dtype == DType::Encoded ? Layout::Hwc : spec.layout;
  field.channels = spec.dtype == DType::Encoded ? 0 : static_cast<int>(spec.channels());
  field.form.dtype = spec.dtype == DType::F32 ? DType::F32 : DType::U8;
  field.form.layout = field.fromLayout;
  return field;
}

}  // namespace

bool joins(const std::vector<ImagePassStep>& group, const ImagePassStep& next) {
  if (group.empty()) return true;
  if (next.step.decode) return false;
  if (next.step.window) return windowJoins(group, next);
  for (const ImagePassStep& step : group)
    if (step.step.form || (next.step.normalise && step.step.normalise)) return false;
  return allIn(next.fields, group.front().fields);
}

std::vector<PassField> passFields(const ImagePassPlan& plan) {
  std::vector<PassField> fields;
  for (std::size_t i = 0; i < plan.in.size(); ++i) {
    if (!hasField(plan.steps.front().fields, i)) continue;
    PassField field = start(plan.in[i], i);
    for (const ImagePassStep& step : plan.steps)
      if (hasField(step.fields, i)) apply(step.step, field);
    const bool known = field.from == DType::U8 || field.from == DType::F32 ||
                       (field.from == DType::Encoded && plan.steps.front().step.decode);
    MILLRACE_CHECK(known, "a pass needs files and a decode step, u8 or f32");
    fields.push_back(std::move(field));
  }
  MILLRACE_CHECK(!fields.empty(), "a pass needs a field to act on");
  return fields;
}

}  // namespace millrace
