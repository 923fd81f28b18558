// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The pipeline's own document (docs/reference/pipeline-file.md) with the user's settings; unknown
// nodes and keys are preserved.
#include "core/export/exporter.h"
#include "core/graph/json/graph_json.h"

namespace millrace::targets {

Exporter json() {
  Exporter exporter;
  exporter.name = "json";
  exporter.label = "Pipeline file";
  exporter.about = "the pipeline itself; opens and runs unchanged";
  exporter.extension = ".millrace.json";
  exporter.isCode = false;
  exporter.translates = false;
  exporter.entry = "";
  exporter.write = [](const ExportSubject& subject) -> Result<Exported> {
    return Exported{graphText(*subject.graph, *subject.catalog), {}, {}, {}};
  };
  return exporter;
}

}  // namespace millrace::targets
