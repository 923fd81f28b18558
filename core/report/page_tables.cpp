// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/report/page_tables.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <functional>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/metrics/metric_text.h"
#include "core/report/html_text.h"
#include "core/report/page_plots.h"

namespace millrace {

namespace {

struct Column {
  std::string name;  ///< as HTML
  const char* classes = "";
  /// In each cell of a narrow window, which shows no heads; empty: the name.
  std::string label = {};
};

struct Cell {
  std::string html;
  const char* classes = "";
};

std::string attribute(const char* name, const std::string& value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, value);
}

std::string table(const std::vector<Column>& columns, const std::string& rows) {
  std::string head;
  for (const Column& each : columns)
    head += fmt::format("<th scope=\"col\"{}>{}</th>", attribute("class", each.classes), each.name);
  return "<div class=\"scroll\"><table>\n<thead><tr>" + head + "</tr></thead>\n<tbody>\n" + rows +
         "</tbody>\n</table></div>\n";
}

/// A row whose head is the first column.
std::string row(const std::vector<Column>& columns, const std::string& head,
                const std::vector<Cell>& cells) {
  std::string html = "<tr>" + head;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Column& column = columns[i + 1];
    html += fmt::format("<td{}{}>{}</td>",
                        attribute("data-of", column.label.empty() ? column.name : column.label),
                        attribute("class", cells[i].classes), cells[i].html);
  }
  return html + "</tr>\n";
}

Cell cell(const std::string& text, const char* classes = "") {
  const bool isNone = text.empty() || text == "-";
  return {isNone ? "<span class=\"none\">–</span>" : htmlText(text), classes};
}

std::string rowHead(const std::string& text, const std::string& title = "") {
  const std::string tip = title.empty() ? "" : fmt::format(" title=\"{}\"", htmlText(title));
  return fmt::format("<th scope=\"row\"{}>{}</th>", tip, htmlText(text));
}

std::string runMark(const Comparison& comparison, std::size_t run) {
  return fmt::format("<span class=\"mark {}\" aria-hidden=\"true\"></span>run {}",
                     seriesClass(comparison, run), comparison.runs[run].number());
}

/// The runs that are columns of one table.
using Runs = std::vector<std::size_t>;

/// Splits runs that do not fit on a printed page into several tables, each with the reference.
std::vector<Runs> columnGroups(std::size_t runs) {
  constexpr std::size_t kMost = 6;
  std::vector<Runs> groups;
  for (std::size_t run = 1; run < runs; ++run) {
    if (groups.empty() || groups.back().size() == kMost) groups.push_back({0});
    groups.back().push_back(run);
  }
  return groups;
}

std::vector<Column> runColumns(const Comparison& comparison, const Runs& runs,
                               const std::string& first, const char* classes = "") {
  std::vector<Column> columns{{htmlText(first)}};
  for (const std::size_t run : runs)
    columns.push_back(
        {runMark(comparison, run), classes, fmt::format("run {}", comparison.runs[run].number())});
  return columns;
}

/// Prevents a line break inside a number.
std::string unbroken(std::string text) {
  constexpr std::string_view kNoBreak = "\xC2\xA0";
  for (std::size_t at = 0; (at = text.find(' ', at)) != text.npos; at += kNoBreak.size())
    text.replace(at, 1, kNoBreak);
  return text;
}

std::string repeatText(const ComparedRun& run) {
  std::vector<std::string> rates;
  for (const ComparedRepeat& repeat : run.repeats)
    if (repeat.finished && repeat.rate)
      rates.push_back(unbroken(roundedText(*repeat.rate) + (repeat.counted ? "" : " (disturbed)")));
  return join(rates, " · ");
}

Cell rateCell(const ComparedRun& run) {
  if (!run.summary.samplesPerSecond) return cell("");
  std::string html = "<b>" + htmlText(roundedText(*run.summary.samplesPerSecond)) + "</b>";
  if (run.rate95)
    html += fmt::format(" <span class=\"sub2\">{} to {}</span>",
                        roundedText(std::max(0.0, run.rate95->low)), roundedText(run.rate95->high));
  return {html, "num"};
}

Cell figureCell(const FigureRow& row, std::size_t run) {
  const FigureValue& figure = row.values[run];
  if (!figure.value) return cell("", "num");
  std::string html = htmlText(metricNumber(*row.spec, *figure.value));
  if (figure.interval95 && figure.interval95->high > figure.interval95->low)
    html = htmlText(
        metricInterval(*row.spec, *figure.value, figure.interval95->low, figure.interval95->high));
  const std::size_t sign = html.find("+-");
  if (sign != std::string::npos) html.replace(sign, 2, "±");
  const auto& before = row.values.front().value;
  if (run == 0 || !before) return {html, "num"};
  std::string change = metricChange(*row.spec, *before, *figure.value);
  if (change.starts_with('-')) change.replace(0, 1, "−");
  return {fmt::format("{}<br/><span class=\"sub2\">{}</span>", html, htmlText(change)), "num"};
}

}  // namespace

std::string runTable(const Comparison& comparison) {
  const std::vector<Column> columns{
      {"Run"},     {"Name"},  {"Pipeline"},      {"Tags"}, {"Samples/s", "num"},
      {"Repeats"}, {"State"}, {"Started (UTC)"}, {"Notes"}};
  std::string rows;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const ComparedRun& run = comparison.runs[i];
    const RunSummary& summary = run.summary;
    const std::string head = "<th scope=\"row\">" + runMark(comparison, i) +
                             (summary.baseline ? " <span class=\"tag\">baseline</span>" : "") +
                             "</th>";
    rows += row(
        columns, head,
        {cell(summary.name), cell(std::filesystem::path(summary.pipelineName).filename().string()),
         cell(joinWords(summary.tags)), rateCell(run), cell(repeatText(run)),
         cell(std::string(nameOf(summary.state)), "word"), cell(utcMinute(summary.started)),
         cell(run.notes)});
  }
  return table(columns, rows);
}

namespace {

std::string figureTable(const Comparison& comparison, const Runs& runs) {
  const std::vector<Column> columns = runColumns(comparison, runs, "Figure", "num");
  std::string rows;
  for (const FigureRow& figure : comparison.figures) {
    const std::string_view id = figure.spec->id;
    if (figure.spec->scope == MetricScope::Node && id != "node.mean_ms") continue;
    if (comparison.isNegligible(figure)) continue;
    const std::string name(figure.spec->name);
    std::vector<Cell> cells;
    for (const std::size_t run : runs) cells.push_back(figureCell(figure, run));
    rows += row(columns,
                rowHead(figure.of.empty() ? name : figure.of + ": " + name,
                        std::string(figure.spec->meaning)),
                cells);
  }
  return table(columns, rows);
}

std::string settingTable(const Comparison& comparison, const Runs& runs, bool all) {
  const std::vector<Column> columns = runColumns(comparison, runs, "Setting");
  std::string rows;
  for (const SettingRow& setting : comparison.settings) {
    if (!all && !setting.differs) continue;
    std::vector<Cell> cells;
    for (const std::size_t run : runs)
      cells.push_back(cell(setting.values[run], setting.changed[run] ? "other" : ""));
    rows += row(columns, rowHead(setting.name()), cells);
  }
  return table(columns, rows);
}

std::string conditionTable(const Comparison& comparison, const Runs& runs, bool all) {
  const std::vector<std::size_t> different = comparison.conditionsThatDiffer();
  const std::vector<RunCondition>& reference = comparison.runs.front().conditions;
  std::vector<Column> columns = runColumns(comparison, runs, "Condition");
  columns.push_back({"If different"});
  std::string rows;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (!all && std::ranges::find(different, i) == different.end()) continue;
    std::vector<Cell> cells;
    for (const std::size_t run : runs) {
      const RunCondition& condition = comparison.runs[run].conditions[i];
      cells.push_back(cell(condition.value.empty() ? "unknown" : condition.value,
                           differs(reference[i], condition) ? "other" : ""));
    }
    cells.push_back(cell(reference[i].weight == Weight::Decides ? "no verdict" : "may explain"));
    rows += row(columns, rowHead(reference[i].name), cells);
  }
  return table(columns, rows);
}

template <class Table>
std::string tables(const Comparison& comparison, Table one) {
  std::string all;
  for (const Runs& runs : columnGroups(comparison.runs.size())) all += one(runs);
  return all;
}

}  // namespace

std::string figureTable(const Comparison& comparison) {
  return tables(comparison, [&](const Runs& runs) { return figureTable(comparison, runs); });
}

std::string settingTable(const Comparison& comparison, bool all) {
  return tables(comparison, [&](const Runs& runs) { return settingTable(comparison, runs, all); });
}

std::string conditionTable(const Comparison& comparison, bool all) {
  return tables(comparison,
                [&](const Runs& runs) { return conditionTable(comparison, runs, all); });
}

}  // namespace millrace
