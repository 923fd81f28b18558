// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/cli/common/terminal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/run/rank_page.h"
#include "app/cli/run/slowest_page.h"
#include "core/analysis/bottleneck.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/base/text/visible_text.h"
#include "core/measure/store_figures.h"
#include "core/metrics/metric_text.h"
#include "core/tune/run_counters_of.h"

namespace millrace::cli {

std::string rounded(double value) { return roundedText(value); }

std::string rateLine(const RunResult& result) {
  const RateFigures& rate = result.figures.samplesPerSecond;
  if (!rate.mean) return "nothing measured\n";
  std::string line = fmt::format("{} samples/s", rounded(*rate.mean));
  if (rate.ci95Low)
    line += fmt::format("   95 % interval {} to {}", rounded(std::max(0.0, *rate.ci95Low)),
                        rounded(*rate.ci95High));
  else
    line += fmt::format("   (an interval needs 3 or more repeats{})",
                        leftOutText(result).empty() ? "" : " that count");
  return line + "\n";
}

std::string notCountedLine(const RunResult& result) {
  const std::string leftOut = leftOutText(result);
  return leftOut.empty()
             ? ""
             : figureLine("not counted", "in the rates, CPU, step and wait: " + leftOut);
}

std::string figureLine(std::string_view name, std::string_view value) {
  return fmt::format("  {:<16}{}", name, wrapped(value, 18, 18));
}

namespace {

/// The device's figures, and what the user must know before comparing.
std::string gpuLines(const GpuFigures& gpu) {
  const GpuValues& values = gpu.values;
  std::vector<std::string> parts;
  if (values.utilisation) parts.push_back(fmt::format("busy {:.1f} %", 100 * *values.utilisation));
  if (values.memoryUsedBytes && values.memoryTotalBytes)
    parts.push_back(fmt::format("{} of {}", humanBytes(*values.memoryUsedBytes),
                                humanBytes(*values.memoryTotalBytes)));
  if (values.powerWatts) parts.push_back(rounded(*values.powerWatts) + " W");
  if (values.temperatureCelsius)
    parts.push_back(fmt::format("up to {:.0f} °C", *values.temperatureCelsius));
  std::string text = figureLine("GPU", visibleText(gpu.name));
  if (!parts.empty()) text += figureLine("", join(parts, ", "));
  if (values.throttledShare.value_or(0) > 0)
    text += figureLine("GPU throttled",
                       fmt::format("{:.0f} % of the time: {}", 100 * *values.throttledShare,
                                   join(gpuThrottleNames(values.throttleReasons), ", ")));
  if (const double others = values.otherProcesses.value_or(0); others > 0)
    text += figureLine("GPU shared",
                       fmt::format("with {:.0f} other process{}", others, others > 1 ? "es" : ""));
  if (!gpu.ended.empty()) text += figureLine("GPU figures end", visibleText(gpu.ended));
  return text;
}

/// "distance 99 %, class entropy of a batch 98 % of a full shuffle". Below 100 samples, chance
/// alone makes the distance differ from 100 % by more than 6 %.
std::string shuffleText(const ShuffleQuality& order) {
  constexpr std::size_t kSteady = 100;
  if (order.samples < kSteady && order.distance.isChance() &&
      (!order.batchEntropy || order.batchEntropy->isChance()))
    return fmt::format("as after a full shuffle, as far as {} tell",
                       counted(order.samples, "sample"));
  if (order.distance.value == 0) return "none: the samples come in the order of the source";
  const auto part = [](const char* name, const std::optional<ShuffleFigure>& figure) {
    const std::optional<double> ofFull = figure ? figure->ofFull() : std::nullopt;
    return ofFull ? fmt::format("{} {:.0f} %", name, 100 * *ofFull) : std::string();
  };
  const std::string entropy = part(", class entropy of a batch", order.batchEntropy);
  return part("distance", order.distance) + entropy + " of a full shuffle";
}

std::string figureLines(const SpanFigures& figures) {
  std::string text;
  const auto add = [&](const char* name, const std::string& value) {
    text += figureLine(name, value);
  };
  if (figures.batchesPerSecond.mean)
    add("batches", rounded(*figures.batchesPerSecond.mean) + " per second");
  if (figures.samplesPerSecond.median)
    add("windows of 1 s",
        fmt::format("median {}, 5 % below {}, 5 % above {} ({} windows)",
                    rounded(*figures.samplesPerSecond.median),
                    rounded(*figures.samplesPerSecond.p05), rounded(*figures.samplesPerSecond.p95),
                    figures.samplesPerSecond.windows));
  if (figures.inputBytesPerSecond && *figures.inputBytesPerSecond > 0)
    add("read", humanBytes(*figures.inputBytesPerSecond) + "/s");
  if (figures.cpuSecondsPer1000Samples)
    add("CPU", humanSeconds(*figures.cpuSecondsPer1000Samples) + " per 1000 samples");
  if (figures.peakRssBytes)
    add("peak memory", humanBytes(static_cast<double>(*figures.peakRssBytes)));
  if (figures.stepShare) add("step busy", fmt::format("{:.1f} %", 100 * *figures.stepShare));
  if (figures.training) {
    const TrainingFigures& training = *figures.training;
    add("training step",
        fmt::format("forward {}, backward {}, update {}", humanSeconds(training.forwardMs / 1e3),
                    humanSeconds(training.backwardMs / 1e3),
                    humanSeconds(training.updateMs / 1e3)));
    std::string loss =
        fmt::format("{:.3f} at first, {:.3f} at the end", training.firstLoss, training.loss);
    if (training.skippedUpdates > 0)
      loss += fmt::format("; {} updates skipped", training.skippedUpdates);
    add("loss", loss);
    add("trained by", training.libraries);
  }
  if (figures.waitP95Ms)
    add("wait for batch",
        fmt::format("{} (95th percentile)", humanSeconds(*figures.waitP95Ms / 1e3)));
  if (figures.order) add("shuffle", shuffleText(*figures.order));
  if (figures.accelerator) text += gpuLines(*figures.accelerator);
  if (const auto disturbances = disturbancesIn(figures); !disturbances.empty())
    add("disturbed", join(disturbances, "; "));
  return text;
}

std::string bar(double share, std::size_t width) {
  const auto filled = static_cast<std::size_t>(
      std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(width)));
  return std::string(filled, '#') + std::string(width - filled, '.');
}

std::string fusedWith(const SpanFigures& figures, const std::string& id) {
  std::string names;
  for (const NodeFigures& node : figures.nodes)
    if (node.fusedInto == id) names += " + " + node.id;
  return names;
}

}  // namespace

std::string nodeLines(const SpanFigures& figures) {
  double most = 0;
  for (const NodeFigures& node : figures.nodes) most += node.busySeconds.value_or(0);
  if (most <= 0) return {};
  std::string text = "\n  where the time went           share of busy time     mean      items\n";
  for (const NodeFigures& node : figures.nodes) {
    if (!node.busySeconds) continue;
    const double share = *node.busySeconds / most;
    text +=
        fmt::format("  {:<28}  {} {:>3.0f} %  {:>9} {:>10}\n", node.id, bar(share, 15), 100 * share,
                    humanSeconds(node.meanMs.value_or(0) / 1e3), grouped(node.items.value_or(0)));
    if (const std::string fused = fusedWith(figures, node.id); !fused.empty())
      text += fmt::format("   {}\n", fused);
    for (const NamedCount& counted : node.counters)
      text += fmt::format("    {} {}\n", grouped(counted.count), counted.name);
  }
  return text;
}

std::string queueLines(const SpanFigures& figures) {
  std::string text;
  for (const QueueFigures& queue : figures.queues) {
    if (!queue.meanFill) continue;
    text += fmt::format("  {:<28}  mean {:.1f} of {} batches, empty {:.0f} %, full {:.0f} %\n",
                        queue.id, *queue.meanFill, queue.capacity,
                        100 * queue.emptyShare.value_or(0), 100 * queue.fullShare.value_or(0));
  }
  return text.empty() ? text : "\n  queues\n" + text;
}

std::string cacheLines(const RunResult& result) {
  if (!result.caches) return {};
  std::string text;
  for (const auto& [id, fill] : *result.caches) {
    text += fmt::format(
        "  {:<28}  {}", id,
        wrapped(fmt::format("{} samples, {} of {}; {} hits, {} misses", grouped(fill.entries),
                            humanBytes(static_cast<double>(fill.bytes)),
                            humanBytes(static_cast<double>(fill.limitBytes)), grouped(fill.hits),
                            grouped(fill.misses)),
                32, 32));
    if (fill.damaged > 0) text += fmt::format("    {} were damaged\n", grouped(fill.damaged));
    if (!fill.stopped.empty())
      text += "    " + wrapped("stopped growing: " + singleLine(fill.stopped), 6, 4);
  }
  return text.empty() ? text : "\n  caches\n" + text;
}

std::string failureLines(const RunResult& result) {
  if (result.figures.failedSamples == 0 && result.failures.empty()) return {};
  const std::uint64_t total =
      std::max<std::uint64_t>(result.figures.failedSamples, result.failures.size());
  std::string text = fmt::format("\n  {} sample{} failed\n", total, total == 1 ? "" : "s");
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < std::min(kShown, result.failures.size()); ++i)
    text +=
        "    " +
        wrapped(visibleName(result.failures[i].sample + ": " + result.failures[i].reason), 6, 4);
  if (total > kShown) text += fmt::format("    and {} more (--json lists them)\n", total - kShown);
  return text;
}

std::string limitLines(const RunResult& result, const Plan& plan) {
  if (result.repeats.empty()) return {};
  const LimitFinding finding =
      findLimit(countersOf(plan, result.repeats, surroundingsOf(result.environment)));
  const bool open = finding.confidence == Confidence::CannotTell;
  std::string text = "\n  " + wrapped(emphasised(visibleText(headlineOf(finding))), 4, 2);
  for (const LimitEvidence& evidence : open ? finding.evidence : finding.limit.evidence)
    text += "    " + wrapped(visibleText(evidence.meaning), 6, 4);
  return text;
}

std::string failureHint(const RunResult& result) {
  return result.tooManyFailed
             ? "; --max-failures allows more, as a number of samples or a share such as 5%"
             : "";
}

std::string reportText(const RunResult& result, const Plan& plan, const std::string& pipeline,
                       const std::string& kept) {
  // The rules only apply to the threads of one process.
  return reportText(result, pipeline, "", result.ranks.empty() ? limitLines(result, plan) : "",
                    kept);
}

std::string reportText(const RunResult& result, const std::string& name, const std::string& about,
                       const std::string& limits, const std::string& kept) {
  const SpanFigures& figures = result.figures;
  std::string text = fmt::format("{}: {}", visibleName(name), rateLine(result)) + about;
  if (!result.repeats.empty())
    text += fmt::format("  {:<16}{} sample{} in {} batch{}, {} of {}\n", "measured",
                        grouped(figures.samples), figures.samples == 1 ? "" : "s",
                        grouped(figures.batches), figures.batches == 1 ? "" : "es",
                        counted(result.repeats.size(), "repeat"),
                        humanSeconds(figures.seconds / static_cast<double>(result.repeats.size())));
  text += notCountedLine(result) + figureLines(figures) + rankLines(result) + nodeLines(figures) +
          queueLines(figures) + cacheLines(result) + slowestLines(figures) + failureLines(result) +
          limits;
  if (result.outcome == RunOutcome::Interrupted)
    text += result.repeats.empty() ? "\n  interrupted before anything was measured\n"
                                   : "\n  interrupted: the results so far are above\n";
  if (result.outcome == RunOutcome::Failed)
    text += "\n  " + wrapped("failed: " + visibleText(result.reason) + failureHint(result), 2, 2);
  if (!kept.empty()) text += fmt::format("\n  {}\n", visibleText(kept));
  return text;
}

}  // namespace millrace::cli
