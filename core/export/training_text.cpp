// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/training_text.h"

#include <fmt/format.h>

#include "core/spec/python_literal.h"

namespace millrace {

namespace {

using Kind = TrainingTask::Kind;

bool givesClasses(const TrainingTask& task) {
  return task.kind == Kind::Classes || task.kind == Kind::Masks;
}

}  // namespace

Result<TrainingTask> trainingTaskOf(const ExportSubject& subject) {
  const CheckedNode& last = subject.pipeline->nodes.back();
  Result<TrainingTask> task = trainingTask(last.in);
  if (!task) return Error{last.id + ": " + task.error().message};
  return task;
}

void addTrainingOptions(PythonFile& file, const TrainingTask& task) {
  if (givesClasses(task)) {
    file.option({"NUM_CLASSES", std::to_string(task.outputs),
                 task.outputsKnown ? "" : "a guess: set it for your data"});
    if (!task.outputsKnown)
      file.limit("The data was not examined, so NUM_CLASSES is a guess: set it before you train.");
  }
  file.option({"EPOCHS", "10", ""});
  file.option({"LEARNING_RATE", "1e-3", ""});
}

std::string batchField(const FieldSpec& field) {
  return fmt::format("batch[{}]", pythonText(field.name));
}

std::string outputsText(const TrainingTask& task) {
  return givesClasses(task) ? "NUM_CLASSES" : std::to_string(task.outputs);
}

bool givesRow(const TrainingTask& task) {
  return task.kind == Kind::Classes || task.kind == Kind::Numbers;
}

}  // namespace millrace
