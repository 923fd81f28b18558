// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/missing_data.h"

#include <algorithm>
#include <system_error>

#include "core/formats/shard_files.h"
#include "core/graph/edit/graph_edit.h"
#include "core/storage/remote_path.h"
#include "widgets/bridge/file_work.h"
#include "widgets/models/document.h"

namespace millrace {

namespace fs = std::filesystem;

namespace {

constexpr int kCheckDelayMs = 300;
constexpr int kMissingAgainMs = 2000;
constexpr int kAllThereAgainMs = 10000;

fs::path placeOf(const std::string& path, const fs::path& base) {
  return fs::path(path).is_absolute() ? fs::path(path) : base / path;
}

bool isThere(const fs::path& place) {
  std::error_code error;
  const bool there = fs::exists(place, error);
  // A path that cannot be accessed is not missing; the run reports that error.
  return there || error;
}

/// For a pattern that names many files, one match is enough. A plain file may also have braces in
/// its name.
bool isMissing(const std::string& path, const fs::path& base) {
  const auto names = namesMeant(path, base);
  return names.ok() && !names->empty() && !isThere(placeOf(names->front(), base));
}

std::vector<std::string> pathsIn(const ParamValue& param) {
  const Value* value = std::get_if<Value>(&param);
  if (value == nullptr) return {};
  if (const auto* text = std::get_if<std::string>(value)) return {*text};
  if (const auto* list = std::get_if<TextList>(value)) return *list;
  return {};
}

std::string written(const fs::path& place, const fs::path& base, bool inFile) {
  const fs::path below = place.lexically_relative(base);
  const bool isBelow = inFile && !below.empty() && *below.begin() != "..";
  return (isBelow ? below : place).string();
}

Result<Graph> replaced(Graph graph, const Catalog& catalog, const MissingPath& missing,
                       const std::string& by) {
  const GraphNode* node = graph.node(missing.node);
  const auto at =
      node == nullptr ? ParamValues::const_iterator() : node->params.find(missing.param);
  if (node == nullptr || at == node->params.end())
    return Error{"the path is no longer in the pipeline"};
  const Value* value = std::get_if<Value>(&at->second);
  Value changed = by;
  if (value != nullptr)
    if (const auto* list = std::get_if<TextList>(value)) {
      TextList paths = *list;
      std::replace(paths.begin(), paths.end(), missing.path, by);
      changed = paths;
    }
  return setParameter(std::move(graph), catalog, missing.node, missing.param, changed);
}

}  // namespace

std::vector<MissingPath> dataPaths(const Graph& graph, const Catalog& catalog) {
  std::vector<MissingPath> paths;
  for (const GraphNode& node : graph.nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr || node.state != NodeState::On) continue;
    for (const ParamSpec& param : spec->params) {
      const auto at = node.params.find(param.name);
      if (!param.isData || at == node.params.end()) continue;
      for (const std::string& path : pathsIn(at->second))
        if (!path.empty() && !path.starts_with("sample:") && !isRemotePath(path))
          paths.push_back({node.id, param.name, path});
    }
  }
  return paths;
}

std::vector<MissingPath> missingOf(std::vector<MissingPath> paths, const fs::path& base) {
  std::erase_if(paths, [&](const MissingPath& each) { return !isMissing(each.path, base); });
  return paths;
}

Result<Graph> withDataAt(Graph graph, const Catalog& catalog, const fs::path& base, bool inFile,
                         const MissingPath& missing, const fs::path& place) {
  Result<Graph> done = replaced(std::move(graph), catalog, missing, written(place, base, inFile));
  if (!done) return done;
  // If a folder was moved, its siblings are expected to have moved with it: old/a and old/b become
  // new/a and new/b.
  const fs::path old = placeOf(missing.path, base);
  if (old.filename() != place.filename()) return done;
  for (const MissingPath& other : missingOf(dataPaths(*done, catalog), base)) {
    const fs::path rest = placeOf(other.path, base).lexically_relative(old.parent_path());
    if (rest.empty() || *rest.begin() == "..") continue;
    const fs::path there = place.parent_path() / rest;
    if (!isThere(there)) continue;
    Result<Graph> more = replaced(*done, catalog, other, written(there, base, inFile));
    if (more) done = std::move(more);
  }
  return done;
}

MissingData::MissingData(Document& document) : m_document(document) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kCheckDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &MissingData::check);
  m_again.setSingleShot(true);
  connect(&m_again, &QTimer::timeout, this, &MissingData::check);
  connect(&document, &Document::changed, this, [this] { m_delay.start(); });
}

void MissingData::check() {
  Question question{dataPaths(m_document.graph(), m_document.catalog()), m_document.base()};
  // Only one check at a time: data that does not respond would otherwise cost a thread for each
  // check.
  m_checkAgain = m_asked == question;
  if (m_checkAgain) return;
  m_asked = question;
  if (question.paths.empty()) {
    m_asked.reset();
    m_again.stop();
    return set({});
  }
  doFileWork(*this, [this, question] {
    auto missing = missingOf(question.paths, question.base);
    return [this, question, missing = std::move(missing)] {
      if (m_asked == question) take(missing);
    };
  });
}

void MissingData::take(const std::vector<MissingPath>& missing) {
  m_asked.reset();
  if (m_checkAgain) return check();
  // Started after the check has ended: a network folder may take its time.
  m_again.start(missing.empty() ? kAllThereAgainMs : kMissingAgainMs);
  set(missing);
}

void MissingData::set(const std::vector<MissingPath>& missing) {
  if (m_paths == missing) return;
  m_paths = missing;
  emit changed();
}

}  // namespace millrace
