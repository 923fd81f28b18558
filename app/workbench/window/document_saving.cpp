// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/document_saving.h"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>

#include "app/workbench/controllers/file_controller.h"
#include "widgets/bridge/file_work.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/strings.h"

namespace millrace {

DocumentSaving::DocumentSaving(FileController& files, QSettings& settings, QWidget& window)
    : QObject(&window), m_files(files), m_settings(settings), m_window(window) {}

void DocumentSaving::watch(Document& document) {
  connect(&document, &Document::changed, this, [this] {
    ++m_edits;
    m_settled = false;
  });
}

void DocumentSaving::save(PipelinePage& page, const Then& saved) {
  const QString file = page.session().document.filePath();
  if (file.isEmpty())
    saveAs(page, saved);
  else
    write(page, file, saved);
}

void DocumentSaving::saveAs(PipelinePage& page, const Then& saved) {
  const Document& document = page.session().document;
  const bool hasFile = !document.filePath().isEmpty();
  const QString last = hasFile ? QFileInfo(document.filePath()).absolutePath()
                               : m_settings.value("folder", QDir::homePath()).toString();
  const QString name = hasFile ? document.title() : document.title() + ".millrace.json";
  withStartFolder(*this, last, [this, name, saved, page = QPointer(&page)](const QString& folder) {
    QString file =
        askSaveFile(&m_window, "Save pipeline", QDir(folder).filePath(name), kPipelineFilter);
    if (file.isEmpty() || !page) return;
    if (!file.endsWith(".json")) file += ".millrace.json";
    write(*page, file, saved);
  });
}

void DocumentSaving::write(PipelinePage& page, const QString& file, const Then& saved) {
  const std::string text = page.session().document.text();
  m_files.write(
      file, text,
      [this, file, text, saved, page = QPointer(&page)](const Status& written, bool givenUp) {
        const bool isOurs = page && (!givenUp || page->session().document.filePath() == file);
        if (!written && !givenUp) emit failed("Not saved", sentence(written.error().message));
        if (!written || !isOurs) return;
        page->session().document.savedAs(file, text);
        emit this->saved(file);
        if (saved && !givenUp && !page->session().document.isModified()) saved();
      });
}

DocumentSaving::Answer DocumentSaving::ask(PipelinePage& page) {
  const Document& document = page.session().document;
  if (!document.isModified()) return Answer::MayGo;
  emit asking(&page);
  QMessageBox box(QMessageBox::Question, "Millrace",
                  QString("%1 has unsaved changes.").arg(document.title()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &m_window);
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  if (answer == QMessageBox::Save) return Answer::Save;
  return answer == QMessageBox::Discard ? Answer::MayGo : Answer::Stay;
}

void DocumentSaving::letGo(PipelinePage& page, const Then& mayGo) {
  const Answer answer = ask(page);
  if (answer == Answer::MayGo) mayGo();
  if (answer == Answer::Save) save(page, mayGo);
}

bool DocumentSaving::mayAllGo(const QList<PipelinePage*>& pages, const Then& again) {
  if (m_settled) return true;
  QList<QPointer<PipelinePage>> unsaved;
  for (PipelinePage* page : pages) {
    const Answer answer = ask(*page);
    if (answer == Answer::Stay) return false;
    if (answer == Answer::Save) unsaved << page;
  }
  m_settled = unsaved.isEmpty();
  if (!m_settled) saveInTurn(unsaved, m_edits, again);
  return m_settled;
}

void DocumentSaving::saveInTurn(QList<QPointer<PipelinePage>> unsaved, int editsAsked,
                                const Then& again) {
  while (!unsaved.isEmpty() && !unsaved.first()) unsaved.removeFirst();
  if (unsaved.isEmpty()) {
    // Edits made while a file was being saved are asked about.
    m_settled = m_edits == editsAsked;
    return again();
  }
  PipelinePage* page = unsaved.takeFirst();
  save(*page, [this, unsaved, editsAsked, again] { saveInTurn(unsaved, editsAsked, again); });
}

}  // namespace millrace
