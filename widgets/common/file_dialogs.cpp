// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/file_dialogs.h"

#include <memory>

#include <QAbstractItemView>
#include <QCompleter>
#include <QDir>
#include <QFileDialog>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QFileSystemModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QSet>
#include <QSettings>
#include <QUrl>

namespace millrace {

namespace {

/// Icons for folders and files that are chosen without reading them.
class PlainIcons final : public QFileIconProvider {
 public:
  QIcon icon(const QFileInfo& info) const override {
    return QFileIconProvider::icon(info.isDir() ? Folder : File);
  }
  QString type(const QFileInfo& info) const override { return info.isDir() ? "Folder" : "File"; }
  using QFileIconProvider::icon;
};

/// Lives as long as the program: a dialog may outlive its question.
PlainIcons& plainIcons() {
  static auto* icons = new PlainIcons;
  return *icons;
}

QString& lastFolder() {
  static QString folder;
  return folder;
}

/// Makes Qt's next dialog begin in this folder. Whatever folder a dialog is given, it first queries
/// the last dialog's folder (this program's, or that of any Qt program, from their common
/// settings), which may no longer respond. Only another dialog can change that folder.
void leadTo(const QString& folder) {
  static QFileDialog* guide = nullptr;
  if (guide == nullptr) {
    QSettings settings(QSettings::UserScope, "QtProject");
    const QString last = "FileDialog/lastVisited";
    if (settings.contains(last)) settings.setValue(last, QUrl::fromLocalFile(folder).toString());
    guide = new QFileDialog(nullptr, {}, folder);
    guide->setIconProvider(&plainIcons());
  }
  guide->setDirectory(folder);
}

QFileDialog* newDialog(QWidget* parent, const QString& title, const QString& folder,
                       const QString& filter) {
  QString start = folder.isEmpty() ? lastFolder() : folder;
  if (start.isEmpty()) start = QDir::currentPath();
  leadTo(start);
  return new QFileDialog(parent, title, start, filter);
}

/// The folders that a dialog has shown and that its thread has not listed yet.
struct Listing {
  QSet<QString> listed;
  QSet<QString> awaited;
};

/// Tracks what the dialog lists; a native dialog of the desktop cannot be tracked.
std::shared_ptr<const Listing> listingOf(QFileDialog& dialog) {
  auto listing = std::make_shared<Listing>();
  const auto* model = dialog.findChild<QFileSystemModel*>();
  if (model == nullptr) return listing;
  const auto follow = [listing](const QString& folder) {
    // The list of drives has no name and reports no end.
    if (!folder.isEmpty() && !listing->listed.contains(folder)) listing->awaited << folder;
  };
  follow(model->rootPath());
  QObject::connect(model, &QFileSystemModel::rootPathChanged, &dialog, follow);
  QObject::connect(model, &QFileSystemModel::directoryLoaded, &dialog,
                   [listing](const QString& folder) {
                     listing->listed << folder;
                     listing->awaited.remove(folder);
                   });
  return listing;
}

/// Accepts the full path of a file, typed and confirmed with Enter, from any folder. Qt's own line
/// gives the key to its list of proposals and clears the name.
class TypedFile final : public QObject {
 public:
  explicit TypedFile(QFileDialog& dialog)
      : QObject(&dialog), m_dialog(dialog), m_line(dialog.findChild<QLineEdit*>("fileNameEdit")) {
    if (m_line == nullptr) return;  // A native dialog.
    m_line->installEventFilter(this);
    if (m_line->completer() != nullptr) m_line->completer()->popup()->installEventFilter(this);
  }
  const QString& path() const { return m_path; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::KeyPress) return QObject::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const QFileInfo typed(m_line->text());
    const bool isEnter = key == Qt::Key_Return || key == Qt::Key_Enter;
    const bool isFit =
        typed.isFile() || (m_dialog.fileMode() == QFileDialog::AnyFile && !typed.exists());
    if (!isEnter || !typed.isAbsolute() || !isFit) return QObject::eventFilter(watched, event);
    m_path = typed.filePath();
    if (m_line->completer() != nullptr) m_line->completer()->popup()->hide();
    static_cast<QDialog&>(m_dialog).done(QDialog::Accepted);
    return true;
  }

 private:
  QFileDialog& m_dialog;
  QLineEdit* m_line;
  QString m_path;
};

class FileQuestion {
 public:
  FileQuestion(QWidget* parent, const QString& title, const QString& folder, const QString& filter)
      : m_dialog(newDialog(parent, title, folder, filter)), m_listing(listingOf(*m_dialog)) {
    m_dialog->setIconProvider(&plainIcons());
    // Otherwise the target of a link is queried once more, for its name.
    m_dialog->setOption(QFileDialog::DontResolveSymlinks);
  }
  /// A dialog's destructor waits for the listing thread, and that thread for a file system that may
  /// not respond. Such a dialog is kept, invisible, until the listing ends.
  ~FileQuestion() {
    QFileDialog* const dialog = m_dialog;
    if (dialog == nullptr || m_listing->awaited.isEmpty()) {
      delete dialog;
      return;
    }
    dialog->setParent(nullptr);
    QObject::connect(dialog->findChild<QFileSystemModel*>(), &QFileSystemModel::directoryLoaded,
                     dialog, [dialog, listing = m_listing] {
                       if (listing->awaited.isEmpty()) dialog->deleteLater();
                     });
  }
  FileQuestion(const FileQuestion&) = delete;
  FileQuestion& operator=(const FileQuestion&) = delete;

  /// Only before `ask`.
  QFileDialog& dialog() { return *m_dialog; }
  QStringList ask() {
    const auto* typed = m_dialog->acceptMode() == QFileDialog::AcceptOpen &&
                                m_dialog->fileMode() != QFileDialog::Directory
                            ? new TypedFile(*m_dialog)
                            : nullptr;
    if (m_dialog->exec() != QDialog::Accepted || !m_dialog) return {};
    if (typed != nullptr && !typed->path().isEmpty()) {
      lastFolder() = QFileInfo(typed->path()).absolutePath();
      return {typed->path()};
    }
    lastFolder() = m_dialog->directory().absolutePath();
    return m_dialog->selectedFiles();
  }
  QString filter() const { return m_dialog ? m_dialog->selectedNameFilter() : QString(); }

 private:
  QPointer<QFileDialog> m_dialog;  ///< may be deleted with its parent
  std::shared_ptr<const Listing> m_listing;
};

QStringList opened(QFileDialog::FileMode mode, QWidget* parent, const QString& title,
                   const QString& start, const QString& filter) {
  FileQuestion question(parent, title, start, filter);
  question.dialog().setFileMode(mode);
  return question.ask();
}

}  // namespace

QString lastDialogFolder() { return lastFolder(); }

QString askOpenFile(QWidget* parent, const QString& title, const QString& start,
                    const QString& filter) {
  return opened(QFileDialog::ExistingFile, parent, title, start, filter).value(0);
}

QString askOpenOrNewFile(QWidget* parent, const QString& title, const QString& start,
                         const QString& filter, const QString& accept) {
  FileQuestion question(parent, title, start, filter);
  question.dialog().setFileMode(QFileDialog::AnyFile);
  question.dialog().setLabelText(QFileDialog::Accept, accept);
  return question.ask().value(0);
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
  if (chosen != nullptr) *chosen = question.filter();
  return file;
}

}  // namespace millrace
