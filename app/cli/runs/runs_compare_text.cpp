// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/runs/runs_compare_text.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/cli/common/run_text.h"
#include "app/cli/common/side_by_side.h"
#include "app/cli/common/terminal.h"
#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"
#include "core/compare/conditions.h"
#include "core/metrics/metric_text.h"
#include "core/store/run_record.h"

namespace millrace::cli {

namespace {

/// A metric that a comparison shows by default.
bool telling(const FigureRow& row) {
  const std::string_view id = row.spec->id;
  if (row.spec->scope == MetricScope::Node) return id == "node.mean_ms";
  if (row.spec->scope == MetricScope::Queue) return id != "queue.mean_fill";
  if (row.spec->better == BetterWhen::Neither) return false;
  return std::ranges::any_of(row.values,
                             [](const FigureValue& v) { return v.value.value_or(0) != 0; });
}

std::string figureCell(const MetricSpec& spec, const FigureValue& figure) {
  if (!figure.value) return "-";
  if (!figure.interval95 || figure.interval95->high == figure.interval95->low)
    return metricNumber(spec, *figure.value);
  return metricInterval(spec, *figure.value, figure.interval95->low, figure.interval95->high);
}

/// The figures that the overview of many runs shows in addition to the rate.
constexpr const char* kOverviewMetrics[] = {"cpu_seconds_per_1000_samples", "peak_rss_bytes"};

class Page {
 public:
  Page(const Comparison& comparison, const ComparisonTextOptions& options)
      : m_all(comparison),
        m_options(options),
        m_plain(numbers(comparison), false),
        m_changes(numbers(comparison), true) {}

  std::string text() const {
    return runsPart() + verdictPart() + figuresPart() + settingsPart() + conditionsPart() +
           graphPart();
  }

 private:
  static std::vector<std::string> numbers(const Comparison& comparison) {
    std::vector<std::string> numbers;
    for (const ComparedRun& run : comparison.runs) numbers.push_back(run.number());
    return numbers;
  }

  const ComparedRun& reference() const { return m_all.runs.front(); }

  template <class Text>
  std::vector<std::string> cells(Text textOf) const {
    std::vector<std::string> all;
    for (const ComparedRun& run : m_all.runs) all.push_back(singleLine(textOf(run)));
    return all;
  }

  /// A row of the first part; empty if no run has a value.
  template <class Text>
  std::string about(const char* name, Text textOf) const {
    std::vector<std::string> said = cells(textOf);
    if (std::ranges::all_of(said, [](const std::string& cell) { return cell.empty(); })) return {};
    for (std::string& cell : said)
      if (cell.empty()) cell = "-";
    return m_changes.row(name, said);
  }

  std::string runsPart() const {
    const std::string against =
        fmt::format("against run {}, the {}", reference().number(),
                    reference().summary.baseline ? "baseline" : "first one named");
    std::string text = m_all.runs.size() == 2
                           ? fmt::format("run {} {}\n", m_all.runs[1].number(), against)
                           : fmt::format("{} runs {}\n", m_all.runs.size() - 1, against);
    if (!m_changes.columns()) return text + overview() + remarkLines();
    text += m_changes.heading("runs");
    text += about("name", [](const ComparedRun& run) { return run.summary.name; });
    text += about("pipeline", pipelineOf);
    const bool year = m_all.runs.size() == 2;
    text += about("started", [&](const ComparedRun& run) {
      return localTime(run.summary.started).substr(year ? 0 : 5, year ? 16 : 11);
    });
    text += about("tags", [](const ComparedRun& run) { return joinWords(run.summary.tags); });
    return text + remarkLines();
  }

  const FigureRow* figure(std::string_view id) const {
    const auto found = std::ranges::find_if(
        m_all.figures, [&](const FigureRow& row) { return row.of.empty() && row.spec->id == id; });
    return found == m_all.figures.end() ? nullptr : &*found;
  }

  std::string cell(std::string_view id, std::size_t run) const {
    const FigureRow* row = figure(id);
    return row == nullptr ? "-" : figureCell(*row->spec, {row->values[run].value, std::nullopt});
  }

  /// One line for each run.
  std::string overview() const {
    std::string text = fmt::format("\n{:>6}  {:<14}  {:>9}  {:<9}  {:>9}  {:>8}  {}\n", "run",
                                   "samples/s", "change", "verdict", "CPU/1000", "memory", "what");
    const FigureRow* rate = figure("samples_per_second");
    for (std::size_t i = 0; i < m_all.runs.size(); ++i) {
      const ComparedRun& run = m_all.runs[i];
      const std::string name = run.summary.name.empty() ? pipelineOf(run) : run.summary.name;
      text += fmt::format(
          "{:>6}  {:<14}  {:>9}  {:<9}  {:>9}  {:>8}  {}\n", run.number(),
          rate == nullptr ? "-" : figureCell(*rate->spec, rate->values[i]), rateChange(i),
          run.verdict ? nameOf(run.verdict->kind)
                      : std::string_view(run.summary.baseline ? "baseline" : "first"),
          cell(kOverviewMetrics[0], i), cell(kOverviewMetrics[1], i),
          fitted(singleLine(name), std::min<std::size_t>(columnsOf(singleLine(name)), 12)));
    }
    return text;
  }

  static std::string pipelineOf(const ComparedRun& run) {
    return std::filesystem::path(run.summary.pipelineName).filename().string();
  }

  /// Each remark once, with its runs.
  std::string remarkLines() const {
    std::string text;
    for (const Remark& remark : m_all.remarks())
      text += "  " + wrapped(singleLine(runsText(remark.runs) + ": " + remark.text), 4, 2);
    return text;
  }

  /// Runs that `millrace compare` cannot measure again: of several ranks, or of a user's own
  /// loader.
  static bool isUnrepeatable(const ComparedRun& run) {
    return std::ranges::any_of(run.conditions, [](const RunCondition& condition) {
      return (condition.name == kRanksFact && condition.value != "1") ||
             condition.value == kLoaderConsumer;
    });
  }

  std::string verdictPart() const {
    std::string text = "\nverdict\n";
    bool vague = false;
    for (const ComparedRun& run : m_all.runs) {
      if (!run.verdict) continue;
      const std::string sentence =
          describe(*run.verdict, "run " + reference().number(), "run " + run.number());
      text += "  " + wrapped(emphasised(singleLine(sentence)), 4, 2);
      const VerdictKind kind = run.verdict->kind;
      vague = vague || (run.verdict->how == MeasuredHow::Apart && kind != VerdictKind::Faster &&
                        kind != VerdictKind::Slower);
    }
    if (vague && m_all.runs.size() == 2 && std::ranges::none_of(m_all.runs, isUnrepeatable))
      text +=
          "  " + wrapped(fmt::format("to be sure, measure both together: millrace compare {} {}",
                                     reference().number(), m_all.runs[1].number()),
                         4, 2);
    return text;
  }

  std::string figuresPart() const {
    std::string text = section("figures", MetricScope::Run) +
                       section("time in a node, per item", MetricScope::Node) +
                       section("queues", MetricScope::Queue);
    for (const std::string& id : m_options.metrics)
      if (std::ranges::none_of(m_all.figures, [&](const FigureRow& f) { return f.spec->id == id; }))
        text += fmt::format("\n  {}: none of these runs has this figure\n", id);
    return text;
  }

  bool isShown(const FigureRow& row) const {
    if (m_options.metrics.empty())
      return m_changes.columns() && telling(row) && !m_all.isNegligible(row);
    return std::ranges::find(m_options.metrics, row.spec->id) != m_options.metrics.end();
  }

  std::string section(const char* title, MetricScope scope) const {
    std::string text;
    for (const FigureRow& row : m_all.figures)
      if (row.spec->scope == scope && isShown(row)) text += figureRow(row);
    return text.empty() ? text : m_changes.heading(title) + text;
  }

  std::string rateChange(std::size_t run) const {
    const FigureRow* rate = figure("samples_per_second");
    return rate == nullptr ? std::string() : changeOf(*rate, run);
  }

  static std::string changeOf(const FigureRow& row, std::size_t run) {
    const auto& before = row.values.front().value;
    const auto& after = row.values[run].value;
    return run > 0 && before && after ? metricChange(*row.spec, *before, *after) : std::string();
  }

  std::string figureRow(const FigureRow& row) const {
    const bool onlyMetric = row.spec->id == "node.mean_ms";
    std::string name(row.spec->name);
    if (!row.of.empty()) name = onlyMetric ? row.of : fmt::format("{}: {}", row.of, name);
    std::vector<std::string> cells;
    std::vector<std::string> changes;
    for (std::size_t run = 0; run < row.values.size(); ++run) {
      cells.push_back(figureCell(*row.spec, row.values[run]));
      changes.push_back(changeOf(row, run));
    }
    return m_changes.row(singleLine(name), cells, changes);
  }

  std::string settingsPart() const {
    std::string text;
    for (const SettingRow& row : m_all.settings) {
      if (!m_options.allSettings && !row.differs) continue;
      std::vector<std::string> cells;
      for (const std::string& value : row.values) cells.push_back(singleLine(value));
      text += m_plain.row(singleLine(row.name()), cells);
    }
    if (text.empty()) return fmt::format("\nsettings\n  all {} are equal\n", m_all.settings.size());
    const std::string title =
        m_options.allSettings
            ? "settings"
            : fmt::format("settings ({} of {})", m_all.settingsThatDiffer(), m_all.settings.size());
    return m_plain.heading(title) + text;
  }

  std::string conditionsPart() const {
    std::string decisive;
    std::string telling;
    for (const std::size_t i : m_all.conditionsThatDiffer()) {
      const RunCondition& condition = reference().conditions[i];
      const auto said = cells([&](const ComparedRun& run) {
        const std::string& value = run.conditions[i].value;
        return value.empty() ? std::string("not known") : value;
      });
      (condition.weight == Weight::Decides ? decisive : telling) +=
          m_plain.row(condition.name, said);
    }
    std::string text;
    if (decisive.empty())
      text += "\nconditions\n  " +
              wrapped("machine, data and page cache are equal" + unknownText(), 2, 2);
    else
      text += m_plain.heading("not comparable") + decisive;
    if (!telling.empty()) text += m_plain.heading("also different") + telling;
    return text;
  }

  /// Conditions that a verdict depends on and that are unknown for some run.
  std::string unknownText() const {
    std::vector<std::string> unknown;
    for (std::size_t i = 0; i < reference().conditions.size(); ++i)
      if (reference().conditions[i].weight == Weight::Decides &&
          std::ranges::any_of(
              m_all.runs, [&](const ComparedRun& run) { return run.conditions[i].key.empty(); }))
        unknown.push_back(reference().conditions[i].name);
    return unknown.empty() ? "" : ", as far as is known; unknown: " + joinWords(unknown);
  }

  std::string graphPart() const {
    if (!m_options.graph) return {};
    std::string text;
    for (const ComparedRun& run : m_all.runs) {
      if (!run.verdict) continue;
      text +=
          fmt::format("\npipeline of run {} against run {}\n", run.number(), reference().number());
      if (!run.graph) {
        text += "  one of the two cannot be read\n";
        continue;
      }
      for (const std::string& line : diffLines(*run.graph)) text += "  " + wrapped(line, 6, 2);
    }
    return text;
  }

  const Comparison& m_all;
  const ComparisonTextOptions& m_options;
  const SideBySide m_plain;
  const SideBySide m_changes;
};

}  // namespace

std::string keptComparisonText(const Comparison& comparison, const ComparisonTextOptions& options) {
  return Page(comparison, options).text();
}

}  // namespace millrace::cli
