// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/preview/previewed_sample.h"

#include <algorithm>

#include "core/base/text/text.h"

namespace millrace {

namespace {

/// The classes of a sample that may have several: the number of the first, and all names.
void setLabels(PreviewedField& field, const std::vector<double>& elements,
               const std::vector<std::string>& classes) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] <= 0) continue;
    if (!field.label) field.label = static_cast<double>(i);
    names.push_back(i < classes.size() ? validUtf8(classes[i]) : std::to_string(i));
  }
  field.labelClass = join(names, ", ");
}

/// The class, the one-hot class, or the number itself.
void setLabel(PreviewedField& field, const FieldSpec& spec, const std::vector<double>& elements,
              const std::vector<std::string>& classes) {
  if (elements.empty()) return;
  if (!spec.oneHot && spec.classes > 0 && spec.shape.rank() == 1)
    return setLabels(field, elements, classes);
  double value = elements.front();
  if (spec.oneHot)
    value =
        static_cast<double>(std::max_element(elements.begin(), elements.end()) - elements.begin());
  field.label = value;
  const auto index = static_cast<std::int64_t>(value);
  if (index >= 0 && static_cast<std::size_t>(index) < classes.size())
    field.labelClass = validUtf8(classes[static_cast<std::size_t>(index)]);
}

/// The last normalisation of float pictures in the chain.
void setNormalisation(PreviewedField& field, const FieldSpec& spec, const Plan& plan) {
  if (spec.role != Role::Image && spec.role != Role::Target) return;
  if (!isFloat(spec.dtype)) return;
  for (const CheckedNode& node : plan.pipeline.nodes) {
    const auto mean = node.values.find("mean");
    const auto deviation = node.values.find("deviation");
    if (mean == node.values.end() || deviation == node.values.end()) continue;
    const auto* means = std::get_if<RealList>(&mean->second);
    const auto* deviations = std::get_if<RealList>(&deviation->second);
    if (means == nullptr || deviations == nullptr) continue;
    field.normalMean.assign(means->begin(), means->end());
    field.normalDeviation.assign(deviations->begin(), deviations->end());
  }
}

PreviewedField previewedField(const FieldSpec& spec, const TensorView& view,
                              const std::vector<std::string>& classes, int side) {
  const std::vector<double> elements = elementsOf(view);
  PreviewedField field;
  field.name = spec.name;
  field.role = nameOf(spec.role);
  field.dtype = nameOf(view.dtype);
  field.layout = nameOf(view.layout);
  field.shape.assign(view.shape.begin(), view.shape.end());
  field.bytes = view.bytes;
  field.statistics = statisticsOf(elements);
  if (auto png = previewPng(spec, view, side)) field.png = std::move(*png);
  if (spec.role == Role::Label && !(spec.dtype == DType::I64 && spec.shape.rank() == 1))
    setLabel(field, spec, elements, classes);
  field.maskClasses = maskClassesOf(spec, view);
  for (MaskClass& one : field.maskClasses)
    if (one.index >= 0 && static_cast<std::size_t>(one.index) < classes.size())
      one.name = validUtf8(classes[static_cast<std::size_t>(one.index)]);
  return field;
}

}  // namespace

PreviewedSample previewed(const PreviewSample& sample, std::uint64_t place, const Plan& plan,
                          int side, bool withValues) {
  PreviewedSample result;
  result.place = place;
  result.position = sample.position;
  result.epochSamples = sample.epochSamples;
  result.name = validUtf8(sample.name);
  result.epoch = sample.key.epoch;
  result.index = sample.key.index;
  result.node = plan.pipeline.nodes.back().id;
  result.error = validUtf8(sample.error);
  const std::vector<FieldSpec>& specs = plan.pipeline.nodes.back().out.fields;
  const std::vector<std::string> classes = plan.pipeline.source->classes();
  const auto image = std::ranges::find(specs, Role::Image, &FieldSpec::role) - specs.begin();
  for (std::size_t f = 0; sample.sample != nullptr && f < specs.size(); ++f) {
    PreviewedField& field =
        result.fields.emplace_back(previewedField(specs[f], (*sample.sample)[f], classes, side));
    if (f == static_cast<std::size_t>(image))
      field.objects = previewedObjects(specs, *sample.sample, f, classes);
    if (!withValues) continue;
    field.values = pictureValues(specs[f], (*sample.sample)[f]);
    setNormalisation(field, specs[f], plan);
  }
  return result;
}

}  // namespace millrace
