// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/spec/problem.h"

namespace millrace {

/// A pipeline being edited: the graph, its file, its undo stack. Every edit is a new graph that a
/// pure function made; the undo command holds the difference as values. Knows nothing of how it is
/// shown. GUI thread.
class Document : public QObject {
  Q_OBJECT
 public:
  /// `catalog` outlives the document.
  explicit Document(const Catalog& catalog, QObject* parent = nullptr);

  const Graph& graph() const { return m_graph; }
  const Catalog& catalog() const { return m_catalog; }
  const NodeSpec* specOf(const NodeId& id) const;
  QUndoStack& undoStack() { return m_undo; }

  /// Makes `after` the graph, as one undo step of this text; nothing happens where they are equal.
  /// An edit that a listener makes while another one is being made or undone is dropped.
  /// Edits of the same `mergeKey` in a row (a value being typed, a node being pushed) are one step.
  void edit(const QString& text, Graph after, const QString& mergeKey = {});
  /// The same where an edit may be refused: then `refused` says why and nothing changed.
  bool tryEdit(const QString& text, Result<Graph> after, const QString& mergeKey = {});
  /// The next edit begins a step of its own.
  void endMerge() { m_mergeable = false; }

  /// Empty where the document has no file yet.
  const QString& filePath() const { return m_file; }
  /// The file's name, or what it is called until it has one.
  QString title() const;
  bool isModified() const { return !m_undo.isClean() || m_recovered; }
  /// Where relative paths start.
  std::filesystem::path base() const;
  /// The bytes for its file.
  std::string text() const;

  /// The content of `file`, as `document_bytes` reads it; on failure the document stays as it was
  /// and the sentence says why.
  Status openBytes(std::string_view bytes, const QString& file);
  /// A document without a file, such as an example. `title` is what it is called.
  Status openText(std::string_view text, const QString& title);
  /// The content of a recovery file of `file`, which may be empty; counts as modified.
  Status recover(std::string_view text, const QString& file, const QString& title);
  /// `file` holds `written` now, what `text` was when the writing began. The document is its file's
  /// from here on; edits made meanwhile leave it modified.
  void savedAs(const QString& file, std::string_view written);

  /// Of the bytes that its file held when they were read or written here last; empty: not known.
  const QByteArray& fileFingerprint() const { return m_fingerprint; }
  static QByteArray fingerprintOf(std::string_view bytes);

  /// What reading the file had to say (unknown keys and the like).
  const Problems& readProblems() const { return m_readProblems; }

 signals:
  /// The graph is another: after each edit, undo and redo.
  void changed();
  /// Another document was loaded into this object; `changed` follows.
  void replaced();
  /// Path, title or modified state.
  void stateChanged();
  void refused(const QString& why);
  /// The file holds the document.
  void saved();

 private:
  friend class EditCommand;
  void replace(Graph graph, Problems problems, const QString& file, const QString& title);

  const Catalog& m_catalog;
  Graph m_graph;
  QUndoStack m_undo;
  QString m_file;
  QString m_title;
  QByteArray m_fingerprint;
  Problems m_readProblems;
  bool m_applying = false;  ///< a command is at work: its listeners may not edit
  bool m_mergeable = false;
  bool m_recovered = false;
};

}  // namespace millrace
