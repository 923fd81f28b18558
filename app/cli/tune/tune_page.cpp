// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune/tune_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/cli/common/failed_settings.h"
#include "app/cli/common/terminal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/run/report.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/metrics/metric_text.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kShownSettings = 15;
constexpr std::size_t kSettingsColumn = 45;

/// "samples/s", or the figure of the goal.
const char* figureName(TuneGoal goal) {
  switch (goal) {
    case TuneGoal::Throughput: return "samples/s";
    case TuneGoal::Cost: return "CPU s/1000";
    case TuneGoal::Latency: return "wait ms";
    case TuneGoal::EpochTime: return "epoch s";
  }
  return "";
}

std::string figureText(const TuneOutcome& outcome, std::size_t s) {
  const std::optional<double> value = outcome.levelOf(s);
  return value ? rounded(*value) : "-";
}

/// The improvement of the goal: "+12.0 %"; empty if it is not known.
std::string gainText(const TuneOutcome& outcome, std::size_t s) {
  const std::optional<double> gain = outcome.shownGain(s);
  return gain ? fmt::format("{:+.1f} %", 100 * (*gain - 1)) : std::string();
}

std::vector<std::size_t> rankedOf(const TuneOutcome& outcome) {
  std::vector<std::size_t> ranked;
  for (std::size_t s = 0; s < outcome.settings.size(); ++s)
    if (outcome.settings[s].failure.empty() && !outcome.settings[s].repeats.empty())
      ranked.push_back(s);
  const auto gain = [&](std::size_t s) { return outcome.settings[s].gain.value_or(1); };
  std::ranges::sort(ranked, [&](std::size_t a, std::size_t b) {
    // The best comes first, even if another one's mere estimate is higher.
    if ((a == outcome.best) != (b == outcome.best)) return a == outcome.best;
    return gain(a) != gain(b) ? gain(a) > gain(b) : a < b;
  });
  return ranked;
}

std::string rowOf(const TuneOutcome& outcome, std::size_t s) {
  const TunedSetting& setting = outcome.settings[s];
  const SpanFigures figures = outcome.figuresOf(s);
  const auto cores = coresOf(figures);
  const bool front = std::ranges::find(outcome.front, s) != outcome.front.end();
  const bool start = setting.edits.empty();
  std::string words = start ? "unmodified" : setting.settings;
  if (outcome.best == s) words += "  (best)";
  return fmt::format(
      "  {:>10} {:>9} {:>9} {:>5} {} {}", figureText(outcome, s), start ? "" : gainText(outcome, s),
      figures.peakRssBytes ? humanBytes(static_cast<double>(*figures.peakRssBytes)) : "-",
      cores ? fmt::format("{:.1f}", *cores) : "-", front ? "*" : " ",
      wrapped(singleLine(words), kSettingsColumn, kSettingsColumn));
}

std::string tableOf(const TuneOutcome& outcome) {
  const std::vector<std::size_t> ranked = rankedOf(outcome);
  if (ranked.empty()) return {};
  std::string text = fmt::format("\n  {:>10} {:>9} {:>9} {:>5}   {}\n", figureName(outcome.goal),
                                 "better by", "memory", "cores", "settings that differ");
  for (std::size_t i = 0; i < std::min(kShownSettings, ranked.size()); ++i)
    text += rowOf(outcome, ranked[i]);
  if (ranked.size() > kShownSettings)
    text += fmt::format("  and {} more (--json lists all)\n", ranked.size() - kShownSettings);
  if (ranked.size() == 1) return text;
  text += "  " + wrapped(
                     "* no other setting is shown to be as fast with as little memory and as few "
                     "cores",
                     4, 2);
  if (outcome.goal == TuneGoal::Throughput)
    text += "  " + wrapped(
                       "samples/s without drift: the unmodified pipeline's rate times the gain in "
                       "shared blocks; a run's page shows its own mean",
                       4, 2);
  return text;
}

std::string failuresOf(const TuneOutcome& outcome) {
  std::vector<std::string> failures;
  for (const TunedSetting& setting : outcome.settings) {
    if (setting.failure.empty()) continue;
    const std::string words = setting.edits.empty() ? "unmodified" : setting.settings;
    failures.push_back(words + ": " + setting.failure);
  }
  return failedSettingLines(failures);
}

std::string changesOf(const TuneOutcome& outcome) {
  if (!outcome.best || outcome.settings[*outcome.best].edits.empty()) return {};
  std::string text = "\n  what to change\n";
  for (const Advice& edit : outcome.settings[*outcome.best].edits) {
    std::string line = edit.editText();
    if (edit.changes != SampleChange::Nothing)
      line += fmt::format("  (changes the {} that training gets)", nameOf(edit.changes));
    if (!edit.costs.empty()) line += "  (" + edit.costs + ")";
    text += "    " + wrapped(visibleName(line), 6, 4);
  }
  return text;
}

/// Why the unmodified pipeline is recommended.
std::string baselineStands(const TuneOutcome& outcome) {
  const auto isMeasured = [](const TunedSetting& setting) { return !setting.repeats.empty(); };
  if (std::ranges::count_if(outcome.settings, isMeasured) < 2)
    return "the unmodified pipeline stands: no other setting was measured";
  const auto open = outcome.unproven();
  if (!open) return "the unmodified pipeline stands: no tried setting is better";
  const TunedSetting& seemed = outcome.settings[*open];
  std::string text = "the unmodified pipeline stands: no tried setting is shown to be better; ";
  const bool direct = outcome.judged == open && outcome.verdict && outcome.verdict->ratio;
  if (direct && outcome.goal == TuneGoal::Throughput)
    return text + describe(*outcome.verdict, "it", seemed.settings);
  return text + fmt::format("{} was at {} in {}; a longer --budget can settle it", seemed.settings,
                            gainText(outcome, *open), counted(seemed.repeats.size(), "trial"));
}

/// Why a setting that looks better is not the best.
std::string rivalText(const TuneOutcome& outcome) {
  const auto rival = outcome.rivalOfBest();
  if (!rival) return {};
  const std::string name =
      *rival == 0 ? std::string("the unmodified pipeline") : outcome.settings[*rival].settings;
  return fmt::format(
      "; {} looks as good or better with no more memory and cores, which {} cannot "
      "tell from chance: a longer --budget can settle it",
      name, counted(outcome.settings[*rival].repeats.size(), "trial"));
}

/// How certain it is that the best is better.
std::string verdictOf(const TuneOutcome& outcome) {
  if (!outcome.best) return {};
  const TunedSetting& best = outcome.settings[*outcome.best];
  if (best.edits.empty()) return baselineStands(outcome);
  if (!best.gain) return "the unmodified pipeline could not be measured: no verdict";
  const std::string gain = gainText(outcome, *outcome.best);
  if (!outcome.verdict || outcome.verdict->kind == VerdictKind::TooFew) {
    const std::size_t blocks = outcome.verdict ? outcome.verdict->repeatsA : 0;
    return fmt::format("better by {} than the unmodified pipeline, measured together in {}", gain,
                       counted(blocks, "block"));
  }
  if (outcome.goal == TuneGoal::Throughput)
    return describe(*outcome.verdict, "the unmodified pipeline", "the best");
  return fmt::format("better by {} (not by chance, {} blocks), by {}", gain,
                     outcome.verdict->repeatsA, nameOf(outcome.goal));
}

std::string predictionsOf(const TuneOutcome& outcome) {
  if (outcome.predictions.empty()) return {};
  std::string text = "\n  predictions of the model (samples/s)\n";
  for (const TunedPrediction& each : outcome.predictions)
    text += fmt::format("    {} {:>9} [{}, {}], measured {} ({:+.0f} %)\n",
                        fitted(singleLine(each.edit), 32), rounded(each.predicted.middle),
                        rounded(each.predicted.low), rounded(each.predicted.high),
                        rounded(each.measured),
                        100 * (shownRatio(each.measured, each.predicted.middle).value_or(1) - 1));
  return text;
}

std::string command(const char* title, const std::string& line) {
  return line.empty() ? std::string() : fmt::format("\n  {}\n    {}\n", title, visibleName(line));
}

std::string keptAs(const TuneOutcome& outcome) {
  const std::string name = "experiment \"" + singleLine(outcome.experiment) + "\"";
  if (outcome.replay) return fmt::format("replayed: all measurements are those of {}", name);
  if (outcome.replayed == 0) return "kept as " + name;
  return fmt::format("kept as {}, which had {} of the trials when it was stopped", name,
                     outcome.replayed);
}

std::string endOf(const TuneOutcome& outcome) {
  std::string text;
  for (const std::string& sentence : outcome.leftOut)
    text += "  " + wrapped(visibleName("not tried: " + sentence), 4, 2);
  if (!outcome.taskset.empty())
    text += "  " + wrapped(fmt::format("measured only on cores {0}: taskset -c {0} restricts a run "
                                       "to them",
                                       outcome.taskset),
                           4, 2);
  if (!outcome.experiment.empty()) text += "  " + wrapped(keptAs(outcome), 4, 2);
  return text.empty() ? text : "\n" + text;
}

std::ptrdiff_t measuredSettings(const TuneOutcome& outcome) {
  return std::ranges::count_if(outcome.settings, [](const TunedSetting& setting) {
    return setting.state() != TunedSetting::State::Waiting;
  });
}

/// How many of the trials do not count.
std::string replacedOf(const TuneOutcome& outcome) {
  if (outcome.replaced == 0) return {};
  return fmt::format("  {} of the trials {} disturbed, far slower or failed, and measured again\n",
                     outcome.replaced, outcome.replaced == 1 ? "was" : "were");
}

std::string seconds(double value) { return humanSeconds(std::max(1.0, std::round(value))); }

}  // namespace

std::string tuneText(const TuneOutcome& outcome, const TuneCommands& commands) {
  std::string text = wrapped(
      visibleName(fmt::format(
          "{}: {} of {} measured, in {} and {}, for {}", outcome.pipeline,
          measuredSettings(outcome), counted(outcome.settings.size(), "setting"),
          counted(outcome.trials, "trial"), seconds(outcome.spentSeconds), nameOf(outcome.goal))),
      2);
  text += replacedOf(outcome);
  if (outcome.diagnosis && !outcome.diagnosis->runs.empty())
    text += "  " + wrapped(visibleName(headlineOf(outcome.diagnosis->finding)), 4, 2);
  text += "  " + wrapped(visibleName("it ended because " + outcome.stoppedBecause()), 4, 2);
  text += tableOf(outcome) + failuresOf(outcome) + changesOf(outcome);
  if (const std::string verdict = verdictOf(outcome) + rivalText(outcome); !verdict.empty())
    text += "\n  " + wrapped(emphasised(visibleName(verdict)), 2, 2);
  text += predictionsOf(outcome) + endOf(outcome);
  text += command("compare it with the unmodified pipeline:", commands.compare);
  if (!commands.written.empty())
    return text + "\n  " + wrapped("written: " + visibleName(commands.written), 4, 2);
  return text + command("write the best:", commands.write);
}

}  // namespace millrace::cli
