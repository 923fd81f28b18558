// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/rendezvous_folder.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/support/test_case.h"

namespace millrace {

class TestMeetingFolder : public QObject {
  Q_OBJECT
 private slots:
  void itIsRemovedWithWhatIsInIt() {
    {
      const auto folder = RendezvousFolder::make(parent());
      VERIFY_OK(folder);
      QFile file(folder->path() / "of a rank");
      QVERIFY(file.open(QIODevice::WriteOnly));
      QCOMPARE(entries(), 1);
    }
    QCOMPARE(entries(), 0);
  }

  void twoRunsDoNotMeet() {
    const auto one = RendezvousFolder::make(parent());
    const auto other = RendezvousFolder::make(parent());
    VERIFY_OK(other);
    QVERIFY(one->path() != other->path());
    QCOMPARE(entries(), 2);
  }

  void aDesertedOneIsRemovedByTheNext() {
    QVERIFY(QDir(m_parent.path()).mkdir("millrace-ranks-killed"));
    QVERIFY(QDir(m_parent.path()).mkdir("of another user"));
    const auto folder = RendezvousFolder::make(parent());
    VERIFY_OK(folder);
    QVERIFY(!QDir(m_parent.filePath("millrace-ranks-killed")).exists());
    QVERIFY(QDir(m_parent.filePath("of another user")).exists());
  }

  void whereNoneCanBeMadeTheErrorNamesThePlace() {
    const auto folder = RendezvousFolder::make(parent() / "nowhere");
    QVERIFY(!folder.ok());
    QVERIFY(QString::fromStdString(folder.error().message).contains("nowhere"));
  }

 private:
  std::filesystem::path parent() const { return m_parent.path().toStdString(); }
  int entries() const {
    return static_cast<int>(
        QDir(m_parent.path()).entryList({"millrace-ranks-*"}, QDir::Dirs).size());
  }

  QTemporaryDir m_parent;
};

}  // namespace millrace

using millrace::TestMeetingFolder;
MILLRACE_TEST_CASE(TestMeetingFolder)
#include "tst_rendezvous_folder.moc"
