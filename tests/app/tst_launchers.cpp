// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Processes that real launchers start: `mpirun millrace run` and `srun millrace run` are one run.
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QSet>

#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

constexpr const char* kOneEpoch = " --epochs 1 --warmup 0 --repeats 1";

}  // namespace

class TestLaunchers : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    qputenv("OMPI_ALLOW_RUN_AS_ROOT", "1");
    qputenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    if (::geteuid() != 0) return;
    const Outcome started = m_cluster.shell(cluster("start"));
    QVERIFY2(started.code == 0, started.err.constData());
    qputenv("SLURM_CONF", m_cluster.path("slurm.conf").toLocal8Bit());
  }
  void cleanupTestCase() {
    if (::geteuid() == 0) m_cluster.shell(cluster("stop"));
  }
  void init() {
    m_program = std::make_unique<Program>();
    m_program->write("p.json", syntheticPipeline());
  }

  void theProcessesAreOneRun_data() { launchers(); }
  void theProcessesAreOneRun() {
    const Outcome run = launched("run p.json --json --dump d --dump-batches 1000");
    QVERIFY2(run.code == 0, run.err.constData());
    const QJsonArray ranks = run.json()["ranks"].toArray();
    QCOMPARE(ranks.size(), 2);
    QCOMPARE(ranks[1].toObject()["rank"].toInt(), 1);
    QCOMPARE(run.json()["samples"].toInt(), 1000);
    QSet<QString> all;
    for (const char* rank : {"d/rank_0", "d/rank_1"}) {
      const QSet<QString> own = samplesIn(rank);
      QCOMPARE(own.size(), 500);
      QVERIFY2(!all.intersects(own), "a sample was read twice");
      all += own;
    }
    QCOMPARE(m_program->runCount("environment.ranks=2"), 1);
    QCOMPARE(m_program->runCount("number > 0"), 1);
  }

  void oneProcessCanRunAlone_data() { launchers(); }
  void oneProcessCanRunAlone() {
    const Outcome run = launched("run p.json --ranks 1 --no-store --json");
    QVERIFY2(run.code == 0, run.err.constData());
    QCOMPARE(run.out.count("\"ranks\": null"), 2);
  }

  void aWrongPipelineIsReportedAndNobodyWaits_data() { launchers(); }
  void aWrongPipelineIsReportedAndNobodyWaits() {
    QElapsedTimer time;
    time.start();
    const Outcome run = launched("run p.json --set workers.count=none");
    QVERIFY(run.code != 0);
    QVERIFY2(run.err.contains("workers.count"), run.err.constData());
    QVERIFY2(!run.err.contains("did not find rank 0"), run.err.constData());
    QVERIFY(time.elapsed() < 60000);
  }

  void aRankThatIsKilledEndsTheRun() {
    if (::geteuid() != 0) QSKIP("Slurm's daemons need root");
    const Outcome run = m_program->shell(
        "srun -n 2 --overcommit bash -c '[[ $SLURM_PROCID = 1 ]] && killed=\"timeout -s KILL 2\"; "
        "exec $killed $MILLRACE run p.json --seconds 60 --warmup 0.1 --json'");
    QVERIFY(run.code != 0);
    QVERIFY2(
        run.err.contains("rank 1 failed: its connection ended before it had reported a result"),
        run.err.constData());
    QCOMPARE(m_program->runCount("state=failed"), 1);
  }

  void anInterruptKeepsTheResultsSoFar() {
    if (::geteuid() != 0) QSKIP("Slurm's daemons need root");
    const Outcome run = m_program->shell(
        "srun -n 2 --overcommit $MILLRACE run p.json --seconds 60 --repeats 1 --warmup 0.1 "
        "--events "
        "| tee >(grep -m 1 snapshot && scancel --signal=INT $(squeue --noheader --format=%i))");
    QVERIFY2(run.out.contains(R"("outcome":"interrupted")"), (run.out + run.err).constData());
    QCOMPARE(m_program->runCount("state=interrupted"), 1);
  }

 private:
  void launchers() {
    QTest::addColumn<QString>("launcher");
    QTest::newRow("Open MPI") << "mpirun.openmpi --oversubscribe -np 2";
    if (::geteuid() == 0)
      QTest::newRow("Slurm") << "srun -n 2 --overcommit";
    else
      qInfo("Slurm's daemons need root");
  }

  QString cluster(const QString& what) const {
    return QString("%1 %2 .").arg(sourcePath("tests/app/slurm_cluster").c_str(), what);
  }

  QSet<QString> samplesIn(const QString& folder) const {
    QSet<QString> samples;
    const QDir dump(m_program->path(folder));
    for (const QString& name : dump.entryList({"batch_*.json"})) {
      QFile file(dump.filePath(name));
      if (!file.open(QIODevice::ReadOnly)) continue;
      for (const auto& sample : object(file.readAll())["samples"].toArray())
        samples.insert(sample.toString());
    }
    return samples;
  }

  /// By the launcher of the test's row.
  Outcome launched(const QString& arguments) {
    const QString launcher = *static_cast<QString*>(QTest::qData("launcher", QMetaType::QString));
    return m_program->shell(launcher + " $MILLRACE " + arguments + kOneEpoch);
  }

  Program m_cluster;  ///< its folder is the cluster's
  std::unique_ptr<Program> m_program;
};

}  // namespace millrace::tests

using millrace::tests::TestLaunchers;
MILLRACE_TEST_CASE(TestLaunchers)
#include "tst_launchers.moc"
