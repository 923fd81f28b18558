// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace run --ranks`: several processes by one command, one gathered result.
#include <csignal>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QSet>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

constexpr int kWaitMs = 60000;

/// 1000 synthetic samples with a shard node after the shuffle.
QByteArray shardedPipeline() {
  return R"({"format_version": 1, "seed": 3, "nodes": [
    {"id": "synthetic", "kind": "synthetic", "params": {"count": 1000}},
    {"id": "shuffle", "kind": "shuffle"},
    {"id": "part", "kind": "shard"},
    {"id": "workers", "kind": "workers", "params": {"count": 2}},
    {"id": "batch", "kind": "batch", "params": {"size": 10}},
    {"id": "prefetch", "kind": "prefetch"},
    {"id": "transfer", "kind": "transfer", "state": "bypass"},
    {"id": "drain", "kind": "drain"}],
   "wires": [{"from": "synthetic", "to": "shuffle"}, {"from": "shuffle", "to": "part"},
    {"from": "part", "to": "workers"}, {"from": "workers", "to": "batch"},
    {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "transfer"},
    {"from": "transfer", "to": "drain"}]})";
}

/// Pictures in order, every second one for each of two ranks.
QByteArray pictures() {
  return R"({"format_version": 1, "nodes": [
    {"id": "folder", "kind": "image_folder", "params": {"paths": ["photos"]}},
    {"id": "part", "kind": "shard"}, {"id": "decode", "kind": "decode"},
    {"id": "resize", "kind": "resize", "params": {"height": 4, "width": 4}},
    {"id": "batch", "kind": "batch", "params": {"size": 2}}, {"id": "drain", "kind": "drain"}],
   "wires": [{"from": "folder", "to": "part"}, {"from": "part", "to": "decode"},
    {"from": "decode", "to": "resize"}, {"from": "resize", "to": "batch"},
    {"from": "batch", "to": "drain"}]})";
}

/// Four by four pixels.
QByteArray bitmap() {
  QByteArray file("BM");
  const auto number = [&](quint32 value, int bytes) {
    for (int i = 0; i < bytes; ++i) file.append(static_cast<char>(value >> (8 * i)));
  };
  for (const quint32 field : {102U, 0U, 54U, 40U, 4U, 4U}) number(field, 4);
  number(1, 2);
  number(24, 2);
  for (const quint32 field : {0U, 48U, 0U, 0U, 0U, 0U}) number(field, 4);
  return file + QByteArray(48, 'x');
}

/// The children of all threads of a process.
QList<pid_t> childrenOf(qint64 process) {
  QList<pid_t> all;
  const QString threads = QString("/proc/%1/task").arg(process);
  for (const QString& thread : QDir(threads).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    QFile file(threads + "/" + thread + "/children");
    if (!file.open(QIODevice::ReadOnly)) continue;
    for (const QByteArray& child : file.readAll().simplified().split(' '))
      if (!child.isEmpty()) all.append(child.toInt());
  }
  return all;
}

bool areGone(const QList<pid_t>& processes) {
  return QTest::qWaitFor(
      [&] {
        return std::ranges::all_of(processes, [](pid_t each) { return ::kill(each, 0) != 0; });
      },
      kWaitMs);
}

}  // namespace

class TestRanks : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", shardedPipeline());
    QVERIFY(QDir(m_program->path(".")).mkdir("tmp"));
    qputenv("TMPDIR", m_program->path("tmp").toLocal8Bit());
  }
  void cleanup() {
    qunsetenv("TMPDIR");
    qunsetenv("MILLRACE_BACKEND");
    QCOMPARE(QDir(m_program->path("tmp")).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
             QStringList());
  }

  void togetherTheyTakeEachSampleOfAnEpochOnce() {
    const Outcome run = ranks({"--dump", "d", "--dump-batches", "1000", "--json"});
    QVERIFY2(run.code == 0, run.err.constData());
    QSet<QString> all;
    for (const char* rank : {"d/rank_0", "d/rank_1"}) {
      const QSet<QString> own = dumpedIn(rank);
      QCOMPARE(own.size(), 500);
      QVERIFY2(!all.intersects(own), "a sample was read twice");
      all += own;
    }
    QCOMPARE(all.size(), 1000);
    QCOMPARE(run.json()["samples"].toInt(), 1000);
    QCOMPARE(run.json()["batches"].toInt(), 100);
  }

  void theResultIsTheSumAndNamesEachRank() {
    const QJsonObject json = ranks({"--json"}).json();
    const QJsonArray each = json["ranks"].toArray();
    QCOMPARE(each.size(), 2);
    double sum = 0;
    double slowest = 1e300;
    for (int i = 0; i < 2; ++i) {
      const QJsonObject rank = each[i].toObject();
      QCOMPARE(rank["rank"].toInt(-1), i);
      QCOMPARE(rank["samples"].toInt(), 500);
      const double rate = rank["samples_per_second"].toObject()["mean"].toDouble();
      QVERIFY(rate > 0);
      sum += rate;
      slowest = std::min(slowest, rate);
    }
    QVERIFY(qFuzzyCompare(json["samples_per_second"].toObject()["mean"].toDouble(), sum));
    QVERIFY(qFuzzyCompare(json["lockstep_samples_per_second"].toDouble(), 2 * slowest));
    QVERIFY(json["other_busy_share"].isNull() && json["wait_p95_ms"].isNull());
    const QJsonObject alone =
        m_program->run(QStringList{"run", m_pipeline, "--json"} + shortly()).json();
    QVERIFY(alone.contains("ranks") && alone["ranks"].isNull());
  }

  void theyAreKeptAsOneRun() {
    QCOMPARE(ranks({"--repeats", "3"}).code, 0);
    const QJsonObject kept = m_program->run({"runs", "show", "last", "--json"}).json();
    QCOMPARE(kept["run_id"].toString(), "1");
    QCOMPARE(kept["environment"].toObject()["ranks"].toString(), "2");
    QCOMPARE(kept["repeats"].toArray().size(), 3);
    QCOMPARE(kept["samples"].toInt(), 3000);
    QVERIFY(kept["samples_per_second"].toObject()["ci95_low"].isDouble());
    QVERIFY(kept["lockstep_samples_per_second"].toDouble() > 0);
    QCOMPARE(kept["settings"].toObject()["part.world"].toInt(), 2);
    QCOMPARE(m_program->runCount("environment.ranks=2"), 1);
  }

  /// The kept document is that of rank 0.
  void measuringItAgainInOneProcessIsRefused() {
    QCOMPARE(ranks({}).code, 0);
    QCOMPARE(ranks({}).code, 0);
    const Outcome again = m_program->run({"compare", "1", "2"});
    QCOMPARE(again.code, 2);
    QVERIFY2(again.err.simplified().contains("run 1 had several ranks"), again.err.constData());
    const Outcome kept = m_program->run({"runs", "compare", "1", "2"});
    QVERIFY2(!kept.out.contains("millrace compare"), kept.out.constData());
  }

  void theReportHasALineForEachRank() {
    const Outcome run = ranks({});
    for (const char* part : {"rank 0  ", "rank 1  ", "training in which every step waits for all",
                             "1 000 samples in 100 batches", "kept as run 1"})
      QVERIFY2(run.out.simplified().contains(QByteArray(part).simplified()), run.out.constData());
    for (const QByteArray& line : run.out.split('\n').sliced(1))  // The first line has a path.
      QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
  }

  void twoShareOneDevice() {
    QByteArray onDevice = shardedPipeline();
    onDevice.replace(", \"state\": \"bypass\"", "");
    m_pipeline = m_program->write("device.json", onDevice);
    qputenv("MILLRACE_BACKEND", "emulated");
    const Outcome run = ranks({"--json"});
    QVERIFY2(run.code == 0, run.err.constData());
    QCOMPARE(run.json()["samples"].toInt(), 1000);
    for (const auto& rank : run.json()["ranks"].toArray()) QVERIFY(rank.toObject()["gpu"].isNull());
    const QJsonArray queues = run.json()["queues"].toArray();
    QCOMPARE(queues.size(), 2);
    QCOMPARE(queues[1].toObject()["id"].toString(), "transfer");
  }

  void aPipelineMayComeFromStandardInput() {
    const Outcome run = m_program->run(
        QStringList{"run", "-", "--ranks", "3", "--json"} + oneEpoch(), shardedPipeline());
    QVERIFY2(run.code == 0, run.err.constData());
    // Parts of 334: two of them use a sample from the beginning again.
    QCOMPARE(run.json()["samples"].toInt(), 1002);
  }

  void refusesWhatMakesNoSense_data() {
    QTest::addColumn<QStringList>("flags");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const QStringList& flags, const char* says) {
      QTest::newRow(name) << flags << QByteArray(says);
    };
    row("none", {"--ranks", "0"}, "expected a whole number from 1 to 64, found `0`");
    row("part of one", {"--ranks", "1.5"}, "found `1.5`");
    row("too many", {"--ranks", "65"}, "from 1 to 64");
    row("trace", {"--ranks", "2", "--trace", "t"}, "--ranks and --trace exclude each other");
    row("cold", {"--ranks", "2", "--cold"}, "--ranks and --cold exclude each other");
  }
  void refusesWhatMakesNoSense() {
    QFETCH(QStringList, flags);
    QFETCH(QByteArray, says);
    const Outcome run = m_program->run(QStringList{"run", m_pipeline} + flags + oneEpoch());
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.simplified().contains(says), run.err.constData());
    QCOMPARE(m_program->runCount("number > 0"), 0);
  }

  void withoutAShardItSaysWhatToDo() {
    QByteArray bypassed = shardedPipeline();
    bypassed.replace("\"shard\"}", "\"shard\", \"state\": \"bypass\"}");
    for (const QByteArray& document : {syntheticPipeline(), bypassed}) {
      m_pipeline = m_program->write("alone.json", document);
      const Outcome run = ranks({"--events"});
      QCOMPARE(run.code, 2);
      QVERIFY2(run.err.contains("insert a Shard node (shard) after the shuffle"),
               run.err.constData());
      QVERIFY(run.out.contains("\"problem\""));
    }
    QByteArray twice = shardedPipeline();
    twice.replace("\"kind\": \"shuffle\"", "\"kind\": \"shard\"");
    m_pipeline = m_program->write("twice.json", twice);
    const Outcome run = ranks({});
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains("keep one and bypass the others"), run.err.constData());
  }

  void aRankOverItsFailureLimitEndsTheRun() {
    m_pipeline = m_program->write("pictures.json", pictures());
    QVERIFY(QDir(m_program->path(".")).mkdir("photos"));
    for (int i = 0; i < 8; ++i)
      m_program->write(QString("photos/%1.bmp").arg(i), i == 3 ? QByteArray("none") : bitmap());
    const Outcome run = ranks({"--max-failures", "0", "--json"});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("rank 1 failed: "), run.err.constData());
    QVERIFY2(run.err.contains("3.bmp"), run.err.constData());
    QCOMPARE(run.json()["outcome"].toString(), "failed");
    const QJsonObject allowed = ranks({"--max-failures", "50%", "--json"}).json();
    QCOMPARE(allowed["failed_samples"].toInt(), 1);
    const QJsonObject failure = allowed["failures"].toArray()[0].toObject();
    QVERIFY(failure["sample"].toString().contains("3.bmp"));
    QVERIFY(failure["reason"].toString().endsWith("(rank 1)"));
    QCOMPARE(m_program->runCount("state=failed"), 1);
  }

  void aRankThatIsKilledEndsTheRun() {
    auto run = endless();
    QVERIFY(!lineWith(*run, "\"event\":\"repeat\"").isEmpty());
    const QList<pid_t> children = childrenOf(run->processId());
    QCOMPARE(children.size(), 2);
    ::kill(children[1], SIGKILL);
    const QJsonObject result = object(lineWith(*run, "\"result\""));
    QCOMPARE(result["outcome"].toString(), "failed");
    QVERIFY2(result["reason"].toString().contains("failed: it was killed (signal 9)"),
             qPrintable(result["reason"].toString()));
    QVERIFY(ended(*run));
    QCOMPARE(run->exitCode(), 1);
    QVERIFY(run->readAllStandardError().contains("error: rank "));
    QVERIFY(areGone(children));
    QCOMPARE(m_program->runCount("state=failed"), 1);
  }

  void anInterruptKeepsWhatWasMeasured() {
    auto run = endless();
    QVERIFY(!lineWith(*run, "\"event\":\"repeat\"").isEmpty());
    const QList<pid_t> children = childrenOf(run->processId());
    ::kill(static_cast<pid_t>(run->processId()), SIGINT);
    const QJsonObject result = object(lineWith(*run, "\"result\""));
    QCOMPARE(result["outcome"].toString(), "interrupted");
    QVERIFY(result["samples"].toInt() >= 1000);
    QCOMPARE(result["ranks"].toArray().size(), 2);
    QVERIFY(ended(*run));
    QCOMPARE(run->exitCode(), 3);
    QVERIFY(areGone(children));
    QCOMPARE(m_program->runCount("state=interrupted and samples_per_second > 0"), 1);
  }

  void theStreamIsThatOfARunAndTakesAStop() {
    auto run = endless();
    QCOMPARE(object(lineWith(*run, "{"))["event"].toString(), "hello");
    QCOMPARE(object(lineWith(*run, "{"))["event"].toString(), "plan");
    QVERIFY(!lineWith(*run, "\"event\":\"phase\"").isEmpty());
    const QJsonObject repeat = object(lineWith(*run, "\"event\":\"repeat\""));
    QCOMPARE(repeat["samples"].toInt(), 1000);
    run->write("{\"id\": 1, \"request\": \"start\"}\n{\"id\": 2, \"request\": \"stop\"}\n");
    const QJsonObject refused = object(lineWith(*run, "\"answer\""));
    QVERIFY(!refused["ok"].toBool(true));
    QVERIFY(refused["error"].toString().contains("only accepts the request `stop`"));
    QVERIFY(object(lineWith(*run, "\"answer\""))["ok"].toBool());
    QCOMPARE(object(lineWith(*run, "\"result\""))["outcome"].toString(), "interrupted");
    QVERIFY(ended(*run));
    QCOMPARE(run->exitCode(), 3);
  }

  void snapshotsAreOfAllRanks() {
    auto run = m_program->start(
        {"run", m_pipeline, "--ranks", "2", "--seconds", "1000", "--warmup", "0", "--events"});
    const QJsonObject snapshot = object(lineWith(*run, "\"snapshot\""));
    QCOMPARE(snapshot["queues"].toArray().size(), 1);
    QVERIFY(snapshot["rss_bytes"].toDouble() > 0);
    run->closeWriteChannel();
    QVERIFY(!lineWith(*run, "\"result\"").isEmpty());
    QVERIFY(ended(*run));
  }

  void whenItIsKilledTheRanksEndAndTheNextRunTidiesUp() {
    auto run = endless();
    QVERIFY(!lineWith(*run, "\"event\":\"repeat\"").isEmpty());
    const QList<pid_t> children = childrenOf(run->processId());
    QCOMPARE(children.size(), 2);
    ::kill(static_cast<pid_t>(run->processId()), SIGKILL);
    QVERIFY(ended(*run));
    QVERIFY2(areGone(children), "a rank lives on");
    QCOMPARE(m_program->runCount("state=interrupted"), 1);
    QCOMPARE(ranks({}).code, 0);
  }

  void aStartThatNothingWaitsForIsRefused() {
    auto run = m_program->start({"run", m_pipeline, "--events", "--seconds", "1000"});
    QVERIFY(!lineWith(*run, "\"snapshot\"").isEmpty());
    run->write("{\"id\": 5, \"request\": \"start\"}\n");
    const QJsonObject answer = object(lineWith(*run, "\"answer\""));
    QCOMPARE(answer["error"].toString(), "no repeat is waiting to be started");
    run->closeWriteChannel();
    QVERIFY(ended(*run));
  }

 private:
  static QStringList oneEpoch() { return {"--epochs", "1", "--warmup", "0", "--repeats", "1"}; }

  Outcome ranks(const QStringList& flags) {
    QStringList all =
        QStringList{"run", m_pipeline, "--ranks", "2", "--epochs", "1", "--warmup", "0"};
    if (!flags.contains("--repeats")) all += {"--repeats", "1"};
    return m_program->run(all + flags);
  }

  /// Repeats of an epoch, one after the other.
  std::unique_ptr<QProcess> endless() {
    return m_program->start({"run", m_pipeline, "--ranks", "2", "--epochs", "1", "--warmup", "0",
                             "--repeats", "1000", "--events"});
  }

  QSet<QString> dumpedIn(const QString& folder) const {
    QSet<QString> names;
    const QDir dir(m_program->path(folder));
    for (const QString& file : dir.entryList({"*.json"})) {
      QFile batch(dir.filePath(file));
      if (!batch.open(QIODevice::ReadOnly)) return {};
      for (const auto& name : object(batch.readAll())["samples"].toArray())
        names.insert(name.toString());
    }
    return names;
  }

  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestRanks)

}  // namespace millrace::tests

#include "tst_ranks.moc"
