// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Keras 3 over the data set of tf.data's target, which model.fit takes with
// every backend: a network for the fields of the batches, and its training.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/export/array_steps.h"
#include "core/export/tfdata_file.h"
#include "core/export/training_text.h"

namespace millrace {

namespace {

using Kind = TrainingTask::Kind;
using Lines = std::vector<std::string>;

std::string kerasReal(const FieldSpec& field) {
  if (field.dtype == DType::F32) return batchField(field);
  return fmt::format("tf.cast({}, tf.float32)", batchField(field));
}

/// A picture with the channels last. In the short form only one-hot masks are planes, as the node
/// asks for them.
std::string channelsLast(const FieldSpec& field, bool isShort, const std::string& text) {
  const bool planes = field.layout == Layout::Chw && (!isShort || field.oneHot);
  return planes ? fmt::format("tf.transpose({}, [0, 2, 3, 1])", text) : text;
}

std::string kerasPicture(const FieldSpec& field, bool isShort) {
  return channelsLast(field, isShort,
                      kerasReal(field) + (field.dtype == DType::U8 ? " / 255" : ""));
}

std::string kerasRow(const FieldSpec& field) {
  return fmt::format("tf.reshape({}, [-1, {}])", kerasReal(field), field.shape.elements());
}

std::string kerasInput(const TrainingTask& task, bool isShort) {
  if (task.readsPictures()) return kerasPicture(task.inputs.front(), isShort);
  Lines rows;
  for (const FieldSpec& field : task.inputs) rows.push_back(kerasRow(field));
  return rows.size() == 1 ? rows.front() : fmt::format("tf.concat([{}], 1)", join(rows, ", "));
}

std::string kerasTarget(const TrainingTask& task, bool isShort) {
  const FieldSpec& target = task.target;
  if (task.kind == Kind::Pictures) return kerasPicture(target, isShort);
  if (task.kind == Kind::Masks)
    return channelsLast(target, isShort, target.oneHot ? kerasReal(target) : batchField(target));
  const bool numbers = task.kind == Kind::Classes && !isFloat(target.dtype);
  return numbers ? batchField(target) : kerasRow(target);
}

std::string kerasLoss(const TrainingTask& task) {
  if (task.kind == Kind::Pictures) return "keras.losses.MeanAbsoluteError()";
  if (task.kind == Kind::Numbers) return "keras.losses.MeanSquaredError()";
  if (task.isMultiLabel()) return "keras.losses.BinaryCrossentropy(from_logits=True)";
  if (task.target.oneHot || isFloat(task.target.dtype))
    return "keras.losses.CategoricalCrossentropy(from_logits=True)";
  return fmt::format("keras.losses.SparseCategoricalCrossentropy(from_logits=True{})",
                     task.kind == Kind::Masks ? ", ignore_class=255" : "");
}

std::string kerasSize(std::int64_t size) {
  return size == Shape::kUnknown ? std::string("None") : std::to_string(size);
}

Lines kerasDense(const TrainingTask& task) {
  return {fmt::format("keras.Input(({},)),", task.inputSize()),
          "keras.layers.Dense(256, \"relu\"),", "keras.layers.Dense(256, \"relu\"),",
          fmt::format("keras.layers.Dense({}),", outputsText(task))};
}

std::string kerasShape(const FieldSpec& picture) {
  return fmt::format("({}, {}, {})", kerasSize(picture.height()), kerasSize(picture.width()),
                     picture.channels());
}

/// Convolutions that keep the picture's size, and its change of size.
Lines kerasConvolutions(const TrainingTask& task) {
  constexpr const char* kHidden =
      "keras.layers.Conv2D(64, 3, padding=\"same\", activation=\"relu\"),";
  Lines layers{fmt::format("keras.Input({}),", kerasShape(task.inputs.front())), kHidden, kHidden};
  if (task.enlarges > 1)
    layers.push_back(fmt::format("keras.layers.UpSampling2D({}),", task.enlarges));
  if (task.shrinks > 1)
    layers.push_back(fmt::format("keras.layers.AveragePooling2D({}),", task.shrinks));
  layers.push_back(fmt::format("keras.layers.Conv2D({}, 3, padding=\"same\"),", outputsText(task)));
  return layers;
}

Lines kerasModel(const TrainingTask& task) {
  if (givesRow(task) && task.readsPictures())
    return {
        fmt::format("return keras.applications.MobileNetV2({}, weights=None, classes={}, "
                    "classifier_activation=None)",
                    kerasShape(task.inputs.front()), outputsText(task))};
  Lines lines{"return keras.Sequential(", "    ["};
  for (const std::string& layer : givesRow(task) ? kerasDense(task) : kerasConvolutions(task))
    lines.push_back("        " + layer);
  lines.insert(lines.end(), {"    ]", ")"});
  return lines;
}

/// The number of batches in an epoch, which tf.data does not know, because samples may fail.
void addSteps(PythonFile& file, const ExportSubject& subject) {
  const BatchSettings batch = runtimeOf(nodeTexts(subject, kTfDataTarget)).batch;
  const std::optional<std::int64_t> samples = subject.pipeline->nodes.back().in.samples;
  if (!samples) {
    file.option({"STEPS", "1000", "batches in an epoch; a guess: set it for your data"});
    file.limit("The data was not examined, so STEPS is a guess: set it before you train.");
    return;
  }
  const std::int64_t more = batch.dropLast ? 0 : batch.size - 1;
  const std::int64_t steps = std::max<std::int64_t>(1, (*samples + more) / batch.size);
  file.option({"STEPS", std::to_string(steps), "batches in an epoch"});
}

Status addFit(PythonFile& file, const ExportSubject& subject, bool isShort) {
  MILLRACE_TRY(addKerasModel(file, subject, isShort));
  file.defineSnippet("keras_fit");
  return {};
}

constexpr CodeEnding kKeras = {"Keras", "Tested with Keras 3.15 and TensorFlow 2.21.", addFit, "",
                               true};

}  // namespace

Status addKerasModel(PythonFile& file, const ExportSubject& subject, bool isShort) {
  MILLRACE_ASSIGN_OR_RETURN(const TrainingTask task, trainingTaskOf(subject));
  addTrainingOptions(file, task);
  file.option({"SEED", "0", ""});
  addSteps(file, subject);
  file.import("import keras");
  file.define(
      pythonFunction("pair(batch)", "Return the inputs of the network and its targets.",
                     {"inputs = " + kerasInput(task, isShort),
                      "targets = " + kerasTarget(task, isShort), "return inputs, targets"}));
  file.define(pythonFunction("make_model()", "Return the network to train.", kerasModel(task)));
  file.define(
      pythonFunction("make_loss()", "Return the loss function.", {"return " + kerasLoss(task)}));
  file.define(pythonFunction("make_pairs()", "Return pairs of inputs and targets, without end.",
                             {isShort ? "return make_dataset().repeat().map(pair)"
                                      : "return make_dataset(epochs=2**31).map(pair)"}));
  return {};
}

namespace targets {

Exporter keras() {
  Exporter exporter;
  exporter.name = "keras";
  exporter.label = kKeras.label;
  exporter.about = "model.fit over tf.data, for every backend of Keras 3";
  exporter.extension = ".py";
  exporter.entry = "make_dataset";
  exporter.builtOn = kTfDataTarget;
  exporter.write = [](const ExportSubject& subject) { return writeTfData(subject, kKeras); };
  return exporter;
}

}  // namespace targets

}  // namespace millrace
