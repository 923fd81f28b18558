// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#preview: samples come from a child that stays alive, and each of its
// failures is reported in one sentence.
#include "widgets/bridge/preview_session.h"

#include <csignal>

#include <QFile>
#include <QTemporaryDir>

#include "tests/support/places.h"
#include "tests/support/test_case.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/stall_watch.h"

namespace millrace {

namespace {

using tests::kGenerousMs;

std::string pipeline(int side) {
  return R"({"format_version": 1, "nodes": [{"id": "source", "kind": "synthetic", "params":
    {"content": "image", "height": )" +
         std::to_string(side) + R"(, "width": 40, "channels": 3, "count": 20, "classes": 4}},
    {"id": "flip", "kind": "flip"}], "wires": [{"from": "source", "to": "flip"}]})";
}

PreviewRequest requestFor(int side, int count = 4) {
  PreviewRequest request;
  request.pipeline = pipeline(side);
  request.base = "/";
  request.node = "flip";
  request.count = count;
  return request;
}

/// A session with the real engine, or with a script in its place.
class WatchedPreview {
 public:
  WatchedPreview() {
    session.setProgram(tests::kMillrace);
    session.setPatience({600000, 600000});
  }
  /// A child that does what `text` says.
  void script(const QByteArray& text) {
    session.setProgram(tests::writeEngine(folder.path(), text));
  }
  bool reaches(PreviewSession::State state) {
    return QTest::qWaitFor([=, this] { return session.state() == state; }, kGenerousMs);
  }
  bool fails() { return reaches(PreviewSession::State::Failed); }
  bool settles() { return reaches(PreviewSession::State::Idle); }
  qint64 heightOfFirst() const { return session.samples().front().fields.front().shape.front(); }

  QTemporaryDir folder;
  PreviewSession session;
};

}  // namespace

class TestPreviewSession : public QObject {
  Q_OBJECT
 private slots:
  void samplesComeWithPicturesShapesAndStatistics() {
    WatchedPreview w;
    w.session.request(requestFor(30));
    QVERIFY(w.settles());
    QCOMPARE(w.session.samples().size(), 4U);
    QCOMPARE(w.session.fresh(), 4U);
    const ShownSample& sample = w.session.samples()[2];
    QCOMPARE(sample.place, 2U);
    QCOMPARE(sample.of, 20U);
    QCOMPARE(sample.node, QString("flip"));
    QCOMPARE(sample.fields.front().typeText(), QString("u8 · 30 × 40 × 3 · HWC"));
    QCOMPARE(sample.pictures().front()->picture.size(), QSize(40, 30));
    const FieldSpread spread = *sample.fields.front().spread;
    QVERIFY(spread.minimum < spread.mean && spread.mean < spread.maximum);
    QVERIFY(!sample.labelText().isEmpty());
  }

  void theChildStaysAndServesTheNextRequest() {
    WatchedPreview w;
    w.session.request(requestFor(30));
    QVERIFY(w.settles());
    const qint64 child = w.session.processId();
    QVERIFY(child > 0);
    w.session.request(requestFor(50));
    QCOMPARE(w.session.fresh(), 0U);           // The shown samples are marked as old ...
    QCOMPARE(w.session.samples().size(), 4U);  // ... and stay until new ones arrive.
    QVERIFY(w.settles());
    QCOMPARE(w.heightOfFirst(), 50);
    QCOMPARE(w.session.processId(), child);
  }

  void onlyTheNewestRequestIsServed() {
    WatchedPreview w;
    int shown = 0;
    connect(&w.session, &PreviewSession::changed, this, [&] {
      if (w.session.fresh() > 0) shown = static_cast<int>(w.heightOfFirst());
    });
    for (int side = 10; side <= 60; side += 10) w.session.request(requestFor(side, 16));
    QVERIFY(w.settles());
    QCOMPARE(w.heightOfFirst(), 60);
    QCOMPARE(shown, 60);
  }

  void oneLargerSampleFollowsTheRequest() {
    WatchedPreview w;
    std::optional<ShownSample> large;
    connect(&w.session, &PreviewSession::closer, this, [&](const ShownSample& s) { large = s; });
    w.session.request(requestFor(600));
    PreviewRequest closer = requestFor(600, 1);
    closer.first = 3;
    closer.side = 1024;
    w.session.requestLarger({closer});
    QVERIFY(QTest::qWaitFor([&] { return large.has_value(); }, kGenerousMs));
    QCOMPARE(w.session.samples().size(), 4U);
    QCOMPARE(w.session.samples().front().pictures().front()->picture.height(), 192);
    QCOMPARE(large->place, 3U);
    QCOMPARE(large->pictures().front()->picture.height(), 600);
  }

  void aFailureIsReportedAndTheNextRequestIsServed() {
    WatchedPreview w;
    PreviewRequest request = requestFor(30);
    request.pipeline = R"({"format_version": 1, "nodes": [{"id": "folder", "kind": "image_folder",
      "params": {"paths": ["/nowhere/at/all"]}}]})";
    request.node = "folder";
    w.session.request(request);
    QVERIFY(w.fails());
    QVERIFY2(w.session.sentence().contains("/nowhere/at/all"), qPrintable(w.session.sentence()));
    QVERIFY(w.session.samples().empty());
    w.session.request(requestFor(30));
    QVERIFY(w.settles());
    QCOMPARE(w.session.samples().size(), 4U);
  }

  void aChildThatDiesIsReplaced() {
    WatchedPreview w;
    w.session.request(requestFor(30));
    QVERIFY(w.settles());
    const qint64 child = w.session.processId();
    ::kill(static_cast<pid_t>(child), SIGKILL);
    QVERIFY(QTest::qWaitFor([&] { return w.session.processId() == 0; }, kGenerousMs));
    QCOMPARE(w.session.samples().size(), 4U);
    w.session.request(requestFor(50));
    QVERIFY(w.settles());
    QCOMPARE(w.heightOfFirst(), 50);
  }

  void aChildThatDiesDuringARequestIsRetriedOnceThenReported() {
    WatchedPreview w;
    const QString log = w.folder.filePath("log");
    w.script("echo x >> " + log.toLocal8Bit() +
             "; read line; echo 'out of bounds' >&2; kill -SEGV $$");
    w.session.request(requestFor(30));
    QVERIFY(w.fails());
    QVERIFY2(w.session.sentence().contains("a memory access fault (signal 11)") &&
                 w.session.sentence().contains("Out of bounds."),
             qPrintable(w.session.sentence()));
    QFile file(log);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("x\nx\n"));
    w.session.setProgram(tests::kMillrace);
    w.session.retry();
    QVERIFY(w.settles());
    QCOMPARE(w.session.samples().size(), 4U);
  }

  void aMissingEngineIsNamed() {
    WatchedPreview w;
    w.session.setProgram("/nowhere/millrace");
    w.session.request(requestFor(30));
    QVERIFY(w.fails());
    QVERIFY2(w.session.sentence().startsWith("The engine /nowhere/millrace did not start"),
             qPrintable(w.session.sentence()));
  }

  void aProgramThatIsNotTheEngineIsRefused() {
    WatchedPreview w;
    w.script("echo Welcome to the cluster; read line; sleep 1000");
    w.session.request(requestFor(30));
    QVERIFY(w.fails());
    QVERIFY2(w.session.sentence().contains("is not this program's engine") &&
                 w.session.sentence().contains("Welcome to the cluster"),
             qPrintable(w.session.sentence()));
    QCOMPARE(w.session.processId(), 0);
  }

  void aHangingChildIsReportedAndThenEnded() {
    WatchedPreview w;
    w.script("while :; do sleep 0.05; done");
    w.session.setPatience({20, 60});
    QStringList said;
    connect(&w.session, &PreviewSession::changed, this, [&] { said << w.session.sentence(); });
    w.session.request(requestFor(30));
    QVERIFY(w.fails());
    QVERIFY(said.join('|').contains("still working"));
    QVERIFY2(w.session.sentence().contains("no sample for 0.06 s"),
             qPrintable(w.session.sentence()));
    QCOMPARE(w.session.processId(), 0);
  }

  /// Costs neither memory nor event-loop time, and its output is not shown.
  void aFloodDoesNotStallTheEventLoop() {
    WatchedPreview w;
    w.script(
        "read line\nwhile :; do\n"
        R"(echo '{"event":"sample","id":1,"place":7,"name":"none of ours","fields":[]}')"
        "\ndone | head -c 30000000\nsleep 1000");
    w.session.setPatience({300, 1500});
    double worst = 0;
    {
      const tests::StallWatch stalls;
      w.session.request(requestFor(30));
      QVERIFY(w.fails());
      worst = stalls.worstMs();
    }
    QVERIFY2(worst < 50, qPrintable(QString("stalled for %1 ms").arg(worst)));
    QVERIFY(w.session.samples().empty());
  }

  void linesOfLaterVersionsAndOldRequestsAreIgnored() {
    WatchedPreview w;
    w.script(R"(read line
echo '{"event":"weather","id":1,"sky":"clear"}'
echo '{"event":"sample","id":0,"place":0,"name":"old","fields":[]}'
echo '{"event":"sample","id":1,"place":0,"name":"new","fields":[{"name":"image"},7],"more":1}'
echo '{"event":"done","id":1}'
sleep 1000)");
    w.session.request(requestFor(30));
    QVERIFY(w.settles());
    QCOMPARE(w.session.samples().size(), 1U);
    QCOMPARE(w.session.samples().front().name, QString("new"));
  }

  void pausingEndsTheWorkAndHoldsBackRequests() {
    WatchedPreview w;
    w.script("read line; sleep 1000");
    w.session.request(requestFor(30));
    QVERIFY(QTest::qWaitFor([&] { return w.session.processId() > 0; }, kGenerousMs));
    w.session.setPaused(true);
    QCOMPARE(w.session.processId(), 0);
    QVERIFY(w.session.sentence().contains("Paused while the run goes on"));
    w.session.setProgram(tests::kMillrace);
    w.session.request(requestFor(50));
    QCOMPARE(w.session.processId(), 0);
    w.session.setPaused(false);
    QVERIFY(w.settles());
    QCOMPARE(w.heightOfFirst(), 50);
  }
};

MILLRACE_TEST_CASE(TestPreviewSession)

}  // namespace millrace

#include "tst_preview_session.moc"
