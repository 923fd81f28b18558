// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/image_pass_plan.h"

#include <algorithm>
#include <numeric>

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

/// The fields of a group after its steps so far.
std::vector<std::size_t> fieldsAfter(const std::vector<ImagePassStep>& group) {
  std::vector<std::size_t> fields = group.front().fields;
  for (const ImagePassStep& step : group) {
    if (!step.step.views) continue;
    const std::size_t first = fields.front();
    fields.resize(step.step.views->count);
    std::iota(fields.begin(), fields.end(), first);
  }
  return fields;
}

bool hasViews(const std::vector<ImagePassStep>& group) {
  return std::ranges::any_of(group,
                             [](const ImagePassStep& step) { return step.step.views.has_value(); });
}

bool haveCommon(const std::vector<std::size_t>& some, const std::vector<std::size_t>& others) {
  return std::ranges::any_of(some, [&](std::size_t field) { return hasField(others, field); });
}

/// Views have separate windows, so a step may act on some of them.
bool windowJoins(const std::vector<ImagePassStep>& group, const ImagePassStep& next) {
  const std::vector<std::size_t> fields = fieldsAfter(group);
  if (hasViews(group) ? !allIn(next.fields, fields) : next.fields != fields) return false;
  for (const ImagePassStep& step : group) {
    if (step.step.normalise || step.step.form) return false;
    if (step.step.window == nullptr || !haveCommon(step.fields, next.fields)) continue;
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
  field.input = index;
  field.index = index;
  field.view = spec.view;
  field.name = spec.name;
  field.role = spec.role;
  field.from = spec.dtype;
  field.fromLayout = spec.dtype == DType::Encoded ? Layout::Hwc : spec.layout;
  field.channels = spec.dtype == DType::Encoded ? 0 : static_cast<int>(spec.channels());
  field.form.dtype = spec.dtype == DType::F32 ? DType::F32 : DType::U8;
  field.form.layout = field.fromLayout;
  return field;
}

/// The views of the only field of a pass, which may be decoded before.
std::vector<PassField> viewsOf(const PassField& field, std::size_t count) {
  std::vector<PassField> views(count, field);
  for (std::size_t i = 0; i < count; ++i) {
    views[i].index += i;
    views[i].view = static_cast<int>(i) + 1;
    views[i].name = viewName(i);
  }
  return views;
}

}  // namespace

bool joins(const std::vector<ImagePassStep>& group, const ImagePassStep& next) {
  if (group.empty()) return true;
  if (next.step.decode) return false;
  if (next.step.views)
    return group.size() == 1 && group.front().step.decode && next.fields == group.front().fields;
  if (next.step.window) return windowJoins(group, next);
  for (const ImagePassStep& step : group)
    if (step.step.form || (next.step.normalise && step.step.normalise)) return false;
  return allIn(next.fields, fieldsAfter(group));
}

std::vector<PassField> passFields(const ImagePassPlan& plan) {
  std::vector<PassField> fields;
  for (std::size_t i = 0; i < plan.in.size(); ++i) {
    if (!hasField(plan.steps.front().fields, i)) continue;
    const PassField field = start(plan.in[i], i);
    const bool known = field.from == DType::U8 || field.from == DType::F32 ||
                       (field.from == DType::Encoded && plan.steps.front().step.decode);
    MILLRACE_CHECK(known, "a pass needs files and a decode step, u8 or f32");
    fields.push_back(field);
  }
  MILLRACE_CHECK(!fields.empty(), "a pass needs a field to act on");
  for (const ImagePassStep& step : plan.steps) {
    if (step.step.views) fields = viewsOf(fields.front(), step.step.views->count);
    for (PassField& field : fields)
      if (hasField(step.fields, field.index)) apply(step.step, field);
  }
  return fields;
}

}  // namespace millrace
