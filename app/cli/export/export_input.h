// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/common/pipeline_input.h"
#include "core/export/exporter.h"

namespace millrace::cli {

/// The arguments of `export` that name a pipeline or a kept run.
struct ExportInput {
  PipelineArguments pipeline;
  std::string run;    ///< --run: number, beginning of the id, or last; empty: `pipeline`
  std::string store;  ///< --store
  bool noFigures = false;

  void addTo(CLI::App& command);
};

/// The input of an exporter, and the memory that it refers to.
struct ExportJob {
  Graph graph;
  std::optional<CheckedPipeline> pipeline;
  ExportSubject subject;
};

/// Loads and, for code, checks: with the data open if possible, otherwise without, which is
/// reported in `notes`. Returns false with `problems` on failure. The job's subject points into the
/// job.
bool prepareExport(ExportInput& input, const Exporter& exporter, ExportJob& job, Problems& problems,
                   std::vector<std::string>& notes);

}  // namespace millrace::cli
