// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "core/store/run_store.h"
#include "tests/capi/opened.h"
#include "tests/capi/started_job.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contains;
using tests::Json;
using tests::kChain;
using tests::Started;

Json shortRun() {
  return {{"document", Json::parse(tests::documentOf(kChain))},
          {"store", false},
          {"warmup", 0},
          {"seconds", 0.2},
          {"repeats", 2}};
}

}  // namespace

class TestJobs : public QObject {
  Q_OBJECT
 private slots:
  void aRunHasEventsAndAResult() {
    Started run("run", shortRun());
    QVERIFY2(run.status == MILLRACE_OK, run.error.c_str());
    const std::vector<std::string> events = run.events();
    QCOMPARE(events.front(), std::string("hello"));
    QCOMPARE(events.at(1), std::string("plan"));
    QCOMPARE(std::count(events.begin(), events.end(), "repeat"), std::ptrdiff_t{2});
    QCOMPARE(events.at(events.size() - 2), std::string("result"));
    QCOMPARE(events.back(), std::string("end"));
    const Json result = run.result();
    QVERIFY2(run.status == MILLRACE_OK, run.error.c_str());
    QCOMPARE(result["outcome"].get<std::string>(), std::string("finished"));
    QCOMPARE(result["repeats"].size(), std::size_t{2});
    QVERIFY(result["samples_per_second"]["mean"].get<double>() > 0);
    QVERIFY(result["run_id"].is_null());
  }

  void settingsAndDataOfTheOptionsCount() {
    Json options = shortRun();
    options["settings"] = {{"batch.size", 11}, {"synthetic.count", "33"}};
    options["seconds"] = nullptr;
    options["epochs"] = 1;
    options["repeats"] = 1;
    Started run("run", options);
    (void)run.events();
    const Json result = run.result();
    QVERIFY2(run.status == MILLRACE_OK, run.error.c_str());
    QCOMPARE(result["samples"].get<int>(), 33);
    QCOMPARE(result["batches"].get<int>(), 3);
  }

  void aRunIsKeptInTheNamedStore() {
    const tests::TemporaryFolder folder;
    Json options = shortRun();
    options["store"] = (folder.path() / "runs.db").string();
    options["name"] = "from C";
    options["tags"] = "short";
    Started run("run", options);
    (void)run.events();
    QCOMPARE(run.result()["run_id"].get<std::string>(), std::string("1"));
    Database::Options read;
    read.mode = Database::Mode::Read;
    auto store = RunStore::open(folder.path() / "runs.db", read);
    VERIFY_OK(store);
    VERIFY_OK(store->pipelineJson(RunNumber{1}));
  }

  void aStopEndsARunAndKeepsWhatWasMeasured() {
    Json options = shortRun();
    options["seconds"] = 1000;
    Started run("run", options);
    const std::vector<std::string> events = run.events("snapshot");
    QCOMPARE(events.back(), std::string("end"));
    const Json result = run.result();
    QVERIFY2(run.status == MILLRACE_OK, run.error.c_str());
    QCOMPARE(result["outcome"].get<std::string>(), std::string("interrupted"));
    QVERIFY(result["samples"].get<int>() > 0);
  }

  void aResultIsThereOnceTheJobHasEnded() {
    Json options = shortRun();
    options["seconds"] = 1000;
    Started run("run", options);
    QVERIFY(run.result().is_null());
    QCOMPARE(run.status, MILLRACE_TIMEOUT);
    QCOMPARE(millrace_job_stop(run.job), MILLRACE_OK);
    (void)run.events();
    QVERIFY(!run.result().is_null());
  }

  void wrongOptionsAreRefusedAtOnce() {
    const auto refusal = [](const char* kind, const std::string& options) {
      Started job(kind, options);
      if (job.job != nullptr || job.status != MILLRACE_ERROR_INPUT) return std::string("started");
      return job.error;
    };
    QVERIFY(refusal("walk", "{}").find("there is no job `walk`") != std::string::npos);
    QVERIFY(refusal("run", "[]").find("JSON object") != std::string::npos);
    QVERIFY(refusal("run", "{}").find("name one pipeline") != std::string::npos);
    QVERIFY(refusal("run", R"({"pipeline": "a", "document": {}})").find("name one pipeline") !=
            std::string::npos);
    QVERIFY(refusal("run", R"({"pipeline": "a", "secondes": 1})").find("seconds") !=
            std::string::npos);
    for (const char* wrong :
         {R"("seconds": "1")", R"("seconds": 0)", R"("repeats": 0)", R"("repeats": 1001)",
          R"("batches": 1.5)", R"("store": 1)", R"("data": [1])", R"("settings": [])",
          R"("settings": {"a.b": {}})", R"("max_failures": "x")", R"("cold": 1)", R"("name": 1)",
          R"("seconds": 1, "epochs": 1)", R"("document": 3)"}) {
      const std::string error = refusal("run", "{\"pipeline\": \"a\", " + std::string(wrong) + "}");
      QVERIFY2(error != "started", wrong);
    }
  }

  void aPipelineThatCannotRunIsAnErrorWithEveryProblem() {
    Json options = shortRun();
    options["settings"] = {{"batch.size", -1}, {"workers.count", -2}};
    Started run("run", options);
    QCOMPARE(run.status, MILLRACE_OK);
    const std::vector<std::string> events = run.events();
    QVERIFY(contains(events, "problem"));
    QVERIFY(run.result().is_null());
    QCOMPARE(run.status, MILLRACE_ERROR_INPUT);
    QVERIFY2(run.error.find("batch") != std::string::npos &&
                 run.error.find("workers") != std::string::npos,
             run.error.c_str());
  }

  void wrongUseIsRefused() {
    char* text = nullptr;
    millrace_job* job = nullptr;
    millrace_job_options options = MILLRACE_JOB_OPTIONS_INIT;
    QCOMPARE(millrace_job_start(nullptr, &job), MILLRACE_ERROR_USE);
    QCOMPARE(millrace_job_start(&options, nullptr), MILLRACE_ERROR_USE);
    QCOMPARE(millrace_job_start(&options, &job), MILLRACE_ERROR_USE);  // without a kind
    options.kind = "run";
    options.abi = MILLRACE_ABI + 1;
    QCOMPARE(millrace_job_start(&options, &job), MILLRACE_ERROR_USE);
    QVERIFY(job == nullptr);
    QCOMPARE(millrace_job_next_event(nullptr, 0, &text), MILLRACE_ERROR_USE);
    QCOMPARE(millrace_job_stop(nullptr), MILLRACE_ERROR_USE);
    QCOMPARE(millrace_job_result(nullptr, &text), MILLRACE_ERROR_USE);
    millrace_job_close(nullptr);
    Started run("run", shortRun());
    QCOMPARE(millrace_job_next_event(run.job, 0, nullptr), MILLRACE_ERROR_USE);
    QCOMPARE(millrace_job_result(run.job, nullptr), MILLRACE_ERROR_USE);
  }

  void closingWakesAThreadThatWaits() {
    Json options = shortRun();
    options["seconds"] = 1000;
    Started run("run", options);
    std::string last;
    std::thread waiting([&] { last = run.events().back(); });
    char* text = nullptr;
    QCOMPARE(millrace_job_result(run.job, &text), MILLRACE_TIMEOUT);
    millrace_job_close(run.job);
    waiting.join();
    QCOMPARE(last, std::string("the job is closed"));
    QCOMPARE(millrace_job_stop(run.job), MILLRACE_ERROR_USE);
  }

  void aJobWhoseEventsNobodyTakesEnds() {
    Json options = shortRun();
    options["repeats"] = 3;
    Started run("run", options);
    const bool ended = QTest::qWaitFor([&] { return !run.result().is_null(); }, 100000);
    QVERIFY2(ended, run.error.c_str());
    const std::vector<std::string> events = run.events();
    QCOMPARE(events.front(), std::string("hello"));
    QCOMPARE(std::count(events.begin(), events.end(), "repeat"), std::ptrdiff_t{3});
    QVERIFY(std::count(events.begin(), events.end(), "snapshot") <= 1);
  }

  void aForkedChildIsRefused() {
    Json options = shortRun();
    options["seconds"] = 1000;
    Started run("run", options);
    const pid_t child = fork();
    if (child == 0) {
      const bool refused = millrace_job_stop(run.job) == MILLRACE_ERROR_USE;
      millrace_job_close(run.job);
      _exit(refused ? 0 : 1);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    QCOMPARE(millrace_job_stop(run.job), MILLRACE_OK);
  }
};

}  // namespace millrace

using millrace::TestJobs;
MILLRACE_TEST_CASE(TestJobs)
#include "tst_jobs.moc"
