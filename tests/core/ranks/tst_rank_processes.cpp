// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The ranks of these tests are shell scripts that write the events of a rank.
#include "core/ranks/rank_processes.h"

#include <csignal>

#include <QTemporaryDir>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

const std::string kHello = R"(echo '{"event":"hello","version":"1.0","engine":"t"}';)";
const std::string kStopped = "trap 'exit 3' INT;";

std::string readyFor(int repeat) {
  return R"(echo '{"event":"ready","repeat":)" + std::to_string(repeat) + R"(}'; read line;)";
}

std::string repeatOf(int repeat, int samples) {
  const std::string count = std::to_string(samples);
  return R"(echo '{"event":"repeat","repeat":)" + std::to_string(repeat) + R"(,"samples":)" +
         count + R"(,"seconds":1.0,"samples_per_second":{"mean":)" + count + R"(}}';)";
}

std::string failureOf(const char* sample) {
  return R"(echo '{"event":"problem","sample":")" + std::string(sample) +
         R"(","severity":"warning","message":"torn","failed_samples":1}';)";
}

const std::string kFinished = R"(echo '{"event":"result","outcome":"finished"}';)";

/// Records the calls for all ranks.
class HeardRun final : public RunObserver {
 public:
  void onPhase(const RunPhase& phase) override {
    phases.push_back(phase);
    if (atPhase) atPhase();
  }
  void onSnapshot(const RunSnapshot& snapshot) override {
    samples.push_back(snapshot.totals.samples);
  }
  void onRepeat(std::size_t repeat, const SpanFigures& figures) override {
    repeats.emplace_back(repeat, figures.samples);
  }
  void onFailures(const std::vector<FailedSample>& failures, std::uint64_t all) override {
    for (const FailedSample& failure : failures) failed.push_back(failure);
    total = all;
  }

  std::function<void()> atPhase;
  std::vector<RunPhase> phases;
  std::vector<std::uint64_t> samples;
  std::vector<std::pair<std::size_t, std::uint64_t>> repeats;
  std::vector<FailedSample> failed;
  std::uint64_t total = 0;
};

}  // namespace

class TestRankProcesses : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { std::signal(SIGPIPE, SIG_IGN); }

  void noRankBeginsBeforeAllAreReady() {
    // The second phase arrives while the first rank is ready and has not been told to start.
    m_atPhase = [this] {
      QVERIFY(QFile(m_rendezvous.filePath("known")).open(QIODevice::WriteOnly));
    };
    const RunResult result = run(
        {kHello + R"(echo '{"event":"ready","repeat":1}'; echo '{"event":"phase"}'; read line;)" +
             repeatOf(1, 10) + kFinished,
         kHello + "until [ -e $MILLRACE_RENDEZVOUS/known ]; do :; done; read -t 0 && exit 9;" +
             readyFor(1) + repeatOf(1, 30) + kFinished});
    QCOMPARE(QString::fromStdString(result.reason), "");
    QVERIFY(result.outcome == RunOutcome::Finished);
    QCOMPARE(result.figures.samples, 40U);
    QCOMPARE(*result.figures.lockstepSamplesPerSecond, 20.0);
    QCOMPARE(result.ranks.size(), std::size_t{2});
    QCOMPARE(result.ranks[1].figures.samples, 30U);
  }

  void eachKnowsWhichItIsAndItsGpu() {
    const auto checks = [](const char* rank, const char* gpu) {
      return kHello + "[ $MILLRACE_RANK/$MILLRACE_WORLD/$CUDA_VISIBLE_DEVICES = " + rank + "/2/" +
             gpu + " ] && [ -d \"$MILLRACE_RENDEZVOUS\" ] || exit 9;" + kFinished;
    };
    const RunResult result = run({checks("0", "3"), checks("1", "GPU-7")}, {"3", "GPU-7"});
    QCOMPARE(QString::fromStdString(result.reason), "");
    QCOMPARE(result.outcome, RunOutcome::Finished);
  }

  void repeatsBeginTogetherAndAreToldOnceAllHaveThem() {
    const std::string both = readyFor(1) + repeatOf(1, 10) + readyFor(2) + repeatOf(2, 20);
    const RunResult result = run({kHello + both + kFinished, kHello + both + kFinished});
    QCOMPARE(m_heard.repeats,
             (std::vector<std::pair<std::size_t, std::uint64_t>>{{0, 20}, {1, 40}}));
    QCOMPARE(result.repeats.size(), std::size_t{2});
    QCOMPARE(result.figures.samples, 60U);
  }

  void phasesAreTheFirstRanksAndSnapshotsOfAll() {
    const std::string tells =
        kHello + readyFor(1) + R"(echo '{"event":"phase","phase":"measured","repeat":1}';)" +
        R"(echo '{"event":"snapshot","samples":5,"seconds":1.0,"phase":{"repeat":1}}';)" +
        repeatOf(1, 10) + kFinished;
    run({tells, tells});
    QCOMPARE(m_heard.phases.size(), std::size_t{1});
    QCOMPARE(m_heard.samples, std::vector<std::uint64_t>{10});
  }

  void aRankThatDiesBeforeTheMeetingEndsTheOthers() {
    const RunResult result =
        run({kStopped + kHello + readyFor(1) + "sleep 1000",
             kHello + "echo 'warning: odd' >&2; echo 'error: no such disk' >&2; echo behind >&2;"
                      "exit 1"});
    QVERIFY(result.outcome == RunOutcome::Failed);
    QCOMPARE(QString::fromStdString(result.reason), "rank 1 failed: no such disk");
    QVERIFY(result.repeats.empty() && result.ranks.empty());
  }

  void aRankThatIsKilledLeavesTheRepeatsBefore() {
    const RunResult result =
        run({kStopped + kHello + readyFor(1) + repeatOf(1, 10) + readyFor(2) + "sleep 1000",
             kHello + readyFor(1) + repeatOf(1, 10) + "kill -KILL $$"});
    QVERIFY(result.outcome == RunOutcome::Failed);
    QVERIFY(QString::fromStdString(result.reason).startsWith("rank 1 failed: it was killed"));
    QCOMPARE(result.figures.samples, 20U);
    QCOMPARE(result.repeats.size(), std::size_t{1});
  }

  void whyARankFailedIsItsResultsReason() {
    const RunResult result = run(
        {kStopped + kHello + readyFor(1) + "sleep 1000",
         kHello + R"(echo '{"event":"result","outcome":"failed","reason":"too many"}'; exit 1)"});
    QCOMPARE(QString::fromStdString(result.reason), "rank 1 failed: too many");
  }

  void oneThatEndsWithoutAResultHasFailed() {
    QCOMPARE(QString::fromStdString(run({kHello + "exit 0"}).reason),
             "rank 0 failed: it ended with exit code 0");
  }

  void failedSamplesNameTheirRankAndAreToldOnce() {
    const std::string twice = readyFor(1) + failureOf("a.jpg") + repeatOf(1, 10) + readyFor(2) +
                              failureOf("a.jpg") + repeatOf(2, 10);
    const RunResult result =
        run({kHello + twice + kFinished,
             kHello + readyFor(1) + repeatOf(1, 10) + readyFor(2) + repeatOf(2, 10) + kFinished});
    QCOMPARE(m_heard.failed.size(), std::size_t{1});
    QCOMPARE(m_heard.total, 1U);
    QCOMPARE(result.failures.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(result.failures[0].reason), "torn (rank 0)");
    QCOMPARE(result.figures.failedSamples, 1U);
    QCOMPARE(result.ranks[1].figures.failedSamples, 0U);
  }

  void aStopEndsAllWithWhatTheyMeasured() {
    const RunResult result = stoppedAtItsPhase(
        {kHello + "end() { " + repeatOf(1, 10) + " exit 3; }; trap end INT;" + readyFor(1) +
             R"(echo '{"event":"phase","phase":"measured","repeat":1}'; while :; do sleep 0.01; done)",
         kHello + "end() { " + repeatOf(1, 10) + " exit 3; }; trap end INT;" + readyFor(1) +
             "while :; do sleep 0.01; done"});
    QVERIFY(result.outcome == RunOutcome::Interrupted);
    QCOMPARE(result.figures.samples, 20U);
  }

  void aStopBeforehandStartsNothing() {
    HeardRun heard;
    std::vector<RankStart> starts;
    starts.push_back({{"/bin/bash", "-c", "touch " + rendezvous() + "/begun"}, ""});
    RankProcesses processes(std::move(starts), rendezvous(), heard);
    processes.stop();
    QVERIFY(processes.run().outcome == RunOutcome::Interrupted);
    QVERIFY(!QFile::exists(m_rendezvous.filePath("begun")));
  }

 private:
  std::string rendezvous() const { return m_rendezvous.path().toStdString(); }

  RunResult run(const std::vector<std::string>& scripts, std::vector<std::string> gpus = {}) {
    gpus.resize(scripts.size());
    std::vector<RankStart> commands;
    for (std::size_t i = 0; i < scripts.size(); ++i)
      commands.push_back({{"/bin/bash", "-c", scripts[i]}, gpus[i]});
    m_heard = {};
    m_heard.atPhase = std::exchange(m_atPhase, {});
    return RankProcesses(std::move(commands), rendezvous(), m_heard).run();
  }

  RunResult stoppedAtItsPhase(const std::vector<std::string>& scripts) {
    class Stopper final : public RunObserver {
     public:
      void onPhase(const RunPhase&) override { processes->stop(); }
      RankProcesses* processes = nullptr;
    };
    std::vector<RankStart> commands;
    for (const std::string& script : scripts) commands.push_back({{"/bin/bash", "-c", script}, ""});
    Stopper stopper;
    RankProcesses processes(std::move(commands), rendezvous(), stopper);
    stopper.processes = &processes;
    return processes.run();
  }

  HeardRun m_heard;
  std::function<void()> m_atPhase;  ///< used by the next run
  QTemporaryDir m_rendezvous;
};

}  // namespace millrace

using millrace::TestRankProcesses;
MILLRACE_TEST_CASE(TestRankProcesses)
#include "tst_rank_processes.moc"
