// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/report/comparison_page.h"

#include <algorithm>
#include <ctime>
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/report/html_text.h"
#include "core/report/page_plots.h"
#include "core/report/page_style.h"
#include "core/report/page_tables.h"

namespace millrace {

namespace {

std::string title(const Comparison& comparison) {
  const ComparedRun& reference = comparison.runs.front();
  if (comparison.runs.size() == 2)
    return fmt::format("Run {} against run {}", comparison.runs[1].number(), reference.number());
  std::vector<std::string> numbers;
  for (std::size_t i = 1; i < comparison.runs.size(); ++i)
    numbers.push_back(comparison.runs[i].number());
  return fmt::format("Runs {} against run {}", joinWords(numbers), reference.number());
}

std::string section(const char* id, const std::string& heading, const std::string& content) {
  if (content.empty()) return {};
  return fmt::format(
      "<section aria-labelledby=\"h-{0}\">\n<h2 id=\"h-{0}\">{1}</h2>\n{2}</section>\n", id,
      htmlText(heading), content);
}

std::string note(const char* text) { return fmt::format("<p class=\"note\">{}</p>\n", text); }

std::string plot(const std::string& svg) {
  return svg.empty() ? svg : "<div class=\"scroll\"><div class=\"plot\">" + svg + "</div></div>\n";
}

/// A number and its percent sign stay on one line.
std::string withUnbrokenPercent(std::string text) {
  constexpr std::string_view kNoBreak = "\xC2\xA0%";
  for (std::size_t at = 0; (at = text.find(" %", at)) != text.npos; at += kNoBreak.size())
    text.replace(at, 2, kNoBreak);
  return text;
}

struct Sign {
  const char* text;
  const char* classes;
};

Sign signOf(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Faster: return {"▲", "tag faster"};
    case VerdictKind::Slower: return {"▼", "tag slower"};
    case VerdictKind::Same: return {"~", "tag"};
    case VerdictKind::TooFew: return {"…", "tag"};
    case VerdictKind::NotAlike: break;
  }
  return {"!", "tag warn"};
}

std::string verdicts(const Comparison& comparison) {
  const std::string reference = "run " + comparison.runs.front().number();
  std::string list = "<ul class=\"verdicts\">\n";
  for (const ComparedRun& run : comparison.runs) {
    if (!run.verdict) continue;
    const Sign sign = signOf(run.verdict->kind);
    const std::string name = "run " + run.number();
    list +=
        fmt::format("<li><span class=\"{}\">{} {}</span>{}.</li>\n", sign.classes, sign.text, name,
                    withUnbrokenPercent(htmlText(describe(*run.verdict, reference, name))));
  }
  return list + "</ul>\n";
}

std::string runsText(const Comparison& comparison, const std::vector<std::string>& numbers) {
  if (numbers.size() == comparison.runs.size()) return "all runs";
  return (numbers.size() == 1 ? "run " : "runs ") + joinWords(numbers);
}

std::string remarks(const Comparison& comparison) {
  std::string list;
  for (const Remark& remark : comparison.remarks())
    list +=
        fmt::format("<li>{}: {}</li>\n", runsText(comparison, remark.runs), htmlText(remark.text));
  return list.empty() ? list : "<ul class=\"note\">\n" + list + "</ul>\n";
}

const char* classOf(const std::string& line) {
  if (line.starts_with('+')) return "added";
  return line.starts_with('-') ? "removed" : "changed";
}

std::string graphs(const Comparison& comparison) {
  std::string text;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.verdict) continue;
    if (!run.graph) {
      text += fmt::format(
          "<p>run {}: the pipelines cannot be compared because one of them cannot be read.</p>\n",
          run.number());
      continue;
    }
    const std::vector<std::string> lines = diffLines(*run.graph);
    text += fmt::format("<p>run {}: {}</p>\n", run.number(), htmlText(lines.front()));
    if (lines.size() < 2) continue;
    text += "<ul class=\"diff\">\n";
    for (std::size_t i = 1; i < lines.size(); ++i)
      text += fmt::format("<li class=\"{}\">{}</li>\n", classOf(lines[i]), htmlText(lines[i]));
    text += "</ul>\n";
  }
  return text;
}

std::string settings(const Comparison& comparison) {
  const std::string all =
      fmt::format("<details><summary>All {} settings</summary>\n", comparison.settings.size()) +
      settingTable(comparison, true) + "</details>\n";
  if (comparison.settingsThatDiffer() == 0) return "<p>All settings are the same.</p>\n" + all;
  return settingTable(comparison, false) + all;
}

std::string conditions(const Comparison& comparison) {
  const std::string all = "<details><summary>All recorded conditions</summary>\n" +
                          conditionTable(comparison, true) + "</details>\n";
  if (comparison.conditionsThatDiffer().empty())
    return "<p>No known difference in machine, data or page cache.</p>\n" + all;
  return conditionTable(comparison, false) + all;
}

const char* const kHowToRead =
    "<p>A rate alone decides nothing: between separate runs it drifts by a few per cent. Runs "
    "measured "
    "together (<code>millrace compare</code>) are judged by a paired t test over interleaved "
    "blocks. For runs measured apart, a difference must exceed 2.3 standard errors, which include "
    "the drift between sessions, or 10 % with fewer than three repeats. Runs under different "
    "conditions (machine, data, page cache) get no verdict.</p>\n"
    "<p>A rate is the geometric mean of the repeats that count: of a run measured alone those that "
    "nothing disturbed (all, if everything was disturbed), of runs measured together all. "
    "Intervals "
    "are 95 % confidence intervals of that mean, given from three repeats on. <i>pp</i>: "
    "percentage points.</p>\n";

}  // namespace

std::string comparisonPage(const Comparison& comparison, const ComparisonPageOptions& options) {
  const std::string heading = htmlText(title(comparison));
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\"/>\n<title>{}</title>\n<style>",
      heading);
  page += comparisonStyle();
  page += fmt::format(
      "</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n<p class=\"sub\">Run {} is the {}. Made "
      "{} by Millrace {}.</p>\n</header>\n<main>\n",
      heading, comparison.runs.front().number(),
      comparison.runs.front().summary.baseline ? "baseline" : "first run named",
      utcMinute(options.made) + " UTC", htmlText(options.engineVersion));
  page += section("verdict", "Verdict", verdicts(comparison) + remarks(comparison));
  page += section(
      "rate", "Samples per second",
      plot(ratePlot(comparison)) +
          note("Circle: one repeat. Vertical line: the geometric mean of the repeats that count. "
               "Band: its 95 % confidence interval."));
  page += section("runs", "Runs", runTable(comparison));
  page += section("settings", "Settings that differ", settings(comparison));
  page += section("figures", "Figures", figureTable(comparison));
  if (const std::string windows = plot(windowPlot(comparison)); !windows.empty())
    page += section("windows", "Over time",
                    windows + note("One line per repeat, one point per second. Flat lines "
                                   "close together mean a reliable rate."));
  page += section("nodes", "Time by node", plot(nodePlot(comparison)));
  if (const std::string queues = plot(queuePlot(comparison)); !queues.empty())
    page += section(
        "queues", "Queues",
        queues +
            note("Dark: full. Light: partly filled. Background: empty. A queue that is mostly full "
                 "is limited by its consumer, one that is mostly empty by its producer."));
  page += section("conditions", "Conditions", conditions(comparison));
  page += section("graph", "Pipeline", graphs(comparison));
  page += section("reading", "How to read it", kHowToRead);
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace millrace
