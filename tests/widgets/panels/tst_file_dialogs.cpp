// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "widgets/common/file_dialogs.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPointer>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeView>

#include "tests/support/test_case.h"
#include "tests/widgets/patience.h"

namespace millrace {

namespace {

/// Whether another process would find the file locked by this one.
bool isLocked(const QByteArray& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(path.constData(), O_RDWR | O_CLOEXEC);
    struct flock lock{};
    lock.l_type = F_WRLCK;
    ::_exit(file >= 0 && ::fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 0 : 1);
  }
  int state = 1;
  return ::waitpid(child, &state, 0) == child && state == 0;
}

/// Calls `act` with the file dialog, once it is open and takes keys.
template <class Act>
void whenOpen(QObject& context, Act act) {
  auto* poll = new QTimer(&context);
  QObject::connect(poll, &QTimer::timeout, poll, [poll, act] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr || !dialog->isActiveWindow()) return;
    poll->stop();
    poll->deleteLater();
    act(*dialog);
  });
  poll->start(10);
}

}  // namespace

class TestFileDialogs : public QObject {
  Q_OBJECT
 private slots:
  void aDialogKeepsTheLocksOnListedFiles() {
    const QTemporaryDir folder;
    const QByteArray path = folder.filePath("store").toUtf8();
    const int file = ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    QVERIFY(file >= 0);
    QCOMPARE(::write(file, "SQLite format 3\0", 16), 16);
    struct flock lock{};
    lock.l_type = F_RDLCK;
    QCOMPARE(::fcntl(file, F_SETLK, &lock), 0);
    QVERIFY(isLocked(path));
    bool listed = false;
    QTimer poll;
    connect(&poll, &QTimer::timeout, this, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      const auto* view = dialog->findChild<QTreeView*>("treeView");
      listed = view != nullptr && view->model()->rowCount(view->rootIndex()) > 0;
      if (!listed) return;
      // A thread asks for its icon and type a moment later.
      QTimer::singleShot(300, dialog, &QDialog::reject);
      poll.stop();
    });
    poll.start(20);
    QVERIFY(askOpenFile(nullptr, "Choose", folder.path()).isEmpty());
    QVERIFY(listed);
    QVERIFY(isLocked(path));
    ::close(file);
  }

  void theFullPathOfAFileInAnotherFolderIsOpenedByEnter() {
    const QTemporaryDir folder;
    const QTemporaryDir other;
    const QString wanted = other.filePath("mine.millrace.json");
    QFile file(wanted);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    whenOpen(*this, [&](QFileDialog& dialog) {
      auto* line = dialog.findChild<QLineEdit*>("fileNameEdit");
      QTest::keyClicks(line, wanted);
      // The list of proposals takes the keys while it is open; on a busy machine it opens late.
      const QPointer<QFileDialog> open(&dialog);
      const bool closed = QTest::qWaitFor(
          [&] {
            if (open.isNull() || !open->isVisible()) return true;
            QWidget* popup = QApplication::activePopupWidget();
            QTest::keyClick(popup == nullptr ? line : popup, Qt::Key_Return);
            return open.isNull() || !open->isVisible();
          },
          kGenerousMs);
      if (!closed) dialog.reject();
    });
    QCOMPARE(askOpenFiles(nullptr, "Open", folder.path()), QStringList{wanted});
  }

  void aNameIsSuggestedInItsFolderAndTheNextDialogStartsThere() {
    const QTemporaryDir folder;
    const QString wanted = folder.filePath("runs.csv");
    whenOpen(*this, [](QFileDialog& dialog) { QMetaObject::invokeMethod(&dialog, "accept"); });
    QString chosen;
    QCOMPARE(askSaveFile(nullptr, "Save", wanted, "Table (*.csv);;JSON (*.json)", &chosen), wanted);
    QCOMPARE(chosen, "Table (*.csv)");
    QString begun;
    whenOpen(*this, [&](QFileDialog& dialog) {
      begun = dialog.directory().absolutePath();
      dialog.reject();
    });
    QVERIFY(askFolder(nullptr, "Folder").isEmpty());
    QCOMPARE(begun, QFileInfo(folder.path()).absoluteFilePath());
  }
};

}  // namespace millrace

using millrace::TestFileDialogs;
MILLRACE_TEST_CASE(TestFileDialogs)
#include "tst_file_dialogs.moc"
