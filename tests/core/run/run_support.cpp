// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/run/run_support.h"

#include <fstream>
#include <map>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/codecs/encode.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/transfer/host_copy.h"
#include "core/transfer/transfer_worker.h"

namespace millrace::tests {

std::string documentOf(const std::string& chain, std::uint64_t seed) {
  std::string nodes;
  std::string wires;
  std::string before;
  std::map<std::string, int> count;
  for (const std::string& line : split(chain, '\n')) {
    const std::string text(trimmed(line));
    if (text.empty()) continue;
    const std::size_t space = text.find(' ');
    const std::string kind = text.substr(0, space);
    const std::string params = space == std::string::npos ? "{}" : text.substr(space);
    const int number = ++count[kind];
    const std::string id = number == 1 ? kind : fmt::format("{}_{}", kind, number);
    nodes += fmt::format(R"({}{{"id":"{}","kind":"{}","params":{}}})", nodes.empty() ? "" : ",", id,
                         kind, params);
    if (runCatalog().find(kind)->role == NodeRole::Choice) continue;
    if (!before.empty())
      wires += fmt::format(R"({}{{"from":"{}","to":"{}"}})", wires.empty() ? "" : ",", before, id);
    before = id;
  }
  return fmt::format(R"({{"format_version":1,"seed":{},"nodes":[{}],"wires":[{}]}})", seed, nodes,
                     wires);
}

namespace {

Error allOf(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems.all())
    if (problem.severity == Severity::Error) text += problem.text() + "\n";
  return Error{text};
}

}  // namespace

Result<Plan> planOf(const std::string& chain, const PlanSettings& settings) {
  const ReadGraph read = parseGraph(documentOf(chain, settings.seed), runCatalog());
  if (!read.graph) return allOf(read.problems);
  CheckOptions options;
  options.openData = true;
  options.noRandom = settings.noRandom;
  options.cores = 64;
  CheckResult checked = checkGraph(*read.graph, runCatalog(), options);
  if (!checked.pipeline) return allOf(checked.problems);
  return makePlan(std::move(*checked.pipeline), {settings.fuse});
}

std::uint64_t digestOf(const Batch& batch) {
  std::uint64_t hash = fnv1a("");
  const auto add = [&](const auto& value) {
    hash = fnv1a({reinterpret_cast<const char*>(&value), sizeof value}, hash);
  };
  for (std::size_t r = 0; r < batch.rows; ++r) {
    add(batch.keys[r].epoch);
    add(batch.keys[r].index);
    add(batch.keys[r].copy);
    for (const BatchField& field : batch.fields) {
      const TensorView& row = field.rows[r];
      hash = fnv1a(row.shape.text(), fnv1a(nameOf(row.dtype), hash));
      hash = fnv1a({reinterpret_cast<const char*>(row.data), row.bytes}, hash);
    }
  }
  return hash;
}

SeenBatch seen(const Batch& batch) {
  return {batch.epoch,
          batch.indexInEpoch,
          batch.rows,
          {batch.keys.begin(), batch.keys.begin() + static_cast<std::ptrdiff_t>(batch.rows)},
          digestOf(batch)};
}

Outcome runPlan(const Plan& plan, const ExecutorOptions& options, const CacheSet& caches,
                const std::function<void(Executor&, const Batch&)>& atBatch) {
  Outcome outcome;
  ExecutorOptions complete = options;
  complete.transfer = &deviceTransfer();
  auto executor = Executor::make(plan, caches, complete);
  if (!executor) {
    outcome.end = RunEnd::Failed;
    outcome.error = executor.error().message;
    return outcome;
  }
  HostCopy copy((*executor)->device());
  outcome.end = (*executor)->run([&](const Batch& batch, const Executor::Arrival&) {
    const Result<const Batch*> onHost = copy.of(batch);
    MILLRACE_CHECK(onHost.ok(), onHost.error().message);
    outcome.batches.push_back(seen(**onHost));
    if (atBatch) atBatch(**executor, batch);
    return true;
  });
  if (outcome.end == RunEnd::Failed) outcome.error = (*executor)->error().message;
  outcome.totals = (*executor)->totals();
  outcome.failures = (*executor)->failures().failures();
  return outcome;
}

Outcome runPlan(const Plan& plan, const ExecutorOptions& options) {
  const auto caches = CacheSet::make(plan);
  MILLRACE_CHECK(caches.ok(), "caches can be made");
  return runPlan(plan, options, *caches);
}

Outcome runChain(const std::string& chain, const ExecutorOptions& options,
                 const PlanSettings& settings) {
  const Result<Plan> plan = planOf(chain, settings);
  if (!plan) return {RunEnd::Failed, plan.error().message, {}, {}, {}};
  return runPlan(*plan, options);
}

ExecutorOptions withFailures(ExecutorOptions options, std::uint64_t count) {
  options.failureLimit.count = count;
  return options;
}

std::string workers(int count, const std::string& more) {
  return fmt::format("workers {{\"count\": {}{}}}", count, more);
}

std::multiset<std::uint32_t> indices(const Outcome& outcome, std::uint32_t epoch) {
  std::multiset<std::uint32_t> all;
  for (const SeenBatch& batch : outcome.batches)
    for (const SampleKey& key : batch.keys)
      if (batch.epoch == epoch) all.insert(key.index);
  return all;
}

std::vector<std::size_t> rows(const Outcome& outcome) {
  std::vector<std::size_t> all;
  for (const SeenBatch& batch : outcome.batches) all.push_back(batch.rows);
  return all;
}

ExecutorOptions epochs(std::uint64_t count) {
  ExecutorOptions options;
  options.limits.epochs = count;
  options.transfer = &deviceTransfer();
  return options;
}

ExecutorOptions batches(std::uint64_t count) {
  ExecutorOptions options;
  options.limits.batches = count;
  options.transfer = &deviceTransfer();
  return options;
}

void writePictures(const std::filesystem::path& folder, int count) {
  for (int i = 0; i < count; ++i) {
    const int width = 40 + i * 7 % 50;
    const int height = 36 + i * 11 % 60;
    Draw draw({static_cast<std::uint64_t>(i), 0, 0, 0, 0});
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * 3));
    for (std::size_t p = 0; p < pixels.size(); ++p)
      pixels[p] = static_cast<std::uint8_t>(p / 3 % static_cast<std::size_t>(width) * 3 +
                                            draw.bits() % 16 + static_cast<unsigned>(i));
    const ImageView view{pixels.data(), width, height, 3, std::ptrdiff_t{width} * 3};
    const bool jpeg = i % 3 != 2;
    const auto bytes = jpeg ? encodeJpeg(view) : encodePng(view);
    MILLRACE_CHECK(bytes.ok(), "a picture can be encoded");
    const std::filesystem::path place = folder / (i % 2 == 0 ? "even" : "odd");
    std::filesystem::create_directories(place);
    std::ofstream file(place / fmt::format("{:03}.{}", i, jpeg ? "jpg" : "png"), std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes->data()),
               static_cast<std::streamsize>(bytes->size()));
  }
}

}  // namespace millrace::tests
