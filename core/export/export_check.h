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

/// A pipeline checked for exporting it as code. Value type.
struct ExportCheck {
  std::optional<CheckedPipeline> pipeline;  ///< absent: `problems` says why
  bool dataKnown = false;                   ///< the data was opened
  std::vector<Problem> problems;
  std::vector<std::string> notes;  ///< what remains unknown, in sentences without full stop
};

/// Checks with the data open if that succeeds, otherwise without it and with a note: code can be
/// exported without the data. `catalog` must outlive the result. May list all of the data and
/// generate the data of `sample:` paths. Any thread.
ExportCheck checkForExport(const Graph& graph, const Catalog& catalog,
                           const std::filesystem::path& base, bool noRandom);

}  // namespace millrace
