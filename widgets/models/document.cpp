// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/document.h"

#include <QCryptographicHash>
#include <QFileInfo>

#include "core/graph/json/graph_json.h"
#include "widgets/common/strings.h"
#include "widgets/models/graph_change.h"

namespace millrace {

/// Holds values only. The document owns the stack, which owns the command.
class EditCommand final : public QUndoCommand {
 public:
  EditCommand(Document& document, const QString& text, GraphChange change, QString mergeKey)
      : QUndoCommand(text),
        m_document(document),
        m_change(std::move(change)),
        m_mergeKey(std::move(mergeKey)) {}

  void redo() override {
    m_change.apply(m_document.m_graph);
    notify();
  }
  void undo() override {
    m_change.revert(m_document.m_graph);
    m_document.m_mergeable = false;
    notify();
  }
  int id() const override { return m_mergeKey.isEmpty() || !m_document.m_mergeable ? -1 : 1; }

  bool mergeWith(const QUndoCommand* other) override {
    const auto& next = static_cast<const EditCommand&>(*other);
    if (next.m_mergeKey != m_mergeKey) return false;
    Graph before = m_document.m_graph;
    next.m_change.revert(before);
    m_change.revert(before);
    m_change = GraphChange::between(before, m_document.m_graph);
    setText(next.text());
    if (m_change.empty()) setObsolete(true);
    return true;
  }

 private:
  void notify() {
    m_document.m_applying = true;
    emit m_document.changed();
    m_document.m_applying = false;
  }

  Document& m_document;
  GraphChange m_change;
  QString m_mergeKey;
};

Document::Document(const Catalog& catalog, QObject* parent)
    : QObject(parent), m_catalog(catalog), m_title("Untitled") {
  connect(&m_undo, &QUndoStack::cleanChanged, this, &Document::stateChanged);
}

const NodeSpec* Document::specOf(const NodeId& id) const {
  const GraphNode* node = m_graph.node(id);
  return node == nullptr ? nullptr : m_catalog.find(node->kind);
}

void Document::edit(const QString& text, Graph after, const QString& mergeKey) {
  if (m_applying) return;
  GraphChange change = GraphChange::between(m_graph, after);
  if (change.empty()) return;
  m_undo.push(new EditCommand(*this, text, std::move(change), mergeKey));
  m_mergeable = true;
}

bool Document::tryEdit(const QString& text, Result<Graph> after, const QString& mergeKey) {
  if (!after) {
    emit refused(sentence(after.error().message));
    return false;
  }
  edit(text, after.take(), mergeKey);
  return true;
}

QString Document::title() const {
  return m_file.isEmpty() ? m_title : QFileInfo(m_file).fileName();
}

std::filesystem::path Document::base() const {
  if (m_file.isEmpty()) return std::filesystem::current_path();
  return pathOf(QFileInfo(m_file).absolutePath());
}

std::string Document::text() const { return graphText(m_graph, m_catalog); }

namespace {

Error firstError(const Problems& problems) {
  for (const Problem& problem : problems.all())
    if (problem.severity == Severity::Error)
      return Error{problem.remedy.empty() ? problem.message
                                          : problem.message + "; " + problem.remedy};
  return Error{"the file contains no pipeline"};
}

}  // namespace

QByteArray Document::fingerprintOf(std::string_view bytes) {
  const auto data = QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
  return QCryptographicHash::hash(data, QCryptographicHash::Sha1);
}

Status Document::openBytes(std::string_view bytes, const QString& file) {
  ReadGraph read = parseGraph(bytes, m_catalog);
  if (!read.graph) return firstError(read.problems);
  m_fingerprint = fingerprintOf(bytes);
  replace(std::move(*read.graph), std::move(read.problems), file, {});
  return {};
}

Status Document::openText(std::string_view text, const QString& title) {
  ReadGraph read = parseGraph(text, m_catalog);
  if (!read.graph) return firstError(read.problems);
  m_fingerprint.clear();
  replace(std::move(*read.graph), std::move(read.problems), {}, title);
  return {};
}

Status Document::recover(std::string_view text, const QString& file, const QString& title) {
  ReadGraph read = parseGraph(text, m_catalog);
  if (!read.graph) return firstError(read.problems);
  m_fingerprint.clear();
  replace(std::move(*read.graph), std::move(read.problems), file, title);
  m_recovered = true;
  emit stateChanged();
  return {};
}

void Document::savedAs(const QString& file, std::string_view written) {
  m_file = file;
  m_fingerprint = fingerprintOf(written);
  m_recovered = false;
  m_mergeable = false;
  if (text() == written)
    m_undo.setClean();
  else
    m_undo.resetClean();
  emit stateChanged();
  emit saved();
}

void Document::replace(Graph graph, Problems problems, const QString& file, const QString& title) {
  m_undo.clear();
  m_graph = std::move(graph);
  m_readProblems = std::move(problems);
  m_file = file;
  if (!title.isEmpty()) m_title = title;
  m_recovered = false;
  m_mergeable = false;
  emit replaced();
  emit changed();
  emit stateChanged();
}

}  // namespace millrace
