// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/pipeline_input.h"
#include "core/export/exporter.h"

namespace millrace::cli {

/// The arguments by which `export` names what is exported: a pipeline, or a kept run's.
struct ExportInput {
  PipelineArguments pipeline;
  std::string run;    ///< --run: a run's number, the begin of its id, or last; empty: `pipeline`
  std::string store;  ///< --store
  bool noFigures = false;

  void addTo(CLI::App& command);
};

/// What an exporter takes, and the memory behind it.
struct ExportJob {
  Graph graph;
  std::optional<CheckedPipeline> pipeline;
  ExportSubject subject;
};

/// Loads and, for code, checks: with the data open where that works, else without, which `notes`
/// then says. Nothing: `problems` says why. The job's subject points into the job.
bool prepareExport(ExportInput& input, const Exporter& exporter, ExportJob& job, Problems& problems,
                   std::vector<std::string>& notes);

}  // namespace millrace::cli
