// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exporter.h"
#include "core/export/python_file.h"

namespace millrace {

inline constexpr const char* kPyTorchTarget = "pytorch";

/// The pipeline in the short form if every node fits it, otherwise in the long form. The ending
/// follows `make_loader(rank, world_size)`, whose sampler has `set_epoch`.
Result<Exported> writePyTorch(const ExportSubject& subject, const CodeEnding& ending);

/// RANK and WORLD_SIZE.
void addRankOptions(PythonFile& file);

/// Adds the functions `make_model()` and `loss_of(model, batch)`, and the options EPOCHS and
/// LEARNING_RATE. The error says what the pipeline lacks.
Status addPyTorchModel(PythonFile& file, const ExportSubject& subject);
/// The same, and a loop that trains the model.
Status addPyTorchTraining(PythonFile& file, const ExportSubject& subject);

}  // namespace millrace
