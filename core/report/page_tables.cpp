// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/report/page_tables.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <functional>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/metrics/metric_text.h"
#include "core/report/html_text.h"
#include "core/report/page_plots.h"

namespace millrace {

namespace {

std::string table(const std::string& head, const std::string& rows) {
  return "<div class=\"scroll\"><table>\n<thead><tr>" + head + "</tr></thead>\n<tbody>\n" + rows +
         "</tbody>\n</table></div>\n";
}

std::string column(const std::string& html, const char* classes = "") {
  return fmt::format("<th scope=\"col\"{}>{}</th>",
                     *classes == 0 ? "" : fmt::format(" class=\"{}\"", classes), html);
}

std::string cell(const std::string& text, const char* classes = "") {
  const std::string html =
      text.empty() || text == "-" ? "<span class=\"none\">–</span>" : htmlText(text);
  return fmt::format("<td{}>{}</td>", *classes == 0 ? "" : fmt::format(" class=\"{}\"", classes),
                     html);
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
using Columns = std::vector<std::size_t>;

/// Splits runs that do not fit on a printed page into several tables, each with the reference.
std::vector<Columns> columnGroups(std::size_t runs) {
  constexpr std::size_t kMost = 6;
  std::vector<Columns> groups;
  for (std::size_t run = 1; run < runs; ++run) {
    if (groups.empty() || groups.back().size() == kMost) groups.push_back({0});
    groups.back().push_back(run);
  }
  return groups;
}

std::string runColumns(const Comparison& comparison, const Columns& runs, const std::string& first,
                       const char* classes = "") {
  std::string head = column(htmlText(first));
  for (const std::size_t run : runs) head += column(runMark(comparison, run), classes);
  return head;
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

std::string rateCell(const ComparedRun& run) {
  if (!run.summary.samplesPerSecond) return cell("");
  std::string html = "<b>" + htmlText(roundedText(*run.summary.samplesPerSecond)) + "</b>";
  if (run.rate95)
    html += fmt::format(" <span class=\"sub2\">{} to {}</span>",
                        roundedText(std::max(0.0, run.rate95->low)), roundedText(run.rate95->high));
  return "<td class=\"num\">" + html + "</td>";
}

std::string figureCell(const FigureRow& row, std::size_t run) {
  const FigureValue& figure = row.values[run];
  if (!figure.value) return cell("", "num");
  std::string html = htmlText(metricNumber(*row.spec, *figure.value));
  if (figure.interval95 && figure.interval95->high > figure.interval95->low)
    html = htmlText(
        metricInterval(*row.spec, *figure.value, figure.interval95->low, figure.interval95->high));
  const std::size_t sign = html.find("+-");
  if (sign != std::string::npos) html.replace(sign, 2, "±");
  const auto& before = row.values.front().value;
  if (run == 0 || !before) return "<td class=\"num\">" + html + "</td>";
  std::string change = metricChange(*row.spec, *before, *figure.value);
  if (change.starts_with('-')) change.replace(0, 1, "−");
  return fmt::format("<td class=\"num\">{}<br/><span class=\"sub2\">{}</span></td>", html,
                     htmlText(change));
}

}  // namespace

std::string runTable(const Comparison& comparison) {
  std::string rows;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const ComparedRun& run = comparison.runs[i];
    const RunSummary& summary = run.summary;
    rows += "<tr><th scope=\"row\">" + runMark(comparison, i) +
            (summary.baseline ? " <span class=\"tag\">baseline</span>" : "") + "</th>" +
            cell(summary.name) +
            cell(std::filesystem::path(summary.pipelineName).filename().string()) +
            cell(joinWords(summary.tags)) + rateCell(run) + cell(repeatText(run)) +
            cell(std::string(nameOf(summary.state)), "word") + cell(utcMinute(summary.started)) +
            cell(run.notes) + "</tr>\n";
  }
  return table(column("Run") + column("Name") + column("Pipeline") + column("Tags") +
                   column("Samples/s", "num") + column("Repeats") + column("State") +
                   column("Started (UTC)") + column("Notes"),
               rows);
}

namespace {

std::string figureTable(const Comparison& comparison, const Columns& runs) {
  std::string rows;
  for (const FigureRow& row : comparison.figures) {
    const std::string_view id = row.spec->id;
    if (row.spec->scope == MetricScope::Node && id != "node.mean_ms") continue;
    if (comparison.isNegligible(row)) continue;
    const std::string name(row.spec->name);
    rows += "<tr>" +
            rowHead(row.of.empty() ? name : row.of + ": " + name, std::string(row.spec->meaning));
    for (const std::size_t run : runs) rows += figureCell(row, run);
    rows += "</tr>\n";
  }
  return table(runColumns(comparison, runs, "Figure", "num"), rows);
}

std::string settingTable(const Comparison& comparison, const Columns& runs, bool all) {
  std::string rows;
  for (const SettingRow& row : comparison.settings) {
    if (!all && !row.differs) continue;
    rows += "<tr>" + rowHead(row.name());
    for (const std::size_t run : runs)
      rows += cell(row.values[run], row.changed[run] ? "other" : "");
    rows += "</tr>\n";
  }
  return table(runColumns(comparison, runs, "Setting"), rows);
}

std::string conditionTable(const Comparison& comparison, const Columns& runs, bool all) {
  const std::vector<std::size_t> different = comparison.conditionsThatDiffer();
  const std::vector<RunCondition>& reference = comparison.runs.front().conditions;
  std::string rows;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (!all && std::ranges::find(different, i) == different.end()) continue;
    rows += "<tr>" + rowHead(reference[i].name);
    for (const std::size_t run : runs) {
      const RunCondition& condition = comparison.runs[run].conditions[i];
      rows += cell(condition.value.empty() ? "unknown" : condition.value,
                   differs(reference[i], condition) ? "other" : "");
    }
    rows += cell(reference[i].weight == Weight::Decides ? "no verdict" : "may explain") + "</tr>\n";
  }
  return table(runColumns(comparison, runs, "Condition") + column("If different"), rows);
}

template <class Table>
std::string tables(const Comparison& comparison, Table one) {
  std::string all;
  for (const Columns& runs : columnGroups(comparison.runs.size())) all += one(runs);
  return all;
}

}  // namespace

std::string figureTable(const Comparison& comparison) {
  return tables(comparison, [&](const Columns& runs) { return figureTable(comparison, runs); });
}

std::string settingTable(const Comparison& comparison, bool all) {
  return tables(comparison,
                [&](const Columns& runs) { return settingTable(comparison, runs, all); });
}

std::string conditionTable(const Comparison& comparison, bool all) {
  return tables(comparison,
                [&](const Columns& runs) { return conditionTable(comparison, runs, all); });
}

}  // namespace millrace
