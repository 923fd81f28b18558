// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "widgets/models/document.h"

#include <fstream>
#include <sstream>

#include <QSignalSpy>

#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/opened_files.h"
#include "widgets/common/strings.h"
#include "widgets/models/edits.h"
#include "widgets/models/recovery.h"

namespace millrace {

namespace {

std::string bytesOf(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

QString fileIn(const tests::TemporaryFolder& folder, const char* name) {
  return fileText(folder.path() / name);
}

/// One edit of each kind, in an order in which all are possible.
std::vector<Graph> someEdits(const Graph& begin) {
  const Catalog& catalog = builtinCatalog();
  std::vector<Graph> graphs;
  const auto then = [&](Graph graph) { graphs.push_back(std::move(graph)); };
  then(addNodeAt(begin, catalog, "blur", {100, 200})->graph);
  then(insertOnWire(graphs.back(), catalog, "blur", {"decode", "random_resized_crop"}).take());
  then(setParameter(graphs.back(), catalog, "blur", "sigma_max", Value{3.5}).take());
  then(moved(graphs.back(), {{"blur", {8, 16}}, {"batch", {80, 160}}}));
  then(toggleBypass(graphs.back(), catalog, {"flip", "blur"}).take());
  then(renameNode(graphs.back(), builtinCatalog(), "blur", "soft").take());
  then(togglePlainConsumer(graphs.back(), catalog,
                           graphs.back().nodes[graphs.back().nodes.size() - 2].id)
           ? togglePlainConsumer(graphs.back(), catalog,
                                 graphs.back().nodes[graphs.back().nodes.size() - 2].id)
                 ->graph
           : moved(graphs.back(), {{"soft", {24, 24}}}));
  then(removeNodes(graphs.back(), catalog, {"soft", "flip"}, Healing::Heal));
  then(removeNodes(graphs.back(), catalog, {"shuffle"}, Healing::Cut));
  then(paste(graphs.back(), catalog, copyText(graphs.back(), catalog, {"workers", "decode"}),
             {24, 24}, Incoming::Drop)
           ->graph);
  then(connectReplacing(graphs.back(), catalog, "image_folder", "decode_2").take());
  Graph seeded = graphs.back();
  seeded.seed = 42;
  then(std::move(seeded));
  return graphs;
}

}  // namespace

class TestDocument : public QObject {
  Q_OBJECT
 private slots:
  /// docs/workbench.md#open-a-file.
  void openingAndSavingAShippedFileKeepsEveryByte() {
    const tests::TemporaryFolder folder;
    for (const Example& example : examples()) {
      folder.write("x.millrace.json", *exampleJson(example.name));
      Document document(builtinCatalog());
      VERIFY_OK(tests::openFile(document, fileIn(folder, "x.millrace.json")));
      QVERIFY(!document.isModified());
      VERIFY_OK(tests::saveFile(document, fileIn(folder, "y.millrace.json")));
      QCOMPARE(bytesOf(folder.path() / "y.millrace.json"), *exampleJson(example.name));
    }
  }

  void unknownKindsAndKeysSurvive() {
    const std::string text =
        R"({"format_version": 1, "seed": 3, "later": [1, {"a": 2}], "wires": [],
            "nodes": [{"id": "lidar", "kind": "lidar_sweep", "params": {"rays": 64}, "hue": 7}]})";
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(text, "x"));
    document.edit("Move", moved(document.graph(), {{"lidar", {8, 8}}}));
    const QString written = toQt(document.text());
    for (const char* kept : {"\"rays\": 64", "\"hue\": 7", "\"later\"", "lidar_sweep"})
      QVERIFY2(written.contains(kept), kept);
  }

  void aCorruptFileIsRefusedWithItsLineAndChangesNothing() {
    const tests::TemporaryFolder folder;
    folder.write("bad.millrace.json", "{\n\"nodes\": [\n}");
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(*exampleJson("deblurring"), "d"));
    const std::string before = document.text();
    const Status opened = tests::openFile(document, fileIn(folder, "bad.millrace.json"));
    QVERIFY(!opened.ok());
    QVERIFY2(toQt(opened.error().message).contains("line 3"), opened.error().message.c_str());
    QCOMPARE(document.text(), before);
  }

  /// docs/workbench.md#undo.
  void undoingAllEditsRestoresEveryByte() {
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(*exampleJson("classification"), "c"));
    std::vector<std::string> states{document.text()};
    for (const Graph& graph : someEdits(document.graph())) {
      document.edit("Edit", graph);
      QVERIFY(document.text() != states.back());
      states.push_back(document.text());
    }
    QCOMPARE(document.undoStack().count(), static_cast<int>(states.size()) - 1);
    for (std::size_t i = states.size() - 1; i-- > 0;) {
      document.undoStack().undo();
      QCOMPARE(document.text(), states[i]);
    }
    QVERIFY(!document.isModified());
    for (std::size_t i = 1; i < states.size(); ++i) {
      document.undoStack().redo();
      QCOMPARE(document.text(), states[i]);
    }
  }

  void anEditWithoutAChangeIsNoUndoStep() {
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(*exampleJson("classification"), "c"));
    document.edit("Nothing", document.graph());
    QCOMPARE(document.undoStack().count(), 0);
  }

  void valuesTypedConsecutivelyAreOneStep() {
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(*exampleJson("classification"), "c"));
    const std::string before = document.text();
    for (const std::int64_t size : {65, 66, 67})
      document.edit("Size",
                    *setParameter(document.graph(), builtinCatalog(), "batch", "size", Value{size}),
                    "size");
    QCOMPARE(document.undoStack().count(), 1);
    document.endMerge();
    document.edit(
        "Size",
        *setParameter(document.graph(), builtinCatalog(), "batch", "size", Value{std::int64_t{68}}),
        "size");
    QCOMPARE(document.undoStack().count(), 2);
    document.undoStack().undo();
    document.undoStack().undo();
    QCOMPARE(document.text(), before);
  }

  void aRefusedEditIsExplainedAndLeavesTheStackUnchanged() {
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(*exampleJson("classification"), "c"));
    QSignalSpy refused(&document, &Document::refused);
    QVERIFY(!document.tryEdit("x", setParameter(document.graph(), builtinCatalog(), "batch", "size",
                                                Value{std::int64_t{0}})));
    QCOMPARE(refused.count(), 1);
    QVERIFY(refused[0][0].toString().contains("1 to"));
    QCOMPARE(document.undoStack().count(), 0);
  }

  void savingMarksCleanAndUndoingPastItMarksModified() {
    const tests::TemporaryFolder folder;
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(*exampleJson("classification"), "c"));
    document.edit("Seed", someEdits(document.graph()).front());
    QVERIFY(document.isModified());
    VERIFY_OK(tests::saveFile(document, fileIn(folder, "a.millrace.json")));
    QVERIFY(!document.isModified());
    QCOMPARE(document.title(), "a.millrace.json");
    document.undoStack().undo();
    QVERIFY(document.isModified());
  }

  void aFailedSaveKeepsTheOldFileAndStaysModified() {
    const tests::TemporaryFolder folder;
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(*exampleJson("classification"), "c"));
    document.edit("Edit", someEdits(document.graph()).front());
    const Status saved = tests::saveFile(document, fileIn(folder, "no/such/folder.json"));
    QVERIFY(!saved.ok());
    QVERIFY(document.isModified());
    QVERIFY(document.filePath().isEmpty());
  }

  /// docs/workbench.md#save-and-recover.
  void unsavedChangesAreRecoveredAfterAKill() {
    const tests::TemporaryFolder folder;
    const QString place = fileText(folder.path() / "recovery");
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(*exampleJson("classification"), "c"));
    auto recovery = std::make_unique<Recovery>(document, place);
    document.edit("Edit", someEdits(document.graph()).front());
    recovery->writeNow();
    QVERIFY(QFile::exists(recovery->recoveryFile()));
    QVERIFY(Recovery::leftBehind(place).empty());  // This process is alive.

    // The same file as left by a process that has ended.
    std::string kept = bytesOf(pathOf(recovery->recoveryFile()));
    const QRegularExpression process("\"process\": \\d+");
    QString edited = toQt(kept);
    edited.replace(process, "\"process\": 2147483646");
    folder.write("recovery/2147483646-1.json", edited.toStdString());
    const std::vector<RecoveredDocument> left = Recovery::leftBehind(place);
    QCOMPARE(left.size(), std::size_t{1});
    Document again(builtinCatalog());
    VERIFY_OK(again.recover(left[0].text, left[0].file, left[0].title));
    QCOMPARE(again.text(), document.text());
    QVERIFY(again.isModified());
    const QString file = recovery->recoveryFile();
    recovery.reset();
    QVERIFY(!QFile::exists(file));  // A clean exit leaves no file.
  }

  /// docs/workbench.md#save-and-recover.
  void aRecoveryFileIsFoundEvenIfItsProcessIdIsReused() {
    const tests::TemporaryFolder folder;
    const QString place = fileText(folder.path() / "recovery");
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(*exampleJson("classification"), "c"));
    Recovery recovery(document, place);
    document.edit("Edit", someEdits(document.graph()).front());
    recovery.writeNow();
    QString kept = toQt(bytesOf(pathOf(recovery.recoveryFile())));
    QVERIFY(kept.contains(QString("\"process\": %1").arg(QCoreApplication::applicationPid())));
    kept.replace(QRegularExpression("\"started\": \\d+"), "\"started\": 1");
    folder.write("recovery/of-another-1.json", kept.toStdString());
    const std::vector<RecoveredDocument> left = Recovery::leftBehind(place);
    QCOMPARE(left.size(), std::size_t{1});
    QVERIFY(left[0].recoveryFile.endsWith("of-another-1.json"));
  }
};

}  // namespace millrace

using millrace::TestDocument;
MILLRACE_TEST_CASE(TestDocument)
#include "tst_document.moc"
