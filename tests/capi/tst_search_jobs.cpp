// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The jobs whose trials are processes of the program `millrace`.
#include <sched.h>

#include <set>
#include <string>
#include <vector>

#include "tests/capi/opened.h"
#include "tests/capi/started_job.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contains;
using tests::Json;
using tests::Started;

/// 500 batches a second at most, whatever the setting.
constexpr const char* kStepped =
    "synthetic {\"count\": 64, \"length\": 9}\n"
    "workers {\"count\": 1}\n"
    "batch {\"size\": 4}\n"
    "prefetch {\"batches\": 1}\n"
    "emulated_step {\"seconds\": 0.002}\n";

Json shortTrials() {
  return {{"document", Json::parse(tests::documentOf(kStepped))},
          {"store", false},
          {"warmup", 0},
          {"seconds", 0.2}};
}

Json shortSweep() {
  Json options = shortTrials();
  options["vary"] = "workers.count=1,2";
  options["repeats"] = 2;
  return options;
}

std::string refusal(const char* kind, const Json& options, const char* program = tests::kMillrace) {
  Started job(kind, options, program);
  if (job.job != nullptr || job.status != MILLRACE_ERROR_INPUT) return "started";
  return job.error;
}

/// Every rate of every trial.
std::multiset<double> ratesOf(const Json& result) {
  std::multiset<double> rates;
  for (const Json& trial : result["trials"])
    for (const Json& rate : trial["rates"]) rates.insert(rate.get<double>());
  return rates;
}

}  // namespace

class TestSearchJobs : public QObject {
  Q_OBJECT
 private slots:
  void aSweepMeasuresEverySetting() {
    Started sweep("sweep", shortSweep(), tests::kMillrace);
    QVERIFY2(sweep.status == MILLRACE_OK, sweep.error.c_str());
    const std::vector<std::string> events = sweep.events();
    QCOMPARE(events.front(), std::string("hello"));
    QVERIFY(contains(events, "sweep"));
    const Json result = sweep.result();
    QVERIFY2(sweep.status == MILLRACE_OK, sweep.error.c_str());
    QCOMPARE(std::count(events.begin(), events.end(), "trial_ended"),
             std::ptrdiff_t{4} + result["replaced_trials"].get<int>());
    QCOMPARE(result["outcome"].get<std::string>(), std::string("finished"));
    QCOMPARE(result["ranking"].size(), std::size_t{2});
    QCOMPARE(result["trials"][1]["settings"]["workers.count"].get<int>(), 2);
    QCOMPARE(result["trials"][1]["rates"].size(), std::size_t{2});
    QVERIFY(result["trials"][0]["current"].get<bool>());
    QVERIFY(result["next"].is_null());
    QVERIFY(result["experiment"].is_null());
  }

  void aStoppedSweepIsContinued() {
    const tests::TemporaryFolder folder;
    Json options = shortSweep();
    options["store"] = (folder.path() / "runs.db").string();
    options["experiment"] = "workers";
    options["repeats"] = 3;
    Started begun("sweep", options, tests::kMillrace);
    (void)begun.events("trial_ended");
    const Json part = begun.result();
    QVERIFY2(begun.status == MILLRACE_OK, begun.error.c_str());
    QCOMPARE(part["outcome"].get<std::string>(), std::string("interrupted"));
    options["resume"] = "workers";
    Started continued("sweep", options, tests::kMillrace);
    (void)continued.events();
    const Json whole = continued.result();
    QVERIFY2(continued.status == MILLRACE_OK, continued.error.c_str());
    QCOMPARE(whole["outcome"].get<std::string>(), std::string("finished"));
    const auto before = ratesOf(part);
    const auto all = ratesOf(whole);
    QCOMPARE(all.size(), std::size_t{6});
    QVERIFY(std::includes(all.begin(), all.end(), before.begin(), before.end()));
    options["resume"] = true;
    Started again("sweep", options, tests::kMillrace);
    (void)again.events();
    QVERIFY(again.result().is_null());
    QVERIFY2(again.error.find("no stopped sweep") != std::string::npos, again.error.c_str());
  }

  void wrongOptionsOfASweepAreRefusedAtOnce() {
    QVERIFY(refusal("sweep", shortSweep(), nullptr).find("`program`") != std::string::npos);
    Json without = shortSweep();
    without.erase("vary");
    QVERIFY(refusal("sweep", without).find("`vary`") != std::string::npos);
    for (const auto& [key, value] :
         std::vector<std::pair<std::string, Json>>{{"plan", "some"},
                                                   {"trial_memory", "much"},
                                                   {"trial_timeout", 0},
                                                   {"batches", 3},
                                                   {"max_failures", "x"},
                                                   {"repeats", 0},
                                                   {"resume", 3},
                                                   {"resume", true}}) {
      Json options = shortSweep();
      options[key] = value;
      QVERIFY2(refusal("sweep", options) != "started", key.c_str());
    }
  }

  void aSweepOfWhatThePipelineLacksListsEveryProblem() {
    Json options = shortSweep();
    options["vary"] = {"wrokers.count=1,2", "batch.size=0,1"};
    Started sweep("sweep", options, tests::kMillrace);
    QVERIFY(contains(sweep.events(), "problem"));
    QVERIFY(sweep.result().is_null());
    QCOMPARE(sweep.status, MILLRACE_ERROR_INPUT);
    QVERIFY2(sweep.error.find("did you mean `workers`") != std::string::npos &&
                 sweep.error.find("batch.size=0,1") != std::string::npos,
             sweep.error.c_str());
  }

  void aTuningIsReplayedWithItsMeasurements() {
    const tests::TemporaryFolder folder;
    Json options = shortTrials();
    options["store"] = (folder.path() / "runs.db").string();
    options["experiment"] = "best";
    options["budget"] = "8s";
    options["vary"] = "batch.size=4,8";
    options["allow"] = "batching";
    Started tuned("tune", options, tests::kMillrace);
    (void)tuned.events();
    const Json first = tuned.result();
    QVERIFY2(tuned.status == MILLRACE_OK, tuned.error.c_str());
    const Json kept = {{"store", options["store"]}, {"replay", "best"}};
    Started replayed("tune", kept, tests::kMillrace);
    (void)replayed.events();
    const Json second = replayed.result();
    QVERIFY2(replayed.status == MILLRACE_OK, replayed.error.c_str());
    QVERIFY(second["replay"].get<bool>());
    QVERIFY(first["measured_trials"].get<int>() > 1);
    QCOMPARE(second["replayed_trials"].get<int>(), first["measured_trials"].get<int>());
    QVERIFY(second["trials"] == first["trials"]);
    QVERIFY(second["document"] == first["document"]);
    // What the kept trials cannot answer is refused.
    Json longer = kept;
    longer["cores"] = 9999;
    Started beyond("tune", longer, tests::kMillrace);
    (void)beyond.events();
    QVERIFY(beyond.result().is_null());
    QVERIFY2(beyond.error.find("were measured on") != std::string::npos, beyond.error.c_str());
  }

  void aStoppedTuningIsContinuedAndKeepsItsCores() {
    const tests::TemporaryFolder folder;
    cpu_set_t before;
    QCOMPARE(sched_getaffinity(0, sizeof before, &before), 0);
    Json options = shortTrials();
    options["store"] = (folder.path() / "runs.db").string();
    options["budget"] = "6s";
    options["cores"] = 1;
    Started begun("tune", options, tests::kMillrace);
    (void)begun.events("trial_ended");
    const Json part = begun.result();
    QVERIFY2(begun.status == MILLRACE_OK, begun.error.c_str());
    QCOMPARE(part["outcome"].get<std::string>(), std::string("interrupted"));
    QCOMPARE(part["limits"]["cores"].get<int>(), 1);
    cpu_set_t after;
    QCOMPARE(sched_getaffinity(0, sizeof after, &after), 0);
    QVERIFY2(CPU_EQUAL(&before, &after) != 0, "only the job's own threads are restricted");
    const Json same = {{"store", options["store"]}, {"resume", true}};
    Started continued("tune", same, tests::kMillrace);
    (void)continued.events();
    const Json whole = continued.result();
    QVERIFY2(continued.status == MILLRACE_OK, continued.error.c_str());
    QCOMPARE(whole["outcome"].get<std::string>(), std::string("finished"));
    QCOMPARE(whole["experiment"], part["experiment"]);
    QCOMPARE(whole["limits"]["cores"].get<int>(), 1);
    const auto kept = ratesOf(part);
    const auto all = ratesOf(whole);
    QVERIFY(all.size() > kept.size());
    QVERIFY(std::includes(all.begin(), all.end(), kept.begin(), kept.end()));
  }

  void whatAKeptTuningFixesIsRefused() {
    const auto with = [](const std::string& key, const Json& value, const std::string& which) {
      Json options = {{which, which == "resume" ? Json(true) : Json("best")}};
      options[key] = value;
      return refusal("tune", options);
    };
    for (const char* which : {"replay", "resume"}) {
      for (const char* key : {"seconds", "warmup", "trial_timeout"})
        QVERIFY(with(key, 1, which).find("measured already") != std::string::npos);
      QVERIFY(with("no_random", true, which).find("measured already") != std::string::npos);
      QVERIFY(with("name", "x", which).find("labels") != std::string::npos);
      QVERIFY(with("store", false, which).find("need the store") != std::string::npos);
      QVERIFY(with("data", "x", which).find("need a pipeline") != std::string::npos);
    }
    QVERIFY(with("budget", "9s", "resume").find("same search") != std::string::npos);
    QVERIFY(with("cores", 1, "resume").find("same search") != std::string::npos);
    QVERIFY(with("resume", true, "replay").find("exclude each other") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestSearchJobs;
MILLRACE_TEST_CASE(TestSearchJobs)
#include "tst_search_jobs.moc"
