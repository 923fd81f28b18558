// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/graph/graph.h"
#include "core/spec/problem.h"

namespace millrace {

/// A pipeline checked as far as code for another loader needs it. Value type.
struct ExportCheck {
  std::optional<CheckedPipeline> pipeline;  ///< absent: `problems` says why
  bool dataKnown = false;                   ///< the data was looked at
  std::vector<Problem> problems;
  std::vector<std::string> notes;  ///< what stayed open, in sentences without full stop
};

/// Checks with the data open where that works, else without, which `notes` then says: code is also
/// exported where the data is not. `catalog` outlives the result. May read a whole listing and make
/// the generated data of `sample:` paths. Reentrant; any thread.
ExportCheck checkForExport(const Graph& graph, const Catalog& catalog,
                           const std::filesystem::path& base, bool noRandom);

}  // namespace millrace
