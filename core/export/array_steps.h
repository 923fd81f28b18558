// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/export/exporter.h"
#include "core/export/python_file.h"

namespace millrace {

/// The steps of a pipeline for targets that work on dicts of arrays (tf.data, DALI, Grain), sorted
/// by the function of the exported file they belong to. Value type.
class ArraySteps {
 public:
  /// `orderName`: the variable that the order nodes modify.
  ArraySteps(const ExportSubject& subject, const std::string& target, std::string orderName);
  /// The same from the nodes' texts. `planes`: the value that makes channels planes; empty: a
  /// function of the snippet `layout`.
  ArraySteps(const ExportSubject& subject, std::vector<NodeText> nodes, std::string orderName,
             std::string planes = {});

  /// Adds the nodes' imports, snippets, options and limits, and the missing nodes.
  void addTo(PythonFile& file) const;

  const std::string& source() const { return m_source; }
  const std::vector<std::string>& order() const { return m_order; }
  /// Those of the long form are functions of a sample.
  const std::vector<ExportStep>& samples() const { return m_samples; }
  const std::vector<std::string>& batchOps() const { return m_batchOps; }
  const RuntimeNodes& runtime() const { return m_runtime; }
  /// Whether the source is a reader of records (resources/export/python/records.py), not a Source.
  bool readsRecords() const { return needsOfSource("records"); }
  /// Whether the source's code needs this snippet.
  bool needsOfSource(std::string_view snippet) const;
  /// Whether a shard node selects this rank's part.
  bool sharded() const { return m_sharded; }
  /// Whether a step contains `draw(`.
  bool draws() const;
  /// Whether order or samples depend on the seed.
  bool isRandom() const { return m_random; }

 private:
  void add(const NodeText& node);
  void addSteps(const NodeText& node);
  void addSample(std::string call);
  void addMissing(const NodeText& node);
  void closeSamples(const StreamType& stream);
  void padPictures(const StreamType& stream);

  std::vector<NodeText> m_nodes;
  RuntimeNodes m_runtime;
  std::string m_orderName;
  std::string m_source;
  std::vector<std::string> m_order;
  std::vector<ExportStep> m_samples;
  std::string m_planes;
  std::vector<std::string> m_batchOps;
  std::vector<std::string> m_snippets;
  std::vector<std::pair<std::string, std::string>> m_missing;
  std::vector<std::string> m_sourceSnippets;
  bool m_sharded = false;
  bool m_random = false;
  bool m_closed = false;
};

/// A Python function; each element of `body` is a statement on one line.
std::string pythonFunction(const std::string& signature, const std::string& docstring,
                           const std::vector<std::string>& body);

}  // namespace millrace
