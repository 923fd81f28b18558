// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/export_check.h"

#include "core/graph/graph_check.h"

namespace millrace {

ExportCheck checkForExport(const Graph& graph, const Catalog& catalog,
                           const std::filesystem::path& base, bool noRandom) {
  CheckOptions options;
  options.base = base;
  options.noRandom = noRandom;
  options.openData = true;
  options.device = DeviceUse::DontDetect;
  CheckResult opened = checkGraph(graph, catalog, options);
  options.openData = false;
  CheckResult closed = opened.pipeline ? CheckResult{} : checkGraph(graph, catalog, options);
  ExportCheck check;
  check.dataKnown = opened.pipeline.has_value();
  if (!opened.pipeline && closed.pipeline) {
    for (const Problem& problem : opened.problems.all())
      if (problem.severity == Severity::Error)
        check.notes.push_back("the data could not be opened: " + problem.message);
  }
  CheckResult& result = opened.pipeline ? opened : closed;
  check.problems = result.problems.all();
  check.pipeline = std::move(result.pipeline);
  return check;
}

}  // namespace millrace
