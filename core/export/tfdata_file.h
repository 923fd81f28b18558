// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exporter.h"
#include "core/export/python_file.h"

namespace millrace {

inline constexpr const char* kTfDataTarget = "tfdata";

/// The pipeline in the short form if every node fits it, otherwise in the long form. The ending
/// follows `make_dataset()`: in the short form a data set of one epoch, in another order each time
/// it is read; in the long form `make_dataset(first_epoch, epochs)`.
Result<Exported> writeTfData(const ExportSubject& subject, const CodeEnding& ending);

/// Adds the functions `make_model()`, `make_loss()` and `make_pairs()` for Keras, and the options
/// EPOCHS, LEARNING_RATE, SEED and STEPS. The error says what the pipeline lacks.
Status addKerasModel(PythonFile& file, const ExportSubject& subject, bool isShort);

}  // namespace millrace
