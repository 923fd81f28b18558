// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/diagnose/diagnosis_page.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/cli/common/terminal.h"
#include "app/cli/common/text_layout.h"
#include "core/analysis/cause_text.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"
#include "core/metrics/metric_text.h"

namespace millrace::cli {

namespace {

/// One part of a batch's time.
struct Part {
  char letter;
  const char* name;
  std::optional<double> seconds;
  const char* absent;
};

std::array<Part, 4> partsOf(const StallSplit& split) {
  return {{{'F', "fetch", split.fetch, "not measured"},
           {'P', "prepare", split.prepare, "not measured"},
           {'T', "transfer", split.transfer, "no device"},
           {'S', "step", split.step, "no step"}}};
}

std::string stallLines(const StallSplit& split) {
  constexpr std::size_t kBar = 72;
  std::string text =
      pageSection(fmt::format("a batch takes {}", humanSeconds(split.batchSeconds)).c_str());
  text += fmt::format("  [{}]\n", stallBar(split, kBar));
  for (const Part& part : partsOf(split)) {
    if (!part.seconds) {
      text += fmt::format("  {} {:<9} {}\n", part.letter, part.name, part.absent);
      continue;
    }
    const double share = split.batchSeconds > 0 ? *part.seconds / split.batchSeconds : 0;
    const char* by =
        part.letter == 'F' && !split.fetchByRun ? "  (estimate: its share of the work)" : "";
    text += fmt::format("  {} {:<9} {:>3.0f} %  {}{}\n", part.letter, part.name, 100 * share,
                        humanSeconds(*part.seconds), by);
  }
  return text;
}

std::string causeLines(const DiagnosisResult& result) {
  const LimitFinding& finding = result.finding;
  const bool open = finding.confidence == Confidence::CannotTell;
  std::string text = pageSection("why");
  for (const LimitEvidence& evidence : open ? finding.evidence : finding.limit.evidence)
    text += pageItem(evidence.meaning);
  if (finding.also.empty()) return text;
  text += pageSection(open ? "among" : "besides");
  for (const LimitCause& cause : finding.also) text += pageItem(causeText(cause));
  return text;
}

std::string rateText(const DiagnosisRun& run) { return roundedText(run.rate().value_or(0)); }

/// The ratio of the listed rates.
std::optional<double> shownTimes(const DiagnosisRun& run, const DiagnosisRun& over) {
  const std::optional<double> rate = run.rate();
  const std::optional<double> base = over.rate();
  return rate && base ? shownRatio(*base, *rate) : std::nullopt;
}

const DiagnosisRun& runOf(const DiagnosisResult& result, Probe probe) {
  return *std::ranges::find(result.runs, probe, &DiagnosisRun::probe);
}

std::string gaveText(const DiagnosisResult& result) {
  const RateRatio& ratio = *result.adviceGave;
  const DiagnosisRun& advised = runOf(result, Probe::Advised);
  const auto times = shownTimes(advised, runOf(result, Probe::BaselineAgain));
  return fmt::format("measured: {:.2f} times the rate ({:.2f} to {:.2f} in {})",
                     times.value_or(ratio.mean), ratio.least, ratio.most,
                     counted(advised.rates.size(), "block"));
}

std::string adviceLines(const DiagnosisResult& result) {
  if (result.advice.empty()) return {};
  std::string text = pageSection("what to change");
  for (const Advice& advice : result.advice) {
    const std::string edit = advice.editText();
    text += pageItem(edit.empty() ? advice.text : edit + "  " + advice.text);
    if (edit.empty()) continue;
    text += std::string(kPageDeep, ' ') +
            wrapped(fmt::format("cost: {}; changes {} that training gets", advice.costs,
                                advice.changes == SampleChange::Nothing
                                    ? "nothing"
                                    : "the " + std::string(nameOf(advice.changes))),
                    kPageDeep, kPageDeep);
    const auto index = static_cast<std::size_t>(&advice - result.advice.data());
    if (const auto& predicted = result.predicted[index])
      text +=
          std::string(kPageDeep, ' ') +
          wrapped(fmt::format("predicted: {} samples/s ({} to {})", roundedText(predicted->middle),
                              roundedText(predicted->low), roundedText(predicted->high)),
                  kPageDeep, kPageDeep);
    if (&advice == &result.advice.front() && result.adviceGave)
      text += std::string(kPageDeep, ' ') + wrapped(gaveText(result), kPageDeep, kPageDeep);
  }
  return text;
}

std::string runLines(const DiagnosisResult& result) {
  constexpr std::size_t kName = 48;
  std::string text = pageSection("runs                                                samples/s");
  for (const DiagnosisRun& run : result.runs) {
    std::string line = "  " + fitted(visibleText(run.what), kName);
    line += fmt::format("  {:>9}", rateText(run));
    const bool sameBlocks = run.probe != Probe::Baseline && run.probe != Probe::BaselineAgain &&
                            run.probe != Probe::Advised;
    if (const auto times = shownTimes(run, result.runs.front()); times && sameBlocks)
      line += fmt::format("  {:>6.2f} times", *times);
    text += line + "\n";
  }
  return text;
}

std::string howLines(const DiagnosisOutcome& outcome) {
  const DiagnosisResult& result = outcome.result;
  const std::size_t blocks = result.runs.front().rates.size();
  std::string text =
      pageItem(fmt::format("{} block{}; each variant ran once per block, in random order.", blocks,
                           blocks == 1 ? "" : "s"));
  if (result.disturbed > 0)
    text +=
        pageItem(fmt::format("Disturbed by other programs or by a change of core speed: {}. "
                             "Measure again on a quiet machine.",
                             counted(result.disturbed, "block")));
  if (!outcome.pageCache.empty()) text += pageItem(outcome.pageCache);
  for (const std::string& probe : result.leftOut) text += pageItem("Left out: " + probe + ".");
  for (const std::string& missing : result.finding.notMeasured)
    text += pageItem("Not measured: " + missing + ".");
  return text;
}

std::string endLines(const DiagnosisOutcome& outcome, const std::string& storeFlag) {
  const DiagnosisResult& result = outcome.result;
  std::string text;
  if (result.end == BlockEnd::Stopped) text += pageItem("Stopped: the results so far are above.");
  if (result.end == BlockEnd::Failed) text += pageItem("Failed: " + result.reason);
  if (!outcome.applied.empty() && outcome.unchanged.empty())
    text += pageItem("Pipeline with the first of these changes: " + outcome.applied);
  else if (!outcome.applied.empty())
    text += pageItem(fmt::format("Pipeline written without a change, because {}: {}",
                                 outcome.unchanged, outcome.applied));
  if (!outcome.runId.empty())
    text += pageItem(
        fmt::format("The unmodified pipeline is kept as run {0}: millrace runs show {0}{1}",
                    outcome.runId, storeFlag));
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string pageItem(const std::string& text) {
  return std::string(kIndent, ' ') + wrapped(visibleText(text), kIndent + 2, kIndent);
}

std::string pageSection(const char* title) { return fmt::format("\n{}\n", title); }

std::string stallBar(const StallSplit& split, std::size_t width) {
  std::string bar;
  double until = 0;
  for (const Part& part : partsOf(split)) {
    if (!part.seconds || split.batchSeconds <= 0) continue;
    until += *part.seconds / split.batchSeconds;
    const auto end = static_cast<std::size_t>(
        std::lround(std::clamp(until, 0.0, 1.0) * static_cast<double>(width)));
    bar.append(end > bar.size() ? end - bar.size() : 0, part.letter);
  }
  return bar + std::string(width - bar.size(), '.');
}

std::string diagnosisText(const DiagnosisOutcome& outcome, const std::string& storeFlag) {
  const DiagnosisResult& result = outcome.result;
  if (result.runs.empty()) {
    if (result.end == BlockEnd::Failed) return pageItem("failed: " + result.reason);
    return pageItem("stopped before the first block was complete: there are no results");
  }
  std::string text = wrapped(
      visibleText(fmt::format("{}: {} samples/s", outcome.pipeline, rateText(result.runs.front()))),
      kIndent);
  text += wrapped(emphasised(visibleText(headlineOf(result.finding))), kIndent);
  if (result.stalls) text += stallLines(*result.stalls);
  return text + causeLines(result) + adviceLines(result) + runLines(result) + howLines(outcome) +
         endLines(outcome, storeFlag);
}

}  // namespace millrace::cli
