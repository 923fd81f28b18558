// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#save-and-recover: the program ends while a file does not respond. This is a
// separate file, because a child of a process with hung folders cannot have any (`HungFolder`).
#include "app/workbench/window/main_window.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/hung_folder.h"
#include "tests/widgets/own_process.h"
#include "widgets/common/strings.h"

namespace millrace {

class TestHungEnd : public QObject {
  Q_OBJECT
 private slots:
  void theProgramEndsWhileAFileDoesNotRespond() {
    constexpr const char* kFolder = "MILLRACE_TEST_HUNG_FOLDER";
    if (const QByteArray left = qgetenv(kFolder); !left.isEmpty()) return leave(left.toStdString());
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", "{}");
    const auto ended = tests::runInOwnProcess("tst_hung_end", kFolder, fileText(folder.path()));
    QVERIFY2(ended.passed, ended.said.constData());
    if (ended.said.contains("SKIP")) QSKIP(ended.said.constData());
  }

 private:
  /// The program that is ended.
  static void leave(const std::filesystem::path& folder) {
    if (const QString why = tests::HungFolder::obstacle(); !why.isEmpty()) QSKIP(qPrintable(why));
    auto* hung = new tests::HungFolder(folder);  // It never answers.
    hung->hang();
    MainWindow window(builtinCatalog());
    window.show();
    window.open(fileText(folder / "mine.millrace.json"));
    QVERIFY(QTest::qWaitFor([] { return tests::HungFolder::waiting() > 0; }, tests::kGenerousMs));
    QVERIFY(window.close());
  }
};

}  // namespace millrace

using millrace::TestHungEnd;
MILLRACE_TEST_CASE(TestHungEnd)
#include "tst_hung_end.moc"
