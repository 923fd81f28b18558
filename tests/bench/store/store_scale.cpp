// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The response times of a store with many runs, and the size of a run:
//   store_scale FILE [RUNS]
// makes FILE with RUNS runs (10 000) as the command line writes them (the classification example
// with 200 seeds, three repeats, five windows, series at five points per second) if it does not
// exist, then prints the median of 5 times for list, query, sort and show, each with a new
// connection as in a command. It also prints the CPU time, which is more reliable on a shared
// machine.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "core/store/run_store.h"
#include "tests/core/compare/kept.h"

namespace {

using namespace millrace;

constexpr int kRepeats = 3;
constexpr int kWindows = 5;
constexpr double kSeconds = 7;  // including warm-up
constexpr std::array kSeries = {"samples_per_second", "process.cpu_share", "process.rss_bytes",
                                "queue.fill/prefetch"};
constexpr std::array kNodes = {
    "image_folder", "shuffle",   "workers", "decode",   "random_resized_crop",
    "flip",         "normalise", "batch",   "prefetch", "drain"};
constexpr int kPipelines = 200;

void check(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.error().message.c_str());
  std::exit(1);
}

template <class T>
T checked(Result<T> result) {
  if (!result.ok()) check(result.error());
  return result.take();
}

/// Its document and settings, and facts about a machine.
KeptRun pipeline(int seed) {
  const Catalog& catalog = builtinCatalog();
  Graph graph = *parseGraph(*exampleJson("classification"), catalog).graph;
  graph.seed = static_cast<std::uint64_t>(seed);
  KeptRun run = tests::keptRun(1, {});
  tests::setPipeline(run, graphText(graph, catalog));
  return run;
}

NewRun newRun(int i) {
  static std::vector<KeptRun> pipelines;
  if (pipelines.empty())
    for (int seed = 0; seed < kPipelines; ++seed) pipelines.push_back(pipeline(seed));
  const KeptRun& kept = pipelines[static_cast<std::size_t>(i % kPipelines)];
  NewRun run;
  run.experiment = "experiment " + std::to_string(i % 20);
  run.name = i % 3 == 0 ? "run " + std::to_string(i) : "";
  run.tags = i % 5 == 0 ? std::vector<std::string>{"draft"} : std::vector<std::string>{};
  run.pipelineName = "classification";
  run.pipelineJson = kept.pipelineJson;
  run.engineVersion = "0.1.0";
  run.settings = kept.details.settings;
  for (SettingRecord& setting : run.settings)
    if (setting.node == "workers" && setting.param == "count")
      setting.value = std::int64_t{1 + i % 16};
  run.environment = kept.details.environment;
  for (int e = 0; e < 8; ++e)
    run.environment.emplace_back("fact_" + std::to_string(e), "a value of some length");
  return run;
}

std::vector<FigureRecord> figures(double rate) {
  std::vector<FigureRecord> all = {{"samples_per_second", rate},
                                   {"samples_per_second.ci95_low", rate * 0.98},
                                   {"samples_per_second.ci95_high", rate * 1.02}};
  for (int f = 0; f < 18; ++f) all.push_back({"figure_" + std::to_string(f), rate + f});
  return all;
}

void addRun(RunStore& store, int i) {
  const double rate = 100 + (i * 7919) % 5000;
  const RunNumber run = checked(store.beginRun(newRun(i)));
  for (int r = 0; r < kRepeats; ++r) {
    const RepeatId repeat = checked(store.beginRepeat(run, r));
    for (int w = 0; w < kWindows; ++w)
      check(store.addWindow(repeat, {2.0 + w, 1, static_cast<std::int64_t>(rate), 10}));
    for (const char* metric : kSeries) {
      std::vector<SeriesPoint> points;
      for (double at = 0; at < kSeconds; at += 0.2) points.push_back({at, rate + at});
      check(store.addSeries(repeat, metric, points));
    }
    std::vector<NodeRecord> nodes;
    for (const char* node : kNodes) nodes.push_back({node, node, 500, 1, 2, 1.5, 1.4, 3.0, {}});
    check(store.addNodeFigures(repeat, nodes));
    const std::array queues = {
        QueueRecord{"prefetch", "workers", "drain", "batches", 2, 1.5, 0.1, 0.2}};
    check(store.addQueueFigures(repeat, queues));
    check(store.finishRepeat(repeat, figures(rate)));
  }
  check(store.finishRun(run, RunState::Finished, "", figures(rate)));
}

void measure(const char* what, const std::filesystem::path& file,
             const std::function<void(RunStore&)>& work) {
  std::array<double, 5> wall{};
  std::array<double, 5> cpu{};
  for (std::size_t i = 0; i < wall.size(); ++i) {
    const std::clock_t cpuBegin = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    Database::Options options;
    options.mode = Database::Mode::Read;
    RunStore store = checked(RunStore::open(file, options));
    work(store);
    const auto taken = std::chrono::steady_clock::now() - begin;
    wall[i] = std::chrono::duration<double, std::milli>(taken).count();
    cpu[i] = 1e3 * static_cast<double>(std::clock() - cpuBegin) / CLOCKS_PER_SEC;
  }
  std::ranges::sort(wall);
  std::ranges::sort(cpu);
  std::printf("%-46s %8.1f ms   (%.1f to %.1f)   CPU %.1f ms\n", what, wall[2], wall[0], wall[4],
              cpu[2]);
}

RunQuery queryOf(RunStore& store, const char* where, const char* sort) {
  const QueryVocabulary vocabulary = checked(store.vocabulary());
  RunQuery query;
  ParsedQuery parsed = parseQuery(where, vocabulary, {});
  if (parsed.mistake) check(Error{parsed.mistake->message});
  query.where = std::move(parsed.condition);
  if (*sort != '\0') query.sort = checked(parseSort(sort, vocabulary));
  return query;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::puts("store_scale FILE [RUNS]"), 2;
  const std::filesystem::path file = argv[1];
  const int runs = argc > 2 ? std::atoi(argv[2]) : 10'000;
  if (!std::filesystem::exists(file)) {
    RunStore store = checked(RunStore::open(file));
    for (int i = 0; i < runs; ++i) addRun(store, i);
  }
  RunStore store = checked(RunStore::open(file));
  RunQuery all;
  all.limit = 1'000'000;
  const auto count = static_cast<double>(checked(store.list(all)).size());
  std::printf("%.0f runs, %.1f kB each\n", count,
              static_cast<double>(std::filesystem::file_size(file)) / 1e3 / count);
  const auto search = [&](const char* what, const char* where, const char* sort) {
    measure(what, file, [&](RunStore& s) { checked(s.search(queryOf(s, where, sort))); });
  };
  search("list", "", "");
  search("workers.count > 2 and not tag:draft", "workers.count > 2 and not tag:draft", "");
  search("samples_per_second > 4000", "samples_per_second > 4000", "");
  search("name ~ 99 or experiment = 'experiment 3'", "name ~ 99 or experiment = 'experiment 3'",
         "");
  search("sorted by -samples_per_second", "", "-samples_per_second");
  search("sorted by workers.count,-samples_per_second", "", "workers.count,-samples_per_second");
  measure("show", file, [&](RunStore& s) { checked(s.show(RunNumber{runs / 2})); });
  measure("every run, for an export", file, [&](RunStore& s) { checked(s.list(all)); });
  return 0;
}
