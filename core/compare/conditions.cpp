// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/conditions.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/metrics/disturbance.h"
#include "core/store/run_origin.h"

namespace millrace {

namespace {

/// A share of failed samples up to a run's default limit is no difference
/// (docs/reference/failures.md).
constexpr double kFailedShare = 0.01;
/// Kernels reserve slightly different amounts of the same physical memory.
constexpr double kSameMemory = 1.02;

std::optional<double> numberIn(const std::optional<std::string>& text) {
  double value = 0;
  if (!text) return std::nullopt;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), value);
  if (read.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

RunCondition fact(const KeptRun& run, const char* name, const char* key, Weight weight) {
  const std::string value = factOf(run.details, key).value_or("");
  return {name, value, weight, value};
}

/// A fact whose absence means "none", provided that the environment was recorded at all.
RunCondition absentFact(const KeptRun& run, const char* name) {
  const std::string none = factOf(run.details, "kernel") ? "none" : "";
  return {name, none, Weight::Decides, none};
}

RunCondition gpuOf(const KeptRun& run) {
  const RunCondition gpu = fact(run, "GPU", "gpu", Weight::Decides);
  return gpu.value.empty() ? absentFact(run, "GPU") : gpu;
}

RunCondition bytesFact(const KeptRun& run, const char* name, const char* key) {
  const std::optional<double> bytes = numberIn(factOf(run.details, key));
  if (!bytes || *bytes <= 0) return absentFact(run, name);
  return {name, humanBytes(*bytes), Weight::Decides, fmt::format("{}", *bytes)};
}

/// Like bytesFact, but the key is that of the first run with about the same amount.
std::vector<RunCondition> memories(std::span<const KeptRun> runs) {
  std::vector<RunCondition> all;
  for (const KeptRun& run : runs) {
    RunCondition memory = bytesFact(run, "memory", "memory_bytes");
    for (const RunCondition& earlier : all) {
      const auto a = numberIn(earlier.key);
      const auto b = numberIn(memory.key);
      if (!a || !b || std::max(*a, *b) > kSameMemory * std::min(*a, *b)) continue;
      memory.key = earlier.key;
      break;
    }
    all.push_back(std::move(memory));
  }
  return all;
}

/// Formats the fingerprint, which is checksum-samples-bytes, without its checksum.
std::string shownFingerprint(const std::string& text) {
  const std::vector<std::string> parts = split(text, '-');
  if (parts.size() != 3) return text;
  const auto samples = numberIn(parts[1]);
  const auto bytes = numberIn(parts[2]);
  if (!samples || !bytes || *samples < 0) return text;
  return fmt::format("{} samples, {}", grouped(static_cast<std::uint64_t>(*samples)),
                     humanBytes(*bytes));
}

RunCondition dataOf(const KeptRun& run, bool byFingerprint) {
  RunCondition data{"data", "", Weight::Decides, ""};
  const auto print = factOf(run.details, "data_fingerprint");
  const auto samples = factOf(run.details, "data_samples");
  if (print) data.value = shownFingerprint(*print);
  if (!print && samples) data.value = *samples + " samples";
  data.key = (byFingerprint ? print : samples).value_or("");
  return data;
}

/// The checksum is shown only where nothing else tells the data apart.
std::vector<RunCondition> dataOf(std::span<const KeptRun> runs) {
  const bool byFingerprint = std::ranges::all_of(
      runs, [](const KeptRun& run) { return factOf(run.details, "data_fingerprint").has_value(); });
  std::vector<RunCondition> all;
  for (const KeptRun& run : runs) all.push_back(dataOf(run, byFingerprint));
  const std::vector<RunCondition> shown = all;
  for (RunCondition& data : all)
    if (byFingerprint && std::ranges::any_of(shown, [&](const RunCondition& other) {
          return other.value == data.value && other.key != data.key;
        }))
      data.value += fmt::format(", checksum {:.8}", data.key);
  return all;
}

RunCondition pageCacheOf(const KeptRun& run) {
  const std::string state = factOf(run.details, "page_cache").value_or("");
  if (state.empty() || state == "unknown") return {"page cache", state, Weight::Decides, "", true};
  RunCondition cache{"page cache", state, Weight::Decides, state, true};
  const auto share = numberIn(factOf(run.details, "page_cache_resident_share"));
  if (state == "mixed" && share) {
    cache.value = fmt::format("mixed, {:.0f} % in memory", 100 * *share);
    cache.key = fmt::format("mixed {:.0f}", 10 * *share);
  }
  return cache;
}

/// A run whose settings were changed while it ran is comparable with no other, not even with one
/// that had the same changes.
RunCondition liveChangesOf(const KeptRun& run, std::size_t index) {
  const auto changes = factOf(run.details, kLiveChangesFact);
  if (!changes) return {"live changes", "no", Weight::Decides, "no"};
  return {"live changes", *changes, Weight::Decides, fmt::format("run {}", index)};
}

/// In a training, the program's own steps take time as well.
RunCondition originOf(const KeptRun& run) {
  const std::string origin = factOf(run.details, kOriginFact).value_or("");
  const std::string own = "the pipeline's own consumer";
  // A loader's batches are taken as fast as they come, as those of a pipeline are.
  if (isFileOrigin(origin)) return {"consumer", std::string(kLoaderConsumer), Weight::Decides, own};
  const std::string value = origin.empty() ? own : origin;
  return {"consumer", value, Weight::Decides, value};
}

/// Even machines of the same kind differ in what else they do.
RunCondition machineOf(const KeptRun& run) {
  const std::string machine = factOf(run.details, kMachineFact).value_or("this one");
  return {"machine", machine, Weight::Decides, machine};
}

/// The rate of several processes is the sum of their rates.
RunCondition ranksOf(const KeptRun& run) {
  const std::string ranks = factOf(run.details, kRanksFact).value_or("1");
  return {"ranks", ranks, Weight::Explains, ranks};
}

/// A trace times every sample, which lowers the rate slightly.
RunCondition tracedOf(const KeptRun& run) {
  const std::string traced = factOf(run.details, kTracedFact) ? "yes" : "no";
  return {"traced", traced, Weight::Decides, traced};
}

RunCondition outcomeOf(const KeptRun& run, std::size_t index) {
  const RunSummary& summary = run.details.summary;
  const std::string state(nameOf(summary.state));
  if (summary.state != RunState::Failed) return {"outcome", state, Weight::Decides, "sound"};
  return {"outcome", state + (summary.reason.empty() ? "" : ": " + summary.reason), Weight::Decides,
          fmt::format("run {}", index)};
}

RunCondition failuresOf(const KeptRun& run) {
  const auto failed = static_cast<double>(run.details.summary.failedSamples);
  const double all = numberIn(factOf(run.details, "data_samples")).value_or(0);
  const std::string value = failed > 0 && all > 0
                                ? fmt::format("{:.0f} of {:.0f}, {:.3g} %", failed, all,
                                              100 * std::min(1.0, failed / all))
                                : fmt::format("{:.0f}", failed);
  const bool few = all <= 0 || failed <= kFailedShare * all;
  return {"failed samples", value, Weight::Decides,
          few ? "few" : fmt::format("{:.0f} %", 100 * failed / all)};
}

RunCondition disturbanceOf(const KeptRun& run) {
  double most = 0;
  bool known = false;
  for (const RepeatRecord& repeat : run.details.repeats)
    if (const auto share = figureOf(repeat.figures, "other_busy_share")) {
      most = std::max(most, *share);
      known = true;
    }
  if (!known) return {"other programs", "", Weight::Explains, ""};
  const std::string value = fmt::format("{:.1f} % of the cores", 100 * most);
  return {"other programs", value, Weight::Explains,
          most > kDisturbedShare ? "disturbed" : "quiet"};
}

/// The type of sample that reaches the consumer, without the number of rows, which is a setting.
RunCondition sampleOf(const KeptRun& run, const Catalog& catalog) {
  RunCondition sample{"sample type", "", Weight::Explains, ""};
  const ReadGraph read = parseGraph(run.pipelineJson, catalog);
  if (!read.graph) return sample;
  CheckOptions options;
  options.device = DeviceUse::DontDetect;
  const CheckResult checked = checkGraph(*read.graph, catalog, options);
  if (checked.streams.empty()) return sample;
  std::vector<std::string> fields;
  for (const FieldSpec& field : checked.streams.back().in.fields) fields.push_back(field.text());
  sample.value = sample.key = join(fields, "; ");
  return sample;
}

}  // namespace

std::vector<std::vector<RunCondition>> conditionsOf(std::span<const KeptRun> runs,
                                                    const Catalog& catalog) {
  using enum Weight;
  const std::vector<RunCondition> memory = memories(runs);
  const std::vector<RunCondition> data = dataOf(runs);
  std::vector<std::vector<RunCondition>> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const KeptRun& run = runs[i];
    const std::string& engine = run.details.engineVersion;
    all.push_back({outcomeOf(run, i),
                   machineOf(run),
                   fact(run, "CPU", "cpu_model", Decides),
                   fact(run, "architecture", "architecture", Decides),
                   fact(run, "cores", "cores_usable", Decides),
                   memory[i],
                   bytesFact(run, "memory limit", "memory_limit_bytes"),
                   gpuOf(run),
                   fact(run, "governor", "governor", Decides),
                   data[i],
                   pageCacheOf(run),
                   fact(run, "draws", "draws", Decides),
                   fact(run, "node fusion", "fusing", Decides),
                   liveChangesOf(run, i),
                   tracedOf(run),
                   originOf(run),
                   ranksOf(run),
                   failuresOf(run),
                   fact(run, "measured", "measured_span", Explains),
                   fact(run, "warm-up seconds", "warmup_seconds", Explains),
                   RunCondition{"engine", engine, Explains, engine},
                   fact(run, "kernel", "kernel", Explains),
                   fact(run, "distribution", "distribution", Explains),
                   fact(run, "GPU driver", "gpu_driver", Explains),
                   fact(run, "compiler", "compiler", Explains),
                   fact(run, "virtual machine", "virtualised", Explains),
                   disturbanceOf(run),
                   sampleOf(run, catalog)});
  }
  return all;
}

bool differs(const RunCondition& a, const RunCondition& b) {
  return !a.key.empty() && !b.key.empty() && a.key != b.key;
}

std::vector<std::string> notAlikeIn(const std::vector<RunCondition>& a,
                                    const std::vector<RunCondition>& b, bool together) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (a[i].weight == Weight::Decides && !(together && a[i].drifts) && differs(a[i], b[i]))
      parts.push_back(fmt::format("{}: {} against {}", a[i].name, a[i].value, b[i].value));
  return parts;
}

}  // namespace millrace
