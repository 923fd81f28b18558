// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#foreign-code: a pipeline with Python code asks before it runs.
#include "widgets/models/code_trust.h"

#include <QFile>

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/document_bench.h"
#include "tests/widgets/patience.h"
#include "widgets/export/export_work.h"
#include "widgets/models/document.h"

namespace millrace {

namespace {

using tests::DocumentBench;
using tests::kGenerousMs;

/// Three numbers a sample, which pass through a function of the user.
std::string pipelineWith(const std::string& params, const std::string& state = "on") {
  return R"({"format_version": 1, "nodes": [
    {"id": "source", "kind": "synthetic", "params": {"count": 100}},
    {"id": "own", "kind": "python", "state": ")" +
         state + R"(", "params": {)" + params + R"(, "fields": ["features"]}},
    {"id": "workers", "kind": "workers", "params": {"count": 1}},
    {"id": "batch", "kind": "batch", "params": {"size": 10}},
    {"id": "drain", "kind": "drain"}],
    "wires": [{"from": "source", "to": "own"}, {"from": "own", "to": "workers"},
              {"from": "workers", "to": "batch"}, {"from": "batch", "to": "drain"}]})";
}

const std::string kMine = R"("file": "mine.py", "function": "same", "python": "/usr/bin/python3")";

std::vector<UserCode> codeOf(const std::string& text, const std::filesystem::path& base) {
  return withDigests(userCode(*parseGraph(text, builtinCatalog()).graph, builtinCatalog(), base));
}

/// A file that leaves a trace when it is imported.
std::string tracing(const std::filesystem::path& folder, const std::string& more = {}) {
  return "open(\"" + (folder / "ran").string() + "\", \"a\").close()\n" + more +
         "def same(features):\n    return features\n";
}

}  // namespace

class TestCodeTrust : public QObject {
  Q_OBJECT
 private slots:
  void whatIsAllowedIsAFileWithItsContent() {
    const tests::TemporaryFolder folder;
    folder.write("mine.py", "same = abs\n");
    folder.write("other.py", "same = abs\n");
    const std::string text = pipelineWith(R"("file": "mine.py", "function": "same")");
    const std::vector<UserCode> code = codeOf(text, folder.path());
    QCOMPARE(code.size(), 1U);
    QCOMPARE(code.front().name, QString("mine.py"));
    QVERIFY(!isAllowed(code.front()));
    allow(code);
    QVERIFY(isAllowed(codeOf(text, folder.path()).front()));
    const std::string other = pipelineWith(R"("file": "other.py", "function": "same")");
    QVERIFY(!isAllowed(codeOf(other, folder.path()).front()));
    folder.write("mine.py", "same = eval\n");
    QVERIFY(!isAllowed(codeOf(text, folder.path()).front()));
  }

  void modulesAndInterpretersAreCodeToo() {
    const tests::TemporaryFolder folder;
    folder.write("steps/crop.py", "same = abs\n");
    folder.write("env/python", "#!/bin/sh\n");
    const std::string text =
        pipelineWith(R"("function": "steps.crop:same", "python": "env/python")");
    std::vector<UserCode> code = codeOf(text, folder.path());
    QCOMPARE(code.size(), 2U);
    QVERIFY(code[0].kind == UserCode::Kind::Interpreter && code[0].name == "env/python");
    QVERIFY(code[1].kind == UserCode::Kind::Module && code[1].name == "the module steps.crop");
    allow(code);
    folder.write("steps/crop.py", "same = eval\n");
    code = codeOf(text, folder.path());
    QVERIFY(isAllowed(code[0]) && !isAllowed(code[1]));
    // A module that is installed is asked for as well: `os` has functions that harm.
    code = codeOf(pipelineWith(R"("function": "os:remove")"), folder.path());
    QVERIFY(code.size() == 1 && !code.front().digest.isEmpty() && !isAllowed(code.front()));
  }

  void anExportDoesNotRunWhatIsNotAllowed() {
    const tests::TemporaryFolder folder;
    folder.write("mine.py", tracing(folder.path()));
    ExportSource source;
    source.graph = *parseGraph(pipelineWith(kMine), builtinCatalog()).graph;
    source.catalog = &builtinCatalog();
    source.base = folder.path();
    const ExportedTargets all = exportAll(source, {});
    QVERIFY(!all.targets.empty());
    for (const ExportedTarget& target : all.targets)
      QVERIFY2(!target.exported && target.refusal.contains("mine.py"), qPrintable(target.refusal));
    QVERIFY(!std::filesystem::exists(folder.path() / "ran"));
  }

  void withoutCodeThatRunsThereIsNothingToAsk() {
    DocumentBench plain;
    QVERIFY(plain.opened);
    QVERIFY(plain.window.page()->session().code.obstacle().isEmpty());
    const tests::TemporaryFolder folder;
    QVERIFY(codeOf(pipelineWith(kMine, "bypass"), folder.path()).empty());
  }

  void nothingRunsBeforeTheAnswer() {
    if (!QFile::exists("/usr/bin/python3")) QSKIP("there is no /usr/bin/python3");
    DocumentBench bench(pipelineWith(kMine));
    // The file comes after the document, as if it had been unpacked later.
    bench.folder.write("mine.py", tracing(bench.folder.path()));
    bench.window.page()->session().code.check();
    QVERIFY(bench.soon([&] { return !bench.noticed().isEmpty(); }));
    QVERIFY2(
        bench.noticed().front().contains("mine.py") && bench.noticed().front().endsWith("Run it?"),
        qPrintable(bench.noticed().front()));
    for (const char* name : {"run", "diagnose"}) {
      QVERIFY(bench.soon([&] { return !bench.window.action(name)->isEnabled(); }));
      QVERIFY2(bench.window.action(name)->toolTip().contains("Run it"),
               qPrintable(bench.window.action(name)->toolTip()));
    }
    const QString trace = bench.path("ran");
    QVERIFY(!QFile::exists(trace));

    bench.answer("Run it");
    QVERIFY(bench.soon([&] { return bench.noticed().isEmpty(); }));
    QVERIFY(bench.soon([&] { return bench.window.action("run")->isEnabled(); }));
    // The preview runs it now.
    QVERIFY(bench.soon([&] { return QFile::exists(trace); }));

    // Other content is asked for again, at the latest when the user returns to the window.
    bench.folder.write("mine.py", tracing(bench.folder.path(), "# more\n"));
    bench.window.page()->session().code.check();
    QVERIFY(bench.soon([&] { return !bench.noticed().isEmpty(); }));
    QVERIFY(bench.soon([&] { return !bench.window.action("run")->isEnabled(); }));
  }
};

}  // namespace millrace

using millrace::TestCodeTrust;
MILLRACE_TEST_CASE(TestCodeTrust)
#include "tst_code_trust.moc"
