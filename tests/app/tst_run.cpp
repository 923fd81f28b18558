// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QMap>
#include <QSet>

#include <algorithm>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestRun : public QObject {
  Q_OBJECT

  struct Span {
    double begin = 0;
    double end = 0;
  };
  /// The spans of each track, by start; longer ones first.
  static QMap<QString, QList<Span>> spansOf(const QJsonArray& events) {
    QMap<QString, QList<Span>> tracks;
    for (const QJsonValue& event : events)
      if (event["ph"].toString() == "X")
        tracks[trackOf(event)].append(
            {event["ts"].toDouble(), event["ts"].toDouble() + event["dur"].toDouble()});
    for (QList<Span>& spans : tracks)
      std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
      });
    return tracks;
  }
  static QString trackOf(const QJsonValue& event) {
    return QString("%1/%2").arg(event["pid"].toInt()).arg(event["tid"].toInt());
  }
  /// Spans of a track must be disjoint or nested; otherwise a viewer drops them.
  static QString tracksThatCross(const QJsonArray& events) {
    constexpr double kRounding = 0.0015;  // three decimals of a microsecond, twice
    const auto tracks = spansOf(events);
    for (auto track = tracks.begin(); track != tracks.end(); ++track) {
      QList<Span> open;
      for (const Span& span : *track) {
        while (!open.isEmpty() && open.last().end <= span.begin + kRounding) open.removeLast();
        if (!open.isEmpty() && span.end > open.last().end + kRounding) return track.key();
        open.append(span);
      }
    }
    return {};
  }
  /// A flow's point belongs to the span of its track that contains it.
  static int flowsInNoSpan(const QJsonArray& events) {
    const auto tracks = spansOf(events);
    int lost = 0;
    for (const QJsonValue& event : events) {
      const QString phase = event["ph"].toString();
      if (phase != "s" && phase != "f") continue;
      const double at = event["ts"].toDouble();
      const QList<Span> spans = tracks.value(trackOf(event));
      lost += std::any_of(spans.begin(), spans.end(),
                          [&](const Span& span) { return span.begin <= at && at <= span.end; })
                  ? 0
                  : 1;
    }
    return lost;
  }

 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", syntheticPipeline());
  }

  void printsOneObjectWithTheKeysOfTheContract() {
    const Outcome run = m_program->run(QStringList{"run", m_pipeline, "--json"} + shortly());
    QCOMPARE(run.code, 0);
    const QJsonObject json = run.json();
    for (const char* key :
         {"format_version", "run_id", "pipeline", "samples", "batches", "failed_samples", "seconds",
          "samples_per_second", "batches_per_second", "input_bytes_per_second",
          "cpu_seconds_per_1000_samples", "peak_rss_bytes", "accelerator", "step_share", "nodes",
          "queues", "failures", "repeats", "environment"})
      QVERIFY2(json.contains(key), key);
    QVERIFY(json["accelerator"].isNull());
    QVERIFY(json["step_share"].isNull());
    QVERIFY(json["samples_per_second"].toObject()["mean"].toDouble() > 0);
    QVERIFY(json["samples_per_second"].toObject()["ci95_low"].isNull());
    QCOMPARE(json["repeats"].toArray().size(), 1);
    QCOMPARE(json["run_id"].toString(), "1");
  }

  void writesTheFirstBatchesAndNamesTheirSamples() {
    const QString folder = m_program->path("dump");
    const Outcome run =
        m_program->run({"run", m_pipeline, "--no-store", "--batches", "3", "--warmup", "0",
                        "--repeats", "1", "--dump", folder, "--dump-batches", "2"});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.out.simplified().contains("2 batches were written to files"), run.out.constData());
    QCOMPARE(
        QDir(folder).entryList(QDir::Files, QDir::Name),
        QStringList({"batch_00000.features.npy", "batch_00000.json", "batch_00000.label.npy",
                     "batch_00001.features.npy", "batch_00001.json", "batch_00001.label.npy"}));
  }

  void nothingOfAnEarlierDumpIsLeft() {
    for (const char* file :
         {"d/batch_00000.gone.npy", "d/batch_00007.json", "d/batch_00007.x.00001.npy",
          "d/rank_3/batch_00000.json", "d/rank_4/batch_00000.json", "d/rank_4/mine.txt",
          "d/batch_notes.json", "d/batch_00001.txt", "d/mine.npy"})
      m_program->write(file, "x");
    const Outcome run =
        m_program->run({"run", m_pipeline, "--no-store", "--batches", "2", "--warmup", "0",
                        "--repeats", "1", "--dump", "d", "--dump-batches", "1"});
    QCOMPARE(run.code, 0);
    QCOMPARE(QDir(m_program->path("d")).entryList(QDir::Files, QDir::Name),
             QStringList({"batch_00000.features.npy", "batch_00000.json", "batch_00000.label.npy",
                          "batch_00001.txt", "batch_notes.json", "mine.npy"}));
    QCOMPARE(QDir(m_program->path("d")).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
             QStringList("rank_4"));
    QCOMPARE(QDir(m_program->path("d/rank_4")).entryList(QDir::Files), QStringList("mine.txt"));
  }

  void aTraceIsAFileThatOtherProgramsRead() {
    const QString file = m_program->path("trace.json");
    const Outcome run = m_program->run({"run", m_pipeline, "--json", "--batches", "3", "--warmup",
                                        "0", "--repeats", "2", "--trace", file});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.json()["environment"].toObject()["traced"].toString(), "yes");
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    const QJsonArray events =
        QJsonDocument::fromJson(written.readAll()).object()["traceEvents"].toArray();
    QSet<QString> names;
    QMap<QString, int> phases;
    for (const QJsonValue& event : events) {
      const QString phase = event["ph"].toString();
      ++phases[phase];
      if (phase == "X") QVERIFY(event["dur"].toDouble(-1) >= 0 && event["ts"].toDouble(-1) >= 0);
      if (event["pid"].toInt() == 2) names.insert(event["name"].toString());
    }
    QVERIFY(names.contains("synthetic") && names.contains("thread_name"));
    QVERIFY(names.contains("measured") && names.contains("row") &&
            names.contains("queue prefetch"));
    // Two repeats of three batches; no step uses the last one of each.
    QVERIFY(phases["s"] >= 4 && phases["s"] == phases["f"]);
    QCOMPARE(QSet<QString>(phases.keyBegin(), phases.keyEnd()),
             (QSet<QString>{"X", "M", "s", "f", "C"}));
    QCOMPARE(tracksThatCross(events), QString());
    QCOMPARE(flowsInNoSpan(events), 0);
  }

  void refusesBadArguments_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("start") << QStringList{"--start", "2"} << QByteArray("EPOCH:BATCH");
    QTest::newRow("start after the end")
        << QStringList{"--start", "0:5000"} << QByteArray("100 batches");
    QTest::newRow("max-failures") << QStringList{"--max-failures", "many"}
                                  << QByteArray("--max-failures");
    QTest::newRow("trace in no folder") << QStringList{"--trace", "/no/such/folder/t.json"}
                                        << QByteArray("trace: cannot write /no/such");
    QTest::newRow("set without value")
        << QStringList{"--set", "batch.size"} << QByteArray("NODE.PARAM=VALUE");
    QTest::newRow("set of an unknown node")
        << QStringList{"--set", "btch.size=3"} << QByteArray("batch");
    QTest::newRow("set of an unknown parameter")
        << QStringList{"--set", "batch.sise=3"} << QByteArray("size");
    QTest::newRow("set out of range")
        << QStringList{"--set", "batch.size=0"} << QByteArray("1 to ");
    QTest::newRow("data of a source without paths")
        << QStringList{"--data", "/tmp"} << QByteArray("--data");
    QTest::newRow("two limits") << QStringList{"--epochs", "1", "--batches", "2"}
                                << QByteArray("--batches");
    QTest::newRow("unknown flag") << QStringList{"--sconds", "2"} << QByteArray("--seconds");
    QTest::newRow("store and no store")
        << QStringList{"--no-store", "--store", "x"} << QByteArray("--store");
  }
  void refusesBadArguments() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const Outcome run = m_program->run(QStringList{"run", m_pipeline, "--warmup", "0"} + arguments);
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains(says), run.err.constData());
    QVERIFY(run.out.isEmpty());
  }

  void saysWhereADocumentIsWrong_data() {
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("not JSON") << QByteArray("{\n  \"nodes\": [}") << QByteArray("line 2");
    QTest::newRow("empty") << QByteArray() << QByteArray("error");
    QTest::newRow("a list") << QByteArray("[]") << QByteArray("error");
    QTest::newRow("newer format") << QByteArray("{\"format_version\": 99, \"nodes\": []}")
                                  << QByteArray("99");
    QTest::newRow("unknown kind")
        << QByteArray(
               "{\"format_version\": 1, \"nodes\": [{\"id\": \"a\", \"kind\": \"syntetic\"},"
               "{\"id\": \"d\", \"kind\": \"drain\"}], \"wires\": [{\"from\": \"a\", "
               "\"to\": \"d\"}]}")
        << QByteArray("synthetic");
  }
  void saysWhereADocumentIsWrong() {
    QFETCH(QByteArray, document);
    QFETCH(QByteArray, says);
    const Outcome run = m_program->run({"run", m_program->write("bad.json", document)});
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains(says), run.err.constData());
  }

  void namesAFileThatIsNotThereAndTheExamples() {
    const Outcome run = m_program->run({"run", "clasification"});
    QCOMPARE(run.code, 2);
    QVERIFY(run.err.contains("did you mean classification"));
    QVERIFY(run.err.contains("deblurring"));
  }

  void saysWhatIsWrongWithAFolder_data() {
    QTest::addColumn<QString>("folder");
    QTest::newRow("missing") << "nowhere";
    QTest::newRow("empty") << "empty";
  }
  void saysWhatIsWrongWithAFolder() {
    QFETCH(QString, folder);
    QDir(m_program->path("")).mkpath("empty");
    const Outcome run = m_program->run({"run", "classification", "--data", folder});
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains(folder.toUtf8()), run.err.constData());
    QVERIFY2(run.err.contains("--data"), run.err.constData());
  }

  void endsWithOneWhenTooManySamplesFail() {
    QDir(m_program->path("")).mkpath("photos/a");
    for (int i = 0; i < 4; ++i)
      m_program->write(QString("photos/a/%1.jpg").arg(i), "\xff\xd8\xff\xe0 no picture");
    const Outcome run = m_program->run(
        QStringList{"run", "classification", "--data", "photos", "--json"} + shortly());
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("a/"), run.err.constData());
    QCOMPARE(run.json()["outcome"].toString(), "failed");
  }

  /// Reported in either case whether the pages were dropped: not every file system drops them.
  void cold_eachRepeatIsAnEpochFromStorage() {
    QCOMPARE(m_program->run({"sample-data", "photos", "--kind", "imagenet", "--count", "24"}).code,
             0);
    const QStringList cold = {"run",    "classification", "--data", "photos/train",
                              "--cold", "--json",         "--set",  "batch.size=4"};
    const Outcome run = m_program->run(cold + QStringList{"--repeats", "2"});
    QVERIFY2(run.code == 0, run.err.constData());
    const QJsonObject json = run.json();
    const QJsonObject environment = json["environment"].toObject();
    QCOMPARE(environment["page_cache_dropped"].toString(), "before each repeat");
    QCOMPARE(environment["measured_span"].toString(), "1 epochs");
    QCOMPARE(environment["warmup_seconds"].toString(), "0");
    QCOMPARE(json["samples"].toInt(), 2 * environment["data_samples"].toString().toInt());
    if (environment["page_cache"].toString() == "cold")
      QCOMPARE(run.err, QByteArray());
    else
      QVERIFY2(run.err.contains("after it was dropped"), run.err.constData());
    const Outcome again =
        m_program->run(cold + QStringList{"--repeats", "1", "--epochs", "2", "--no-store"});
    QVERIFY2(again.err.contains("warning: cold: "), again.err.constData());
    const Outcome nothing = m_program->run({"run", m_pipeline, "--cold"});
    QCOMPARE(nothing.code, 2);
    QVERIFY2(nothing.err.contains("no files"), nothing.err.constData());
  }

  void readsThePipelineFromStandardInput() {
    const Outcome run =
        m_program->run(QStringList{"run", "-", "--no-store"} + shortly(), syntheticPipeline());
    QCOMPARE(run.code, 0);
    QVERIFY(run.out.contains("samples/s"));
  }

 private:
  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestRun)

}  // namespace millrace::tests

#include "tst_run.moc"
