// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A disk cache from one process to the next.
#include <QDir>
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestKeptSamples : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", R"({"format_version": 1, "nodes": [
      {"id": "synthetic", "kind": "synthetic", "params": {"count": 2000, "content": "image"}},
      {"id": "workers", "kind": "workers", "params": {"count": 2}},
      {"id": "resize", "kind": "resize", "params": {"height": 32, "width": 32}},
      {"id": "disk_cache", "kind": "disk_cache"},
      {"id": "batch", "kind": "batch", "params": {"size": 10}},
      {"id": "prefetch", "kind": "prefetch"},
      {"id": "drain", "kind": "drain"}],
     "wires": [{"from": "synthetic", "to": "workers"}, {"from": "workers", "to": "resize"},
      {"from": "resize", "to": "disk_cache"}, {"from": "disk_cache", "to": "batch"},
      {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "drain"}]})");
  }

  void aSecondProcessTakesWhatTheFirstKept() {
    const QJsonObject first = cacheOf(anEpoch());
    QCOMPARE(first["hits"].toInt(), 0);
    QCOMPARE(first["misses"].toInt(), 2000);
    QVERIFY(first["stopped"].isNull());
    const QJsonObject second = cacheOf(anEpoch());
    QCOMPARE(second["id"].toString(), "disk_cache");
    QCOMPARE(second["samples"].toInt(), 2000);
    QCOMPARE(second["hits"].toInt(), 2000);
    QCOMPARE(second["misses"].toInt(), 0);
    const QDir kept(m_program->path("cache/millrace/cache"));
    QCOMPARE(kept.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
  }

  void theReportSaysHowMuchCameFromIt() {
    anEpoch();
    const Outcome run = m_program->run(QStringList{"run", m_pipeline, "--no-store"} + oneEpoch());
    QVERIFY2(run.out.simplified().contains("2 000 hits, 0 misses"), run.out.constData());
  }

  void aKilledProcessLeavesACacheThatIsWhole() {
    auto run = m_program->start({"run", m_pipeline, "--no-store", "--events", "--warmup", "0",
                                 "--seconds", "1000", "--repeats", "1"});
    QVERIFY(!lineWith(*run, "\"snapshot\"").isEmpty());
    run->kill();
    QVERIFY(ended(*run));
    const QJsonObject next = cacheOf(anEpoch());
    QCOMPARE(next["damaged"].toInt(), 0);
    QCOMPARE(next["hits"].toInt() + next["misses"].toInt(), 2000);
    QVERIFY(next["hits"].toInt() > 0);
    QCOMPARE(cacheOf(anEpoch())["hits"].toInt(), 2000);
  }

  void twoProcessesAtOnceShareOne() {
    const QStringList arguments =
        QStringList{"run", m_pipeline, "--no-store", "--json"} + oneEpoch();
    auto one = m_program->start(arguments);
    auto two = m_program->start(arguments);
    for (QProcess* process : {one.get(), two.get()}) {
      const Outcome outcome = outcomeOf(*process);
      QCOMPARE(outcome.code, 0);
      QCOMPARE(cacheOf(outcome)["damaged"].toInt(), 0);
    }
    QCOMPARE(cacheOf(anEpoch())["hits"].toInt(), 2000);
  }

  void aFolderThatCannotBeUsedIsAnErrorWithTwo() {
    m_program->write("file", "x");
    const Outcome run = m_program->run({"run", m_pipeline, "--set", "disk_cache.path=file"});
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains("error: disk_cache: the cache folder"), run.err.constData());
  }

 private:
  static QStringList oneEpoch() {
    return {"--epochs", "1", "--warmup", "0", "--repeats", "1", "--no-fingerprint"};
  }
  Outcome anEpoch() {
    return m_program->run(QStringList{"run", m_pipeline, "--no-store", "--json"} + oneEpoch());
  }
  static QJsonObject cacheOf(const Outcome& run) {
    return run.json()["caches"].toArray()[0].toObject();
  }

  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

}  // namespace millrace::tests

using millrace::tests::TestKeptSamples;
MILLRACE_TEST_CASE(TestKeptSamples)
#include "tst_kept_samples.moc"
