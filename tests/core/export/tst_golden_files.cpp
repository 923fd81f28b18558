// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What is exported, compared with the files in golden/. MILLRACE_REGENERATE=1 writes the files
// instead.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <QProcess>
#include <QStandardPaths>

#include "tests/core/export/golden_case.h"
#include "tests/core/export/line_diff.h"
#include "tests/core/export/snippet_lines.h"
#include "tests/support/needs_part.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::GoldenCase;
using tests::goldenCases;

/// Why a golden file is stale: the difference between it and what is exported.
std::string staleText(const GoldenCase& golden, const std::string& code) {
  const std::string now = tests::withSnippetsNamed(code, golden.exporter->texts());
  const Result<std::string> kept = tests::goldenText(golden);
  const std::string difference =
      kept ? tests::lineDiff(*kept, now, {"golden", "exported"}) : kept.error().message;
  return fmt::format(
      "{} is stale. Look at the difference, then set MILLRACE_REGENERATE=1 and run this test "
      "again.\n{}",
      golden.file().string(), difference);
}

void rewrite(const std::filesystem::path& file, const std::string& content) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << content;
}

}  // namespace

class TestGoldenFiles : public QObject {
  Q_OBJECT
 private slots:
  void everyPipelineIsExportedAsItsGoldenFile_data() {
    QTest::addColumn<std::size_t>("index");
    for (std::size_t i = 0; i < goldenCases().size(); ++i) {
      const GoldenCase& golden = goldenCases()[i];
      QTest::addRow("%s %s", golden.exporter->name.c_str(), golden.name().c_str()) << i;
    }
  }

  /// Two ways: the exported code in the form of a golden file is that file, and the golden file
  /// with the snippets that it names in their places is the exported code.
  void everyPipelineIsExportedAsItsGoldenFile() {
    QFETCH(std::size_t, index);
    const GoldenCase& golden = goldenCases()[index];
    if (golden.name() == "chess") MILLRACE_NEEDS_PART("muparser");
    if (golden.name() == "hdf5") MILLRACE_NEEDS_PART("hdf5");
    const Result<std::string> code = golden.exported();
    VERIFY_OK(code);
    const Result<std::string> form = tests::goldenForm(golden);
    VERIFY_OK(form);
    if (std::getenv("MILLRACE_REGENERATE") != nullptr) rewrite(golden.file(), *form);
    const Result<std::string> kept = tests::goldenText(golden);
    if (!kept || tests::contentOf(golden.file()) != *form ||
        tests::withSnippetsInPlace(*kept) != *code)
      QFAIL(staleText(golden, *code).c_str());
  }

  void everyGoldenFileHasAPipeline() {
    std::set<std::filesystem::path> known;
    for (const GoldenCase& golden : goldenCases()) known.insert(golden.file());
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tests::kGoldenFolder))
      QVERIFY2(entry.is_directory() || known.count(entry.path()) == 1, entry.path().c_str());
  }

  void everythingExportedIsPython() {
    MILLRACE_NEEDS_PART("muparser");
    MILLRACE_NEEDS_PART("hdf5");
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    const tests::TemporaryFolder folder;
    int count = 0;
    for (const GoldenCase& golden : goldenCases()) {
      if (!golden.exporter->isCode) continue;
      const Result<std::string> code = golden.exported();
      VERIFY_OK(code);
      folder.write(golden.exporter->name + "/" + golden.name() + ".py", *code);
      ++count;
    }
    QProcess python;
    python.start("python3", {"-c",
                             "import pathlib, sys\n"
                             "files = list(pathlib.Path(sys.argv[1]).rglob('*.py'))\n"
                             "for name in files:\n"
                             "    compile(name.read_bytes(), str(name), 'exec')\n"
                             "print(len(files))\n",
                             QString::fromStdString(folder.path().string())});
    QVERIFY(python.waitForFinished(60000));
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    QCOMPARE(python.readAllStandardOutput().trimmed().toInt(), count);
  }
};

}  // namespace millrace

using millrace::TestGoldenFiles;
MILLRACE_TEST_CASE(TestGoldenFiles)
#include "tst_golden_files.moc"
