// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemModelTester>

#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/models/library_model.h"
#include "widgets/models/node_display.h"
#include "widgets/models/pipeline_title.h"

namespace millrace {

namespace {

using Tester = QAbstractItemModelTester;
constexpr auto kFatal = Tester::FailureReportingMode::Fatal;

void settle(EditSession& session) {
  QVERIFY(QTest::qWaitFor([&] { return session.check.isCurrent(); }, 20000));
}

}  // namespace

class TestModels : public QObject {
  Q_OBJECT
 private slots:
  void aKeptRunsPipelineIsNamedAsTheUserKnowsIt() {
    for (const char* example : {"classification", "./classification"})
      QCOMPARE(shownPipeline(example), QString("classification (example)"));
    for (const char* file : {"./mine.millrace.json", "/a/b/mine.millrace.json"})
      QCOMPARE(shownPipeline(file), QString("mine.millrace.json"));
    // A saved copy of an example is a file like any other.
    QCOMPARE(shownPipeline("./chess.millrace.json"), QString("chess.millrace.json"));
    QCOMPARE(shownPipeline("./Untitled"), QString("Untitled"));
    QCOMPARE(shownPipeline("-"), QString("standard input"));
  }

  void theLibraryHasEveryKindOnce() {
    LibraryModel model(builtinCatalog());
    const Tester tester(&model, kFatal);
    int kinds = 0;
    for (int row = 0; row < model.rowCount(); ++row) kinds += model.rowCount(model.index(row, 0));
    QCOMPARE(kinds, static_cast<int>(builtinCatalog().all().size()));
  }

  void aLimitThatIsOffIsNotShownOnItsNode() {
    GraphNode node;
    node.id = "data";
    node.kind = "image_folder";
    node.params["paths"] = Value{TextList{"photos"}};
    const NodeSpec& spec = *builtinCatalog().find(node.kind);
    QVERIFY2(!settingsLine(node, spec).contains("samples"), qPrintable(settingsLine(node, spec)));
    node.params["read_ahead"] = Value{std::int64_t{8}};
    QVERIFY2(settingsLine(node, spec).contains("read ahead"), qPrintable(settingsLine(node, spec)));
  }

  void aSourceWithoutDataSaysSoOnItsNode() {
    GraphNode node;
    node.id = "data";
    for (const char* kind : {"image_folder", "paired_folders", "tfrecord", "hdf5"}) {
      node.kind = kind;
      QCOMPARE(settingsLine(node, *builtinCatalog().find(kind)).section(" · ", 1),
               QString("no data yet"));
    }
    node.kind = "synthetic";
    QVERIFY(!settingsLine(node, *builtinCatalog().find(node.kind)).contains("no data"));
  }

  void theLibraryIsFoundByTags() {
    LibraryModel model(builtinCatalog());
    LibraryFilter filter;
    filter.setSourceModel(&model);
    const Tester tester(&filter, kFatal);
    filter.setTyped("num_workers");
    QCOMPARE(filter.rowCount(), 1);
    QCOMPARE(filter.index(0, 0, filter.index(0, 0)).data(LibraryModel::KindRole).toString(),
             "workers");
    filter.setTyped("no such thing");
    QCOMPARE(filter.rowCount(), 0);
    filter.setTyped({});
    QCOMPARE(filter.rowCount(), model.rowCount());
  }

  void theOutlineFollowsEveryEdit() {
    EditSession session(builtinCatalog());
    const Tester outline(&session.outline, kFatal);
    const Tester problems(&session.problems, kFatal);
    VERIFY_OK(session.document.openText(*exampleJson("classification"), "c"));
    settle(session);
    const QModelIndex workers = session.outline.indexOf("workers");
    QVERIFY(session.outline.rowCount(workers) >= 4);
    QCOMPARE(session.outline.idAt(session.outline.index(0, 0)), NodeId("image_folder"));
    QCOMPARE(session.outline.parent(session.outline.indexOf("decode")), workers);
    session.selection.set({"workers"});
    session.editor.removeSelected(Healing::Cut);
    QVERIFY(!session.outline.indexOf("workers").isValid());
    settle(session);
    QVERIFY(session.problems.rowCount() > 0);
    session.selection.set({"flip"});
    session.editor.toggleBypass();
    session.editor.duplicate();
    session.editor.selectAll();
    session.editor.removeSelected(Healing::Heal);
    QCOMPARE(session.outline.rowCount(), 0);
    settle(session);
    QCOMPARE(session.problems.rowCount(), 0);
    while (session.document.undoStack().canUndo()) session.document.undoStack().undo();
    settle(session);
    QCOMPARE(session.problems.rowCount(), 0);
  }

  void theOutlineKeepsItsPositionWhenAValueChanges() {
    EditSession session(builtinCatalog());
    VERIFY_OK(session.document.openText(*exampleJson("classification"), "c"));
    settle(session);
    const QPersistentModelIndex batch = session.outline.indexOf("batch");
    session.editor.setParameter({"batch"}, *builtinCatalog().find("batch")->param("size"),
                                Value{std::int64_t{7}});
    QVERIFY(batch.isValid());
    QVERIFY(batch.data().toString().contains("7"));
  }

  void theSelectionDropsRemovedNodes() {
    EditSession session(builtinCatalog());
    VERIFY_OK(session.document.openText(*exampleJson("classification"), "c"));
    session.selection.set({"decode", "flip"});
    session.document.edit("x",
                          removeNode(session.document.graph(), builtinCatalog(), "flip").take());
    QCOMPARE(session.selection.nodes(), std::vector<NodeId>{"decode"});
    session.selection.setWire({"workers", "decode"});
    session.editor.removeSelected(Healing::Cut);
    QVERIFY(session.selection.isEmpty());
  }

  void problemsArriveWithoutBlockingTheGui() {
    EditSession session(builtinCatalog());
    VERIFY_OK(session.document.openText(*exampleJson("classification"), "c"));
    settle(session);
    QCOMPARE(session.check.errors(), 0);
    QVERIFY(session.check.streamAfter("decode") != nullptr);
    session.selection.set({"batch"});
    session.editor.removeSelected(Healing::Heal);
    QVERIFY(!session.check.isCurrent());
    settle(session);
    QVERIFY(session.check.errors() > 0);
  }
};

}  // namespace millrace

using millrace::TestModels;
MILLRACE_TEST_CASE(TestModels)
#include "tst_models.moc"
