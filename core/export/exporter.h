// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
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
  /// A sentence about the measured rate of code with this codeDigest() (exported_code.h); empty:
  /// it was not measured. May be null.
  std::function<std::string(const std::string& digest)> rateOf;
  /// Name of a file next to the code that the code reads the document from, if the target can;
  /// empty: the code contains the document.
  std::string beside;
  /// Whether a model and a training loop follow the loader. Only for targets with
  /// Exporter::trains.
  bool withTraining = false;
};

/// A pipeline in the target's language.
struct Exported {
  std::string text;
  /// How the target differs from Millrace, as in the head of `text`.
  std::vector<std::string> limits;
  /// Nodes without a counterpart, "id: reason". The code does not start before they are replaced.
  std::vector<std::string> missing;
  /// The content of ExportSubject::beside; empty if the code does not need the file.
  std::string document;
};

/// An export target. Constant; any thread.
struct Exporter {
  std::string name;       ///< value of `--to`
  std::string label;      ///< as displayed
  std::string about;      ///< the result in a few words
  std::string extension;  ///< of its files: ".py"
  bool isCode = true;     ///< needs ExportSubject::pipeline
  /// Whether node kinds are translated (NodeSpec::exporters); false if the engine itself runs.
  bool translates = true;
  /// The target whose texts of node kinds it uses, if not its own.
  std::string builtOn;
  /// The only kind of source that it reads; empty: all. Others are refused.
  std::string reads;
  /// Whether it refuses what has no short form (short_form.h).
  bool shortOnly = false;
  bool trains = false;  ///< can write ExportSubject::withTraining
  /// The function in its code whose result yields batches; empty if it is not code.
  std::string entry = "make_loader";
  /// Equal subjects give equal bytes while the data on disk stays the same: a source may list it if
  /// `dataKnown`. The error names what the target cannot represent.
  Result<Exported> (*write)(const ExportSubject& subject) = nullptr;

  /// Key of NodeSpec::exporters.
  const std::string& texts() const { return builtOn.empty() ? name : builtOn; }
};

/// The pipeline in the target's language. The error names what the target cannot represent, with
/// what to do.
Result<Exported> exportAs(const Exporter& target, const ExportSubject& subject);

/// In the order of exporters.def.
const std::vector<Exporter>& exporters();
/// nullptr for an unknown target.
const Exporter* findExporter(std::string_view name);

}  // namespace millrace
