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

/// A pipeline being edited: its graph, file and undo stack. Every edit is a new graph made by a
/// pure function; the undo command holds the difference as values. Independent of any view. GUI
/// thread.
class Document : public QObject {
  Q_OBJECT
 public:
  /// `catalog` must outlive the document.
  explicit Document(const Catalog& catalog, QObject* parent = nullptr);

  const Graph& graph() const { return m_graph; }
  const Catalog& catalog() const { return m_catalog; }
  const NodeSpec* specOf(const NodeId& id) const;
  QUndoStack& undoStack() { return m_undo; }

  /// Makes `after` the graph, as one undo step with this text; does nothing if they are equal. An
  /// edit made by a listener while another one is being made or undone is dropped. Consecutive
  /// edits with the same `mergeKey` (typing a value, nudging a node) are one step.
  void edit(const QString& text, Graph after, const QString& mergeKey = {});
  /// The same for an edit that may be refused: then `refused` is emitted with the reason and
  /// nothing changes.
  bool tryEdit(const QString& text, Result<Graph> after, const QString& mergeKey = {});
  /// The next edit begins a new undo step.
  void endMerge() { m_mergeable = false; }

  /// Empty if the document has no file yet.
  const QString& filePath() const { return m_file; }
  /// The file's name, or the document's name until it has a file.
  QString title() const;
  bool isModified() const { return !m_undo.isClean() || m_recovered; }
  /// The folder that relative paths start from.
  std::filesystem::path base() const;
  /// The bytes for the document's file.
  std::string text() const;

  /// Takes the content of `file`, as read by documentBytes. On failure the document is unchanged
  /// and the error is a sentence.
  Status openBytes(std::string_view bytes, const QString& file);
  /// Opens a document without a file, such as an example. `title` is its name.
  Status openText(std::string_view text, const QString& title);
  /// Takes the content of a recovery file for `file`, which may be empty; counts as modified.
  Status recover(std::string_view text, const QString& file, const QString& title);
  /// Call when `file` holds `written`, which is the `text` at the time when writing began. From now
  /// on this is the document's file; edits made meanwhile leave the document modified.
  void savedAs(const QString& file, std::string_view written);

  /// Fingerprint of the file's bytes when they were last read or written here; empty if unknown.
  const QByteArray& fileFingerprint() const { return m_fingerprint; }
  static QByteArray fingerprintOf(std::string_view bytes);

  /// Remarks from reading the file (unknown keys and the like).
  const Problems& readProblems() const { return m_readProblems; }

 signals:
  /// The graph has changed: emitted after each edit, undo and redo.
  void changed();
  /// Another document was loaded into this object; `changed` follows.
  void replaced();
  /// Path, title or modified state has changed.
  void stateChanged();
  void refused(const QString& why);
  /// The file now holds the document.
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
  bool m_applying = false;  ///< a command is being applied: listeners must not edit
  bool m_mergeable = false;
  bool m_recovered = false;
};

}  // namespace millrace
