// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/file_dialogs.h"

#include <QFileDialog>
#include <QFileIconProvider>
#include <QFileInfo>

namespace millrace {

namespace {

/// Folders and files, without a look into them.
class PlainIcons final : public QFileIconProvider {
 public:
  QIcon icon(const QFileInfo& info) const override {
    return QFileIconProvider::icon(info.isDir() ? Folder : File);
  }
  QString type(const QFileInfo& info) const override { return info.isDir() ? "Folder" : "File"; }
  using QFileIconProvider::icon;
};

class FileQuestion {
 public:
  FileQuestion(QWidget* parent, const QString& title, const QString& folder, const QString& filter)
      : m_dialog(parent, title, folder.isEmpty() ? lastFolder() : folder, filter) {
    m_dialog.setIconProvider(&m_icons);
  }
  QFileDialog& dialog() { return m_dialog; }
  QStringList ask() {
    if (m_dialog.exec() != QDialog::Accepted) return {};
    lastFolder() = m_dialog.directory().absolutePath();
    return m_dialog.selectedFiles();
  }

 private:
  static QString& lastFolder() {
    static QString folder;
    return folder;
  }

  PlainIcons m_icons;  // outlives the dialog
  QFileDialog m_dialog;
};

QStringList opened(QFileDialog::FileMode mode, QWidget* parent, const QString& title,
                   const QString& start, const QString& filter) {
  FileQuestion question(parent, title, start, filter);
  question.dialog().setFileMode(mode);
  return question.ask();
}

}  // namespace

QString askOpenFile(QWidget* parent, const QString& title, const QString& start,
                    const QString& filter) {
  return opened(QFileDialog::ExistingFile, parent, title, start, filter).value(0);
}

QStringList askOpenFiles(QWidget* parent, const QString& title, const QString& start,
                         const QString& filter) {
  return opened(QFileDialog::ExistingFiles, parent, title, start, filter);
}

QString askFolder(QWidget* parent, const QString& title, const QString& start) {
  FileQuestion question(parent, title, start, {});
  question.dialog().setFileMode(QFileDialog::Directory);
  question.dialog().setOption(QFileDialog::ShowDirsOnly);
  return question.ask().value(0);
}

QString askSaveFile(QWidget* parent, const QString& title, const QString& start,
                    const QString& filter, QString* chosen, Overwriting overwriting) {
  const QFileInfo named(start);
  FileQuestion question(parent, title, start.contains('/') ? named.absolutePath() : QString(),
                        filter);
  QFileDialog& dialog = question.dialog();
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setOption(QFileDialog::DontConfirmOverwrite, overwriting == Overwriting::DoesNotAsk);
  if (!named.fileName().isEmpty()) dialog.selectFile(named.fileName());
  const QString file = question.ask().value(0);
  if (chosen != nullptr) *chosen = dialog.selectedNameFilter();
  return file;
}

}  // namespace millrace
