// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "tests/core/store/store_fixture.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

/// A finished run with nothing but its name.
inline RunNumber finishOne(RunStore& store, const std::string& name = "a run") {
  const auto run = store.beginRun(smallRun(name));
  static_cast<void>(store.finishRun(*run, RunState::Finished, "", {}));
  return *run;
}

/// A finished run with something of everything that a store keeps.
inline RunNumber richRun(RunStore& store, const std::string& name) {
  NewRun run = smallRun(name);
  run.experiment = "photos";
  run.notes = "two\nlines \xff";
  run.tags = {"keep", "it's"};
  run.settings = {{"workers", "count", std::int64_t{2}}, {"flip", "enabled", true}};
  run.environment = {{"kernel", "6.1"}};
  const auto number = store.beginRun(run);
  const auto repeat = store.beginRepeat(*number, 0);
  const std::array points = {SeriesPoint{0.5, 1}, SeriesPoint{12, 2}};
  const std::array nodes = {NodeRecord{"decode", "decode", 10, 1, 2, 1.5, 1.4, 0.1, {}}};
  const std::array queues = {QueueRecord{"prefetch", "workers", "drain", "batches", 2, 1, 0, 0}};
  const std::array slowest = {
      SlowestRecord{"b\xff.jpg", 3, 12.5, 900, "decode", 11.5, "JPEG by libjpeg"}};
  const std::array failures = {FailureRecord{"a\xff.jpg", "truncated"}};
  const std::array figures = {FigureRecord{"samples_per_second", 500.0}};
  const bool written =
      store.addWindow(*repeat, {0, 1, 500, 5}).ok() &&
      store.addSeries(*repeat, "process.rss_bytes", points).ok() &&
      store.addNodeFigures(*repeat, nodes).ok() && store.addQueueFigures(*repeat, queues).ok() &&
      store.addSlowest(*repeat, slowest).ok() && store.addFailures(*number, failures, 1).ok() &&
      store.finishRepeat(*repeat, figures).ok() &&
      store.finishRun(*number, RunState::Finished, "", figures).ok();
  return written ? *number : RunNumber{0};
}

/// Everything of a run that a copy must have, as text.
inline std::string fingerprint(RunStore& store, RunNumber run) {
  const auto details = store.show(run);
  if (!details.ok()) return details.error().message;
  const RunSummary& s = details->summary;
  std::string text = s.uid + s.experiment + s.name + s.pipelineName + std::string(nameOf(s.state)) +
                     details->notes + details->engineVersion +
                     std::to_string(s.started.time_since_epoch().count()) +
                     std::to_string(s.failedSamples) + *store.pipelineJson(run);
  for (const std::string& tag : s.tags) text += "#" + tag;
  for (const SettingRecord& setting : details->settings)
    text += setting.node + setting.param + std::to_string(setting.value.index());
  for (const auto& [key, value] : details->environment) text += key + value;
  for (const FigureRecord& figure : details->figures)
    text += figure.metric + std::to_string(figure.value.value_or(-1));
  for (const FailureRecord& failure : details->failures) text += failure.sample + failure.reason;
  for (const RepeatRecord& repeat : details->repeats) {
    text += std::to_string(repeat.index) + std::to_string(repeat.finished) +
            std::to_string(repeat.windows.size()) + std::to_string(repeat.nodes.size()) +
            std::to_string(repeat.queues.size()) + std::to_string(repeat.figures.size());
    for (const SlowestRecord& slow : repeat.slowest)
      text += slow.sample + std::to_string(slow.times) + std::to_string(slow.meanMs) +
              std::to_string(slow.bytes) + slow.node + std::to_string(slow.nodeMs) + slow.route;
    for (const std::string& metric : repeat.seriesMetrics) {
      const auto points = store.series(repeat.id, metric);
      for (const SeriesPoint& point : *points)
        text += metric + std::to_string(point.seconds) + std::to_string(point.value);
    }
  }
  return text;
}

}  // namespace millrace::tests
