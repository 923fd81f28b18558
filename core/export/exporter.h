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

/// What is to be exported. `graph`, `catalog` and `pipeline` outlive the call.
struct ExportSubject {
  const Graph* graph = nullptr;
  const Catalog* catalog = nullptr;
  /// The graph as it passed its check. Only a target that is no code does without.
  const CheckedPipeline* pipeline = nullptr;
  /// The check looked at the data.
  bool dataKnown = false;
  std::string name;     ///< the file or example, as a person knows it; any bytes
  std::string version;  ///< of Millrace
  /// What Millrace measured of this pipeline, in sentences; any bytes; empty: nothing.
  std::vector<std::string> figures;
};

/// A pipeline in a target's language.
struct Exported {
  std::string text;
  /// What the target does otherwise, as at the head of `text`.
  std::vector<std::string> limits;
  /// Nodes that have no counterpart, "id: why". The code refuses to start until they are dealt
  /// with.
  std::vector<std::string> missing;
};

/// One target. Constant; any thread.
struct Exporter {
  std::string name;       ///< what `--to` takes, and key of NodeSpec::exporters
  std::string label;      ///< as a person sees it
  std::string about;      ///< what comes out, in a few words
  std::string extension;  ///< of its files: ".py"
  bool isCode = true;     ///< needs ExportSubject::pipeline
  /// Each kind says what it is there (NodeSpec::exporters); off where the engine itself runs.
  bool translates = true;
  /// Pure: the same subject gives the same bytes. An error names what the target cannot hold.
  Result<Exported> (*write)(const ExportSubject& subject) = nullptr;
};

/// In the order of exporters.def.
const std::vector<Exporter>& exporters();
/// nullptr for a target that is not there.
const Exporter* findExporter(std::string_view name);

}  // namespace millrace
