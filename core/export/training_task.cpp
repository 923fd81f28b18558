// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/training_task.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/object_fields.h"

namespace millrace {

namespace {

using Kind = TrainingTask::Kind;

/// Used while the number of classes is unknown: ImageNet's, and every level of a mask of bytes.
constexpr std::int64_t kGuessedClasses = 1000;
constexpr std::int64_t kGuessedMaskClasses = 256;

const FieldSpec* firstOf(const StreamType& batches, Role role) {
  for (const FieldSpec& field : batches.fields)
    if (field.role == role) return &field;
  return nullptr;
}

const FieldSpec* targetOf(const StreamType& batches) {
  for (const Role role : {Role::Target, Role::Mask, Role::Label})
    if (const FieldSpec* field = firstOf(batches, role)) return field;
  const bool alone = batches.fields.size() < 2;
  return alone || batches.fields.back().role != Role::Features ? nullptr : &batches.fields.back();
}

std::vector<FieldSpec> inputsOf(const StreamType& batches, const FieldSpec& target) {
  if (const FieldSpec* picture = firstOf(batches, Role::Image)) return {*picture};
  std::vector<FieldSpec> inputs;
  for (const FieldSpec& field : batches.fields)
    if (field.role == Role::Features && field.name != target.name) inputs.push_back(field);
  return inputs;
}

/// Why the field cannot enter a network; empty if it can.
std::string whyNot(const FieldSpec& field) {
  if (field.dtype == DType::Encoded)
    return fmt::format("{} holds bytes: insert a node that decodes them, or remove the field",
                       field.name);
  if (field.layout != Layout::Plain && field.channels() != Shape::kUnknown) return {};
  if (field.shape.known()) return {};
  return fmt::format("the size of {} is unknown: set it in the source, or remove the field",
                     field.name);
}

void setClasses(TrainingTask& task, std::int64_t classes, std::int64_t guess) {
  task.outputsKnown = classes > 0;
  task.outputs = classes > 0 ? classes : guess;
}

void setScale(TrainingTask& task) {
  const FieldSpec& input = task.inputs.front();
  double scale = task.target.scale;
  if (input.height() > 0 && task.target.height() > 0)
    scale = static_cast<double>(task.target.height()) / static_cast<double>(input.height());
  task.enlarges = std::max<std::int64_t>(1, std::llround(scale));
  task.shrinks = std::max<std::int64_t>(1, std::llround(1 / scale));
}

void setOutputs(TrainingTask& task) {
  const FieldSpec& target = task.target;
  if (task.kind == Kind::Pictures) task.outputs = target.channels();
  if (task.kind == Kind::Masks && target.oneHot) task.outputs = target.channels();
  if (task.kind == Kind::Masks && !target.oneHot)
    setClasses(task, target.classes, kGuessedMaskClasses);
  if (task.kind == Kind::Numbers) task.outputs = target.shape.elements();
  if (task.kind != Kind::Classes) return;
  if (isFloat(target.dtype))
    task.outputs = target.shape.elements();
  else
    setClasses(task, target.classes, kGuessedClasses);
}

Kind kindOf(const FieldSpec& target) {
  if (target.role == Role::Target) return Kind::Pictures;
  if (target.role == Role::Mask) return Kind::Masks;
  const std::int64_t elements = target.shape.elements();
  const bool numbers = isFloat(target.dtype) ? elements > 1 : elements == 1;
  return target.role == Role::Label && numbers ? Kind::Classes : Kind::Numbers;
}

}  // namespace

std::int64_t TrainingTask::inputSize() const {
  std::int64_t size = 0;
  for (const FieldSpec& field : inputs) size += field.shape.elements();
  return size;
}

Result<TrainingTask> trainingTask(const StreamType& batches) {
  if (boxesOf(batches.fields) != nullptr)
    return Error{
        "no network for boxes is written: export to `pytorch` without training, and train a model "
        "of torchvision"};
  const FieldSpec* target = targetOf(batches);
  if (target == nullptr)
    return Error{
        "there is nothing to learn in the batches: add a label, a target picture or a mask to the "
        "source"};
  TrainingTask task;
  task.target = *target;
  task.inputs = inputsOf(batches, *target);
  task.kind = kindOf(*target);
  if (task.inputs.empty())
    return Error{fmt::format("the batches hold {} and nothing to learn it from", target->name)};
  std::vector<FieldSpec> fields = task.inputs;
  fields.push_back(task.target);
  for (const FieldSpec& field : fields)
    if (const std::string why = whyNot(field); !why.empty()) return Error{why};
  const bool pixels = task.kind == Kind::Pictures || task.kind == Kind::Masks;
  if (pixels && !task.readsPictures())
    return Error{fmt::format("the batches hold {}, but no picture to learn it from", target->name)};
  setOutputs(task);
  if (pixels) setScale(task);
  return task;
}

}  // namespace millrace
