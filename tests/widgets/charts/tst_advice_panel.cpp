// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#what-limits-a-run: the advice names the limit, its evidence and a change.
#include <QPushButton>
#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/widgets/recorded_run.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

using tests::plain;
using tests::RecordedRun;

}  // namespace

class TestAdvicePanel : public QObject {
  Q_OBJECT
 private slots:
  void theAdviceNamesTheLimitWithItsEvidence() {
    RecordedRun recorded;
    AdvicePanel advice;
    advice.setVisible(true);
    advice.refresh(recorded.run, {});
    QCOMPARE(advice.headline(), QString("The loader keeps up: Emulated step limits this run"));
    QCOMPARE(advice.evidence().size(), 3);
    QVERIFY2(plain(advice.evidence()[1]).startsWith("The queue of finished batches is full 9"),
             qPrintable(advice.evidence()[1]));
    recorded.run.finish({});
    advice.refresh(recorded.run, {});
    QCOMPARE(advice.headline(), QString("The loader kept up: Emulated step limited run 42"));
    const auto* card = advice.findChild<QFrame*>("adviceCard");
    QVERIFY2(!card->styleSheet().contains(theme()[Tone::Bottleneck].name()),
             "orange is for faults");
  }

  void aRunThatWasRefusedHasNoLimit() {
    LiveRun run;
    run.begin("demo", {2, 5, 3}, {});
    AdvicePanel advice;
    advice.setVisible(true);
    advice.refresh(run, {});
    const auto* card = advice.findChild<QFrame*>("adviceCard");
    QVERIFY(card->isVisibleTo(&advice));
    run.finish({ChildEnd::Kind::Failed, "The data does not exist.", {}, {}});
    advice.refresh(run, {});
    QVERIFY(!card->isVisibleTo(&advice));
    QVERIFY(advice.endText().contains("does not exist"));
  }

  void theCardOffersTheAdvisedChange() {
    AdvicePanel advice;
    advice.setVisible(true);
    QSignalSpy applied(&advice, &AdvicePanel::applyRequested);
    advice.setChange(AdvicePanel::Change{"Workers › Threads: 1 → 2", "Expect about 900.", {}});
    QVERIFY(advice.applyButton().isVisibleTo(&advice) && advice.applyButton().isEnabled());
    advice.applyButton().click();
    QCOMPARE(applied.count(), 1);
    advice.setChange(AdvicePanel::Change{"Workers › Threads: 1 → 2", "", "It has changed."});
    QVERIFY(!advice.applyButton().isEnabled());
    advice.setStale("The pipeline has changed.");
    QCOMPARE(advice.staleText(), QString("The pipeline has changed."));
    advice.setChange(AdvicePanel::Change{{}, "Store smaller pictures.", {}});
    QVERIFY(!advice.applyButton().isVisibleTo(&advice));
    advice.forget();
    QVERIFY(!advice.change() && advice.staleText().isEmpty());
  }

  void anUndeterminedLimitIsReported() {
    RecordedRun begun(RecordedRun::isMeasured);
    AdvicePanel advice;
    advice.setVisible(true);
    advice.refresh(begun.run, {});
    QCOMPARE(advice.headline(), QString("What limits the run will be shown after 3\u00A0s"));
    // The same run, except that its queue is neither full nor empty.
    RecordedRun recorded({},
                         [](QByteArray line) { return line.replace("full_seconds", "seconds_"); });
    QCOMPARE(recorded.run.finding().kind, LiveFinding::Kind::CannotTell);
    advice.refresh(recorded.run, {});
    QCOMPARE(advice.headline(), QString("The limit of this run cannot be determined"));
    QVERIFY(advice.evidence().size() == 4);
  }
};

}  // namespace millrace

using millrace::TestAdvicePanel;
MILLRACE_TEST_CASE(TestAdvicePanel)
#include "tst_advice_panel.moc"
