// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/checked_pipeline.h"
#include "core/graph/graph.h"

namespace millrace {

/// What is exported. `graph`, `catalog` and `pipeline` must outlive the call.
struct ExportSubject {
  const Graph* graph = nullptr;
  const Catalog* catalog = nullptr;
  /// The checked graph. May be nullptr only for targets that are not code.
  const CheckedPipeline* pipeline = nullptr;
  /// Whether the check opened the data.
  bool dataKnown = false;
  std::string name;     ///< the file or example as the user named it; any bytes
  std::string version;  ///< of Millrace
  /// Millrace's measurements of this pipeline, in sentences; any bytes; may be empty.
  std::vector<std::string> figures;
};

/// A pipeline in the target's language.
struct Exported {
  std::string text;
  /// How the target differs from Millrace, as in the head of `text`.
  std::vector<std::string> limits;
  /// Nodes without a counterpart, "id: reason". The code does not start before they are replaced.
  std::vector<std::string> missing;
};

/// An export target. Constant; any thread.
struct Exporter {
  std::string name;       ///< value of `--to`, and key of NodeSpec::exporters
  std::string label;      ///< as displayed
  std::string about;      ///< the result in a few words
  std::string extension;  ///< of its files: ".py"
  bool isCode = true;     ///< needs ExportSubject::pipeline
  /// Whether node kinds are translated (NodeSpec::exporters); false if the engine itself runs.
  bool translates = true;
  /// Pure: equal subjects give equal bytes. The error names what the target cannot represent.
  Result<Exported> (*write)(const ExportSubject& subject) = nullptr;
};

/// In the order of exporters.def.
const std::vector<Exporter>& exporters();
/// nullptr for an unknown target.
const Exporter* findExporter(std::string_view name);

}  // namespace millrace
