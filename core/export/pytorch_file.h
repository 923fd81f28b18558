// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exporter.h"
#include "core/export/python_file.h"

namespace millrace {

inline constexpr const char* kPyTorchTarget = "pytorch";

/// What a loader is made from in the short form.
struct ShortLoader {
  const ExportSubject& subject;
  const RuntimeNodes& runtime;
  std::string source;               ///< an expression
  std::vector<std::string> stages;  ///< further steps of the source
  std::vector<std::string> order;   ///< steps of the order nodes
  std::int64_t prefetch = 0;        ///< batches per worker, if more than PyTorch's default
  std::string collate;              ///< the function that makes a batch; empty: PyTorch's
};
/// Adds options, limits and imports, and returns the definition of `make_loader`, which uses the
/// function `load`.
using MakeLoader = std::string (*)(PythonFile& file, const ShortLoader& parts);

/// The pipeline in the short form if every node fits it, otherwise in the long form. The ending
/// follows `make_loader(rank, world_size)`, whose sampler has `set_epoch`.
Result<Exported> writePyTorch(const ExportSubject& subject, const CodeEnding& ending);
/// The same with another loader, which exists in the short form only. The error names the first
/// node that does not fit, and what to do.
Result<Exported> writePyTorch(const ExportSubject& subject, const CodeEnding& ending,
                              MakeLoader loader);

/// The snippet with the main function of the short form: `usual`, unless a batch has lists.
const char* shortMain(const ExportSubject& subject, const char* usual);
/// RANK and WORLD_SIZE.
void addRankOptions(PythonFile& file);

/// Adds the functions `make_model()` and `loss_of(model, batch)`, and the options EPOCHS and
/// LEARNING_RATE. The error says what the pipeline lacks.
Status addPyTorchModel(PythonFile& file, const ExportSubject& subject);
/// The same, and a loop that trains the model.
Status addPyTorchTraining(PythonFile& file, const ExportSubject& subject);

}  // namespace millrace
