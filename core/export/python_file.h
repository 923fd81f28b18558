// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/exporter.h"
#include "core/export/snippets.h"
#include "core/spec/export_text.h"

namespace millrace {

/// Columns that a line of code may have (PEP 8).
inline constexpr std::size_t kPythonWidth = 79;

/// One Python file in the making: head, docstring, imports, options, definitions. Each import,
/// option and snippet stands there once, however often it was asked for. Value type.
class PythonFile {
 public:
  /// `target`: folder of the snippets. `measured`: what stands above the figures.
  explicit PythonFile(std::string target,
                      std::string measured = "Measured with Millrace itself, not with this code:")
      : m_target(std::move(target)), m_measured(std::move(measured)) {}

  /// Everything of `text` but its steps.
  void add(const ExportText& text);
  /// "import os", "from x import a, b".
  void import(const std::string& line);
  /// Also what it needs, in front of it.
  void snippet(const std::string& name);
  /// An option of a name that is taken keeps its first value.
  void option(const ExportOption& option);
  /// A definition behind the snippets, in the order of the calls.
  void define(std::string code) { m_definitions.push_back(std::move(code)); }
  /// A snippet in that place: one that uses what was defined.
  void defineSnippet(const std::string& name);

  void limit(const std::string& sentence);
  void missing(std::string node, std::string why);
  const std::vector<std::string>& limits() const { return m_limits; }

  /// `label`: the target as a person sees it; `needs`: the versions that the code is written for.
  Exported finish(const ExportSubject& subject, const std::string& label,
                  const std::string& needs) const;

 private:
  std::string head(const ExportSubject& subject, const std::string& label,
                   const std::string& needs) const;
  Snippet known(const std::string& name);
  std::string importLines() const;
  std::string optionLines() const;

  std::string m_target;
  std::string m_measured;
  std::vector<std::string> m_imports;
  std::vector<ExportOption> m_options;
  std::set<std::string> m_known;  ///< names of the snippets that are there
  std::vector<std::string> m_snippets;
  std::vector<std::string> m_definitions;
  std::vector<std::string> m_limits;
  std::vector<std::string> m_missing;
};

/// What a node contributes to a target, with the node.
struct NodeText {
  const CheckedNode* node = nullptr;
  ExportText text;
};

/// What each node of the pipeline contributes, along the chain. A kind that says nothing for this
/// target is missing; nodes of the roles batch, workers, prefetch and consumer may say nothing,
/// since their settings say it all.
std::vector<NodeText> nodeTexts(const ExportSubject& subject, std::string_view target);

/// Sentences in comment lines of at most 79 columns, `lead` in front of the first.
std::string commentLines(std::string_view text, std::string_view lead);

}  // namespace millrace
