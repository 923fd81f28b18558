// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/exporter.h"
#include "core/export/snippets.h"
#include "core/spec/export_text.h"

namespace millrace {

/// Maximum length of a line of code, as in the snippets and by Black.
inline constexpr std::size_t kPythonWidth = 88;

/// A Python file under construction: docstring, head, imports, options, definitions. Repeated
/// imports, options and snippets are added once. Value type.
class PythonFile {
 public:
  /// `target`: folder of the snippets. `measured`: heading of the figures.
  explicit PythonFile(std::string target,
                      std::string measured = "Measured with Millrace itself, not with this code:")
      : m_target(std::move(target)), m_measured(std::move(measured)) {}

  /// Adds everything in `text` except its steps.
  void add(const ExportText& text);
  /// "import os", "from x import a, b".
  void import(const std::string& line);
  /// Also adds the snippets that it needs, before it.
  void snippet(const std::string& name);
  /// If the name exists already, the first value remains.
  void option(const ExportOption& option);
  /// Adds a definition after the snippets, in the order of the calls.
  void define(std::string code) { m_definitions.push_back(std::move(code)); }
  /// Adds a snippet among the definitions, for one that uses earlier definitions.
  void defineSnippet(const std::string& name);

  void limit(const std::string& sentence);
  /// Why the file has the long form, "NODE: reason"; stands in the head.
  void longBecause(std::string reason) { m_reason = std::move(reason); }
  void missing(std::string node, std::string why);
  const std::vector<std::string>& limits() const { return m_limits; }

  /// `label`: the target's displayed name; `needs`: the versions that the code is written for.
  Exported finish(const ExportSubject& subject, const std::string& label,
                  const std::string& needs) const;

 private:
  std::string head(const ExportSubject& subject, const std::string& label, const std::string& needs,
                   const std::string& code) const;
  Snippet known(const std::string& name);
  std::string importLines() const;
  std::string optionLines() const;

  std::string m_target;
  std::string m_measured;
  std::vector<std::string> m_imports;
  std::vector<ExportOption> m_options;
  std::set<std::string> m_known;  ///< names of the snippets added so far
  std::vector<std::string> m_snippets;
  std::vector<std::string> m_definitions;
  std::vector<std::string> m_limits;
  std::vector<std::string> m_missing;
  std::string m_reason;
};

/// What follows the loader in a file. Targets that are built on another one differ only here.
struct CodeEnding {
  const char* label = "";  ///< the target's displayed name
  const char* needs = "";  ///< the versions that the code is written for
  /// `isShort`: the file has the short form.
  Status (*add)(PythonFile& file, const ExportSubject& subject, bool isShort) = nullptr;
  /// Kinds' texts of the short form under "OWN.short" come before those of the target below.
  const char* own = "";
  /// The file trains a network whose pictures have their channels last.
  bool trainsKeras = false;
};

/// A node and what it contributes to a target.
struct NodeText {
  const CheckedNode* node = nullptr;
  ExportText text;
  bool isShort = false;  ///< the text is that of the short form
  bool onRows = false;   ///< the steps change whole batches
};

/// The settings of a pipeline's runtime nodes combined: the maximum of each.
struct RuntimeNodes {
  WorkersSettings workers{0, {}, {}};
  BatchSettings batch;
  std::int64_t prefetch = 0;
};
RuntimeNodes runtimeOf(const std::vector<NodeText>& nodes);

/// Whether order or samples depend on the seed. `ordered`: nodes change the order.
bool dependsOnSeed(const ExportSubject& subject, bool ordered);

/// How order and random values of the framework with this name differ from Millrace's; empty if
/// nothing depends on the seed.
std::string seedLimit(const ExportSubject& subject, bool ordered, const std::string& label);

/// Adds the nodes' imports, options, snippets and limits; the decoder's limits come first.
void addTexts(const std::vector<NodeText>& nodes, PythonFile& file);

/// The surroundings of a node of the pipeline.
ExportContext exportContext(const ExportSubject& subject, const CheckedNode& node);

/// What an exporter of the node's kind writes; of a source with data at a server, that this is not
/// read.
using NodeExporter = std::function<ExportText(const Values&, const ExportContext&)>;
ExportText textOf(const ExportSubject& subject, const CheckedNode& node,
                  const NodeExporter& exporter);

/// What each node of the pipeline contributes, in the order of the chain. A kind without an
/// exporter for the target is missing, except for the roles batch, workers, prefetch and consumer,
/// whose settings suffice.
std::vector<NodeText> nodeTexts(const ExportSubject& subject, std::string_view target);

/// An error with the first node that unpacks records and that the target lacks: without it there
/// are no fields. Other missing nodes can be filled in by the user. `label`: the target's displayed
/// name.
Status demandUnpacking(const std::vector<NodeText>& nodes, const std::string& label);

/// Sentences as comment lines of at most kPythonWidth columns; the first starts with `lead`.
std::string commentLines(std::string_view text, std::string_view lead);

}  // namespace millrace
