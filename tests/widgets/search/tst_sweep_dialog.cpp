// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#sweep: a sweep is requested in a dialog.
#include <QLabel>
#include <QLineEdit>

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"
#include "tests/widgets/stepped_pipeline.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"
#include "widgets/models/search/sweep_order.h"
#include "widgets/sweep/sweep_axis_row.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/tune/tune_dialog.h"

namespace millrace {

namespace {

const std::string kAsked =
    tests::steppedPipeline({.samples = 100000, .workers = 2, .batchSize = 16});

}  // namespace

class TestSweepDialog : public QObject {
  Q_OBJECT
 private slots:
  void aSweepIsCheckedBeforeItStarts() {
    const Graph graph = *parseGraph(kAsked, builtinCatalog()).graph;
    SweepOrder order;
    order.variations = {{"workers", "count", "1,2,4"}, {"batch", "size", "16..64:x2"}};
    order.repeats = 2;
    order.seconds = 1;
    order.warmupSeconds = 0.5;
    const SweepCheck check = checkSweep(graph, builtinCatalog(), {}, order);
    QVERIFY2(check.ok(), qPrintable(check.problem));
    QCOMPARE(check.trials, 18U);
    QVERIFY(check.seconds > 18 * 1.5 && check.seconds < 18 * 2.5);
    QCOMPARE(order.command("cats.json"),
             QString("millrace sweep cats.json --vary workers.count=1,2,4 --vary "
                     "batch.size=16..64:x2 --repeats 2 --seconds 1 --warmup 0.5"));
    order.variations[0].values = "0,1";
    order.variations[1].values = "16..";
    const SweepCheck wrong = checkSweep(graph, builtinCatalog(), {}, order);
    QVERIFY(!wrong.ok());
    QVERIFY2(wrong.problems[0].contains("1 to"), qPrintable(wrong.problems[0]));
    QVERIFY2(!wrong.problems[1].isEmpty(), qPrintable(wrong.problems[1]));
    order.variations = {{"workers", "count", "1..200"}, {"batch", "size", "1..200"}};
    QVERIFY2(checkSweep(graph, builtinCatalog(), {}, order).problem.contains("10"),
             qPrintable(checkSweep(graph, builtinCatalog(), {}, order).problem));
  }

  void valuesAreProposedForEachParameterThatAllowsIt() {
    for (const NodeSpec& kind : builtinCatalog().all())
      for (const ParamSpec& param : kind.params)
        for (const ProposedValues& each : proposedValues(param, param.defaultValue)) {
          // In the form that the grammar reads, and within the range.
          Graph graph;
          graph.nodes.push_back({"it", kind.kind, {}, NodeState::On, {}, {}});
          const auto axis =
              parseVary(graph, builtinCatalog(), "it." + param.name + "=" + fromQt(each.values));
          QVERIFY2(axis.ok(), axis.ok() ? "" : (kind.kind + ": " + axis.error().message).c_str());
        }
  }

  void theDialogShowsTheNumberOfTrialsAndTheirDuration() {
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(kAsked, "small"));
    SweepDialog dialog(document, {}, nullptr);
    QVERIFY(!dialog.startButton().isEnabled());
    dialog.add("workers", "count");
    dialog.add("batch", "size");
    dialog.add("workers", "count");  // It is already there.
    QCOMPARE(dialog.rows().size(), 2U);
    QVERIFY(dialog.startButton().isEnabled());
    dialog.rows()[0]->line().setText("1,2,4");
    dialog.rows()[1]->line().setText("16,32");
    dialog.checkNow();
    QVERIFY2(dialog.words().startsWith(QString("6 settings, 18 trials, about 2 min")),
             qPrintable(dialog.words()));
    QVERIFY2(dialog.rows()[0]->words().startsWith("3 values: 1, 2, 4"),
             qPrintable(dialog.rows()[0]->words()));
    dialog.rows()[0]->line().setText("0");
    dialog.checkNow();
    QVERIFY(!dialog.startButton().isEnabled());
    QVERIFY2(dialog.rows()[0]->problem().contains("1 to 1024"),
             qPrintable(dialog.rows()[0]->problem()));
    QCOMPARE(dialog.rows()[1]->problem(), QString());
    dialog.rows()[0]->line().setText("1..4");
    dialog.setObstacle("A run goes on.");
    dialog.checkNow();
    QVERIFY(!dialog.startButton().isEnabled());
    QCOMPARE(dialog.order().variations[0].values, std::string("1..4"));
  }

  void fieldsSayWhatZeroMeans() {
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(kAsked, "small"));
    const SweepDialog sweep(document, {}, nullptr);
    const TuneDialog tune(document, {}, nullptr);
    const auto caption = [](const QWidget& dialog, const char* field) {
      return dialog.findChild<QWidget*>(field)->findChild<QLabel*>("caption")->text();
    };
    const QString noLimit = "; 0: no limit";
    QVERIFY(caption(sweep, "field_trial_memory").endsWith(noLimit));
    QVERIFY(caption(tune, "field_memory").endsWith(noLimit));
    QVERIFY(caption(sweep, "field_part").endsWith("; 0: all"));
    QVERIFY(caption(tune, "field_cores").endsWith("; 0: all"));
    QVERIFY(caption(sweep, "field_trial_timeout").contains("; 0: a minute plus ten times"));
    QCOMPARE(caption(sweep, "field_repeats"), QString("1 to 1") + kNoBreak + "000");
  }
};

}  // namespace millrace

using millrace::TestSweepDialog;
MILLRACE_TEST_CASE(TestSweepDialog)
#include "tst_sweep_dialog.moc"
