// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/export/python_file.h"
#include "core/export/training_task.h"

namespace millrace {

// Pieces of training code that frameworks share.

/// Inputs and target of a training on the batches. The error begins with the pipeline's last node.
Result<TrainingTask> trainingTaskOf(const ExportSubject& subject);

/// NUM_CLASSES if the network gives classes, EPOCHS, and LEARNING_RATE.
void addTrainingOptions(PythonFile& file, const TrainingTask& task);

/// `batch["image"]`.
std::string batchField(const FieldSpec& field);

/// The number of the network's outputs: `NUM_CLASSES`, or a number.
std::string outputsText(const TrainingTask& task);

/// Whether the network gives one row of numbers for a sample, not a picture.
bool givesRow(const TrainingTask& task);

}  // namespace millrace
