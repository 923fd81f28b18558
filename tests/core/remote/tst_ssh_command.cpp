// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_command.h"

#include <algorithm>

#include <QFileInfo>

#include "tests/support/test_case.h"

namespace millrace {

class TestSshCommand : public QObject {
  Q_OBJECT
 private slots:
  void hostsOfSshAreAccepted_data() {
    QTest::addColumn<QString>("host");
    for (const char* host :
         {"gpu1", "me@gpu1.example.org", "ssh://me@gpu1:2222", "me@[fe80::1%eth0]", "lab_2"})
      QTest::newRow(host) << host;
  }
  void hostsOfSshAreAccepted() {
    QFETCH(const QString, host);
    VERIFY_OK(checkHost(host.toStdString()));
  }

  void whatSshOrAShellWouldReadIsRefused_data() {
    QTest::addColumn<QString>("host");
    for (const char* host : {"", "-oProxyCommand=touch x", "gpu1;reboot", "$(reboot)", "a b",
                             "`id`", "a\nb", "gpu1|id", "a'b"})
      QTest::newRow(host) << host;
  }
  void whatSshOrAShellWouldReadIsRefused() {
    QFETCH(const QString, host);
    const Status checked = checkHost(host.toStdString());
    QVERIFY(!checked);
    QVERIFY(checked.error().message.find("is not a host") != std::string::npos);
  }

  void theProgramIsOneWordForTheShellThere() {
    const auto lastWord = [](const std::string& program) {
      return sshCommand({.host = "gpu1", .program = program}).back();
    };
    QCOMPARE(lastWord("millrace"), std::string("exec millrace __remote"));
    QCOMPARE(lastWord("~/my tools/millrace"), std::string("exec ~/'my tools/millrace' __remote"));
    QCOMPARE(lastWord("a'; rm -r $HOME"), std::string("exec 'a'\\''; rm -r $HOME' __remote"));
  }

  void theHostFollowsTheEndOfOptions() {
    const std::vector<std::string> words = sshCommand({.host = "gpu1", .program = "millrace"});
    QCOMPARE(words[words.size() - 3], std::string("--"));
    QCOMPARE(words[words.size() - 2], std::string("gpu1"));
  }

  void onlyATerminalIsAsked() {
    const auto asks = [](bool terminal) {
      const auto words = sshCommand({.host = "gpu1", .program = "millrace", .asks = terminal});
      return std::ranges::count(words, "BatchMode=yes") == 0;
    };
    QVERIFY(!asks(false));
    QVERIFY(asks(true));
  }

  void theSocketFolderIsPrivate() {
    const QTemporaryDir home("/tmp/mr-XXXXXX");
    const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
    qputenv("XDG_RUNTIME_DIR", home.path().toUtf8());
    const std::filesystem::path folder = socketFolder();
    QCOMPARE(QString::fromStdString(folder.string()), home.filePath("millrace/ssh"));
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(!(QFile::permissions(home.filePath("millrace/ssh")) & others));
    // One that others may write to is not used.
    QFile::setPermissions(home.filePath("millrace/ssh"), QFile::permissions(home.path()) | others);
    QVERIFY(socketFolder().empty());
    // Nor is one whose sockets would have too long a path.
    qputenv("XDG_RUNTIME_DIR", home.filePath(QString(80, 'x')).toUtf8());
    QVERIFY(socketFolder().empty());
    before.isNull() ? qunsetenv("XDG_RUNTIME_DIR") : qputenv("XDG_RUNTIME_DIR", before);
  }
};

MILLRACE_TEST_CASE(TestSshCommand)

}  // namespace millrace

#include "tst_ssh_command.moc"
