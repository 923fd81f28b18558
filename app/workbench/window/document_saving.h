// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QList>
#include <QObject>
#include <QPointer>
#include <QSettings>

class QWidget;

namespace millrace {

class Document;
class FileController;
class PipelinePage;

/// The files that a dialog for documents lists.
inline constexpr const char* kPipelineFilter = "Pipelines (*.millrace.json *.json);;All files (*)";

/// Saves documents, and lets one go only once its changes are saved or the user discards them. GUI
/// thread.
class DocumentSaving : public QObject {
  Q_OBJECT
 public:
  /// Continues once a document is saved or may go; not called if it is not.
  using Then = std::function<void()>;

  /// All three must outlive this object; dialogs open over `window`.
  DocumentSaving(FileController& files, QSettings& settings, QWidget& window);

  /// Edits of this document are noticed from now on: see mayAllGo.
  void watch(Document& document);

  /// Writes the document to its file, or to one that the user chooses if it has none.
  void save(PipelinePage& page, const Then& saved = {});
  /// Writes the document to a file that the user chooses.
  void saveAs(PipelinePage& page, const Then& saved = {});

  /// Asks about unsaved changes if there are any.
  void letGo(PipelinePage& page, const Then& mayGo);
  /// Whether all of them may go now. Asks about each that has unsaved changes. If some must be
  /// saved first, that is begun, and `again` is called after it: to ask again, which asks only if a
  /// document was edited since.
  bool mayAllGo(const QList<PipelinePage*>& pages, const Then& again);

 signals:
  /// The user is about to be asked about this page.
  void asking(millrace::PipelinePage* page);
  void saved(const QString& file);
  void failed(const QString& title, const QString& sentence);

 private:
  enum class Answer { MayGo, Save, Stay };
  Answer ask(PipelinePage& page);
  void saveInTurn(QList<QPointer<PipelinePage>> unsaved, int editsAsked, const Then& again);
  void write(PipelinePage& page, const QString& file, const Then& saved);

  FileController& m_files;
  QSettings& m_settings;
  QWidget& m_window;
  int m_edits = 0;         ///< of all documents
  bool m_settled = false;  ///< each document was saved or may be discarded
};

}  // namespace millrace
