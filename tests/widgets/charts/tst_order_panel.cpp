// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#charts: how well a run's first epoch was shuffled.
#include <QImage>

#include "tests/support/test_case.h"
#include "tests/widgets/recorded_run.h"
#include "widgets/charts/order_panel.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

using tests::RecordedRun;

namespace {

constexpr const char* kOrder =
    R"("order":{"samples":1000,"distance":{"value":0.02,"full":0.3333},)"
    R"("class_run":{"value":6.0,"full":1.5},"file_run":null,)"
    R"("batch_entropy_bits":{"value":1.0,"full":2.0},"batch_entropy_along":[0.5,1.5]})";

/// The recorded run with these figures of its order in its result.
QByteArray withOrder(QByteArray line) {
  if (!line.contains("\"event\":\"result\"")) return line;
  return line.replace(0, 1, QByteArray("{") + kOrder + ",");
}

}  // namespace

class TestOrderPanel : public QObject {
  Q_OBJECT
 private slots:
  void thePartsOfTheEpochAreSharesOfAFullShuffle() {
    RecordedRun recorded({}, withOrder);
    OrderPanel panel;
    panel.resize(320, 230);
    panel.setVisible(true);
    panel.refresh(recorded.run, {});
    QCOMPARE(panel.parts(), (std::vector<double>{0.25, 0.75}));
    QVERIFY2(panel.words().contains("moves " + shownShare(0.06) + " as far"),
             qPrintable(panel.words()));
    QVERIFY2(panel.words().contains("only " + shownShare(0.5) + " of the class"),
             qPrintable(panel.words()));
    const TextTable table = panel.table();
    QCOMPARE(table.rows.size(), 5);
    QCOMPARE(table.rows[1][0].toString(), QString("Class run"));
    QCOMPARE(table.rows[1][1].toDouble(), 4.0);
    const QImage picture = panel.grab().toImage();
    int bars = 0;
    for (int x = 0; x < picture.width(); ++x)
      bars += picture.pixelColor(x, picture.height() - 36) == theme()[Tone::Water] ? 1 : 0;
    QVERIFY(bars > picture.width() / 2);
  }

  void aRunWithoutTheseFiguresSaysWhenTheyCome() {
    const auto isSnapshot = [](const QByteArray& line) {
      return line.contains("\"event\":\"snapshot\"");
    };
    RecordedRun running(isSnapshot);
    RecordedRun ended;
    OrderPanel panel;
    panel.setVisible(true);
    panel.refresh(running.run, {});
    QVERIFY2(panel.words().contains("appears here"), qPrintable(panel.words()));
    panel.refresh(ended.run, {});
    QVERIFY2(panel.words().contains("has no figures of its order"), qPrintable(panel.words()));
    QVERIFY(panel.parts().empty() && panel.table().rows.isEmpty());
  }

  void theOrderOfTheSourceIsNamed() {
    ShuffleQuality order;
    order.samples = 10;
    order.distance = {0, 0.33};
    QCOMPARE(shuffleText(order), QString("The samples come in the order of the source."));
    order.distance.value = 0.33;
    QVERIFY(shuffleText(order).contains("moves " + shownShare(0.33 / 0.33)));
    QVERIFY(shuffleText(order).contains("The classes are not known"));
  }
};

}  // namespace millrace

using millrace::TestOrderPanel;
MILLRACE_TEST_CASE(TestOrderPanel)
#include "tst_order_panel.moc"
