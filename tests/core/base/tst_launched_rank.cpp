// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/launched_rank.h"

#include <unistd.h>

#include <QMap>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Launch = QMap<QString, QString>;

/// What each launcher sets for rank 5 of 8, which is number 1 of the 4 on its machine.
const Launch kTorchrun = {{"RANK", "5"},
                          {"WORLD_SIZE", "8"},
                          {"LOCAL_RANK", "1"},
                          {"LOCAL_WORLD_SIZE", "4"},
                          {"TORCHELASTIC_RUN_ID", "none"},
                          {"MASTER_ADDR", "10.0.0.1"},
                          {"MASTER_PORT", "29500"}};
const Launch kOpenMpi = {{"OMPI_COMM_WORLD_RANK", "5"},
                         {"OMPI_COMM_WORLD_SIZE", "8"},
                         {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                         {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
                         {"PMIX_NAMESPACE", "2113077249"}};
const Launch kSlurm = {{"SLURM_PROCID", "5"},
                       {"SLURM_STEP_NUM_TASKS", "8"},
                       {"SLURM_LOCALID", "1"},
                       {"SLURM_STEP_TASKS_PER_NODE", "4(x2)"},
                       {"SLURM_JOB_ID", "77"},
                       {"SLURM_STEP_ID", "0"},
                       {"SLURM_STEP_NODELIST", "gpu[03-04]"}};
const Launch kMpich = {
    {"PMI_RANK", "5"}, {"PMI_SIZE", "8"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "4"}};

Launch with(Launch variables, const Launch& others) {
  variables.insert(others);
  return variables;
}

}  // namespace

class TestLaunchedRank : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    for (const Launch& all : {kTorchrun, kOpenMpi, kSlurm, kMpich})
      for (const QString& name : all.keys()) qunsetenv(qPrintable(name));
  }
  void cleanupTestCase() { init(); }

  void everyLauncherIsKnown_data() {
    QTest::addColumn<Launch>("variables");
    QTest::addColumn<QString>("launcher");
    QTest::addColumn<QString>("job");
    QTest::addColumn<QString>("firstMachine");
    QTest::newRow("torchrun") << kTorchrun << "torchrun"
                              << "none.29500"
                              << "10.0.0.1";
    QTest::newRow("Open MPI") << kOpenMpi << "Open MPI"
                              << "2113077249" << QString();
    QTest::newRow("Slurm") << kSlurm << "Slurm"
                           << "77.0"
                           << "gpu03";
    QTest::newRow("MPICH") << kMpich << "MPICH" << QString::number(::getppid()) << QString();
    QTest::newRow("torchrun in Slurm") << with(kSlurm, kTorchrun) << "torchrun"
                                       << "none.29500"
                                       << "10.0.0.1";
    QTest::newRow("mpirun in Slurm") << with(kSlurm, kOpenMpi) << "Open MPI"
                                     << "2113077249"
                                     << "gpu03";
  }
  void everyLauncherIsKnown() {
    QFETCH(Launch, variables);
    set(variables);
    const auto rank = launchedRank();
    VERIFY_OK(rank);
    QVERIFY(rank->has_value());
    QTEST(QString::fromStdString((*rank)->launcher), "launcher");
    QTEST(QString::fromStdString((*rank)->job), "job");
    QTEST(QString::fromStdString((*rank)->firstMachine), "firstMachine");
    QCOMPARE((*rank)->number, 5);
    QCOMPARE((*rank)->world, 8);
    QCOMPARE((*rank)->local, 1);
    QVERIFY(!(*rank)->oneMachine);
  }

  void allOnOneMachine_data() {
    QTest::addColumn<Launch>("variables");
    QTest::newRow("torchrun") << with(kTorchrun, {{"LOCAL_WORLD_SIZE", "8"}});
    QTest::newRow("Open MPI") << with(kOpenMpi, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "8"}});
    QTest::newRow("Slurm") << with(kSlurm, {{"SLURM_STEP_TASKS_PER_NODE", "8"}});
    QTest::newRow("MPICH") << with(kMpich, {{"MPI_LOCALNRANKS", "8"}});
  }
  void allOnOneMachine() {
    QFETCH(Launch, variables);
    set(variables);
    QVERIFY((*launchedRank())->oneMachine);
  }

  void aProcessAloneHasNoRank_data() {
    QTest::addColumn<Launch>("variables");
    QTest::newRow("no launcher") << Launch();
    QTest::newRow("one process") << Launch{{"RANK", "0"}, {"WORLD_SIZE", "1"}};
    // It has the number of tasks of its job, but is no task itself.
    QTest::newRow("Slurm's batch script")
        << Launch{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}, {"SLURM_JOB_ID", "77"}};
  }
  void aProcessAloneHasNoRank() {
    QFETCH(Launch, variables);
    set(variables);
    const auto rank = launchedRank();
    VERIFY_OK(rank);
    QVERIFY(!rank->has_value());
    qunsetenv("SLURM_NTASKS");
  }

  void wrongNumbersAreNamed() {
    set({{"RANK", "8"}, {"WORLD_SIZE", "8"}});
    QCOMPARE(launchedRank().error().message, std::string("RANK=8 must be less than WORLD_SIZE=8"));
    set({{"RANK", "x"}});
    QVERIFY(launchedRank().error().message.find("RANK") != std::string::npos);
  }

 private:
  static void set(const Launch& variables) {
    for (auto each = variables.begin(); each != variables.end(); ++each)
      qputenv(qPrintable(each.key()), each.value().toUtf8());
  }
};

}  // namespace millrace

using millrace::TestLaunchedRank;
MILLRACE_TEST_CASE(TestLaunchedRank)
#include "tst_launched_rank.moc"
