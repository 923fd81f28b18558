// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <QtTest>

#include "core/store/run_store.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

/// A store with runs of a small pipeline, all measured on one machine.
class KeptStore {
 public:
  struct Run {
    std::string name = {};
    int workers = 2;
    std::vector<double> rates = {100, 101, 102};
    double cost = 2;
    std::string pageCache = "warm";
    std::vector<std::string> tags = {};
    std::string experiment = "default";
    bool flip = false;  ///< one more node
    int moreSettings = 0;
    std::vector<SettingRecord> settings = {};  ///< further ones
    std::string pictures = {};                 ///< a folder that it reads; otherwise none is needed
    std::string python = {};    ///< a file whose function `same` runs in one more node
    std::size_t disturbed = 0;  ///< number of first repeats disturbed by other programs
    bool goesOn = false;        ///< it has rates but is not finished
    std::string origin = {};    ///< the program that took its batches
    bool series = false;        ///< with time series and the figures of every node
    RunState state = RunState::Finished;
    std::string reason = {};
    std::string pipelineName = "small.millrace.json";
    std::optional<double> stepShare = std::nullopt;  ///< of a pipeline that ends in a step
  };

  std::filesystem::path folder() const { return m_folder.path(); }
  std::filesystem::path file() const { return folder() / "runs.db"; }

  RunNumber add(const Run& run) const {
    RunStore store = open();
    return add(store, run);
  }
  RunStore open() const { return RunStore::open(file()).take(); }

  static RunNumber add(RunStore& store, const Run& run) {
    const RunNumber number = store.beginRun(newRun(run)).take();
    for (std::size_t i = 0; i < run.rates.size(); ++i) addRepeat(store, number, i, run);
    if (!run.goesOn) finish(store, number, run);
    return number;
  }
  /// Adds the missing repeats and ends the run.
  void goOn(RunNumber number, std::size_t measured, const Run& run) const {
    RunStore store = open();
    for (std::size_t i = measured; i < run.rates.size(); ++i) addRepeat(store, number, i, run);
    finish(store, number, run);
  }

 private:
  static void finish(RunStore& store, RunNumber number, const Run& run) {
    double sum = 0;
    for (const double rate : run.rates) sum += rate;
    const double mean = sum / static_cast<double>(std::max<std::size_t>(1, run.rates.size()));
    std::vector<FigureRecord> figures = {{"samples_per_second", mean},
                                         {"cpu_seconds_per_1000_samples", run.cost},
                                         {"peak_rss_bytes", 2e8}};
    if (run.stepShare) figures.push_back({"step_share", *run.stepShare});
    if (run.rates.size() > 2) {
      figures.push_back({"samples_per_second.ci95_low", mean * 0.98});
      figures.push_back({"samples_per_second.ci95_high", mean * 1.02});
    }
    if (run.state == RunState::Failed && run.rates.empty()) figures.clear();
    expect(store.finishRun(number, run.state, run.reason, figures));
  }

  static void expect(const Status& status) {
    if (!status.ok()) qFatal("%s", status.error().message.c_str());
  }

  static NewRun newRun(const Run& run) {
    NewRun begun;
    begun.experiment = run.experiment;
    begun.name = run.name;
    begun.tags = run.tags;
    begun.pipelineName = run.pipelineName;
    begun.pipelineJson = pipeline(run);
    begun.engineVersion = "0.1.0";
    begun.settings = {{"workers", "count", std::int64_t{run.workers}},
                      {"batch", "size", std::int64_t{8}},
                      {"prefetch", "batches", std::int64_t{2}}};
    for (int i = 0; i < run.moreSettings; ++i)
      begun.settings.push_back({"synthetic", "more_" + std::to_string(i),
                                std::int64_t{i + (i % 4 == 0 ? run.workers : 0)}});
    begun.settings.insert(begun.settings.end(), run.settings.begin(), run.settings.end());
    begun.environment = {{"cpu_model", "A CPU"},
                         {"cores_usable", "2"},
                         {"data_samples", "1000"},
                         {"data_fingerprint", "1f0c-1000-5000000"},
                         {"page_cache", run.pageCache},
                         {"draws", "random"},
                         {"fusing", "on"}};
    if (!run.origin.empty()) begun.environment.emplace_back("origin", run.origin);
    return begun;
  }

  static std::string pipeline(const Run& run) {
    const std::string more =
        run.flip ? R"({"id": "more", "kind": "flip"},)"
        : run.python.empty()
            ? ""
            : R"({"id": "more", "kind": "python", "params": {"function": "same", "fields":
               ["features"], "python": "/usr/bin/python3", "file": ")" +
                  run.python + R"("}},)";
    return R"({"format_version": 1, "nodes": [
      {"id": "synthetic", )" +
           (run.pictures.empty()
                ? R"("kind": "synthetic"},)"
                : R"("kind": "image_folder", "params": {"paths": [")" + run.pictures + R"("]}},)") +
           more + R"({"id": "workers", "kind": "workers", "params": {"count": )" +
           std::to_string(run.workers) + R"(}},
      {"id": "batch", "kind": "batch", "params": {"size": 8}},
      {"id": "prefetch", "kind": "prefetch", "params": {"batches": 2}},
      {"id": "drain", "kind": "drain"}],
     "wires": [)" +
           (more.empty() ? R"({"from": "synthetic", "to": "workers"},
              {"from": "workers", "to": "batch"},)"
                         : R"({"from": "synthetic", "to": "workers"},
              {"from": "workers", "to": "more"}, {"from": "more", "to": "batch"},)") +
           R"({"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "drain"}]})";
  }

  static void addRepeat(RunStore& store, RunNumber number, std::size_t i, const Run& run) {
    const double rate = run.rates[i];
    const RepeatId repeat = store.beginRepeat(number, static_cast<std::int64_t>(i)).take();
    for (int second = 0; second < 5; ++second)
      expect(store.addWindow(
          repeat, {0.5 + second, 1, static_cast<std::int64_t>(rate) + (second % 2), 10}));
    const std::vector<NodeRecord> nodes = {
        {"synthetic", "synthetic", 1000, {}, {}, 2.0, 1.9, 2.0, {}},
        {"drain", "drain", 10, {}, {}, 0.001, {}, 0.1, {}}};
    expect(store.addNodeFigures(repeat, nodes));
    const std::vector<QueueRecord> queues = {
        {"prefetch", "batch", "drain", "batches", 4, 1.0, 0.5, 0.1}};
    if (run.series)
      addSeries(store, repeat);
    else
      expect(store.addQueueFigures(repeat, queues));
    std::vector<FigureRecord> figures = {{"samples_per_second", rate},
                                         {"cpu_seconds_per_1000_samples", run.cost},
                                         {"other_busy_share", i < run.disturbed ? 0.5 : 0.01}};
    if (run.series)
      figures.insert(figures.end(),
                     {{"seconds", 5.0}, {"samples", rate * 5}, {"batches", rate * 5 / 8}});
    expect(store.finishRepeat(repeat, figures));
  }

  /// Two seconds of warm-up and five measured ones, and what the engine keeps of each node.
  static void addSeries(RunStore& store, RepeatId repeat) {
    std::map<std::string, std::vector<SeriesPoint>> series;
    for (int i = 1; i <= 35; ++i) {
      const double at = 0.2 * i;
      series["samples_per_second"].push_back({at, 100});
      series["process.cpu_share"].push_back({at, 1.5});
      series["process.rss_bytes"].push_back({at, 2e8});
      series["queue.fill/prefetch"].push_back({at, 1});
    }
    for (const auto& [metric, points] : series) expect(store.addSeries(repeat, metric, points));
    const std::vector<NodeRecord> nodes = {
        {"synthetic", "synthetic", 500, {}, {}, 4.0, {}, 2.0, {}},
        {"workers", "workers", 500, {}, {}, {}, {}, {}, {}},
        {"batch", "batch", 62, {}, {}, {}, {}, {}, {}},
        {"prefetch", "prefetch", 62, {}, {}, {}, {}, {}, {}},
        {"drain", "drain", 62, {}, {}, 0.1, {}, 0.1, {}}};
    expect(store.addNodeFigures(repeat, nodes));
    const std::vector<QueueRecord> queues = {
        {"prefetch", "workers", "drain", "batches", 4, 0.1, 0.95, 0.01}};
    expect(store.addQueueFigures(repeat, queues));
  }

  TemporaryFolder m_folder;
};

}  // namespace millrace::tests
