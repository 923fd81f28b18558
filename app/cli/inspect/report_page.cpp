// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inspect/report_page.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "app/cli/common/data_page.h"
#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/inspect/report/normalise_edit.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kSamplesNamed = 3;
constexpr std::size_t kClassesListed = 12;
constexpr std::size_t kFindingIndent = 19;

std::string percentText(std::uint64_t count, std::uint64_t of) {
  const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(of);
  return percent < 1 ? "below 1 %" : fmt::format("{:.0f} %", percent);
}

std::string sampleText(const DataReport& report, const ReportedSample& sample) {
  const auto named = [&](const std::string& set, const std::string& name) {
    return report.sets.size() > 1 ? visibleName(set) + ": " + visibleName(name) : visibleName(name);
  };
  std::string text = named(sample.set, sample.name);
  if (!sample.like.empty()) text += " (like " + named(sample.likeSet, sample.like) + ")";
  if (!sample.reason.empty()) text += " (" + visibleName(sample.reason) + ")";
  return text;
}

std::string findingText(const DataReport& report, const ReportedFinding& finding) {
  std::string text = labelled(
      nameOf(finding.finding),
      fmt::format("{} {}", grouped(finding.count), meaningOf(finding.finding, finding.count == 1)),
      kFindingIndent);
  const std::size_t shown = std::min(kSamplesNamed, finding.samples.size());
  for (std::size_t i = 0; i < shown; ++i)
    text += std::string(kFindingIndent, ' ') +
            wrapped(sampleText(report, finding.samples[i]), kFindingIndent + 2, kFindingIndent);
  if (finding.count > shown)
    text += fmt::format("{:{}}and {} more\n", "", kFindingIndent, grouped(finding.count - shown));
  return text;
}

std::string findingsText(const DataReport& report) {
  if (report.findings.empty()) return "\n" + wrapped(withoutFindingsText(report), 0, 0);
  std::string text = "\nFindings\n";
  for (const ReportedFinding& finding : report.findings) text += findingText(report, finding);
  return text;
}

std::string classesText(const SetReport& set) {
  std::vector<std::size_t> order(set.classes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return set.perClass[a] > set.perClass[b]; });
  std::vector<std::string> texts;
  for (const std::size_t i : order) {
    if (texts.size() == kClassesListed && order.size() > kClassesListed + 1) break;
    texts.push_back(fmt::format("{} ({})", visibleName(set.classes[i]), grouped(set.perClass[i])));
  }
  if (texts.size() < order.size()) {
    const std::size_t last = order.back();
    texts.push_back(fmt::format("{} more, the smallest {} ({})", order.size() - texts.size(),
                                visibleName(set.classes[last]), grouped(set.perClass[last])));
  }
  return fmt::format("{}: {}", grouped(set.classes.size()), join(texts, ", "));
}

std::string sidesText(const SideRange& range) {
  return range.least == range.most
             ? fmt::format("{}", range.least)
             : fmt::format("{} to {}, middle {}", range.least, range.most, range.median);
}

/// "4:3 60 %, 1:1 20 %", the most frequent first.
std::string sharesText(const CountByName& counts, std::uint64_t of) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& count) { return count.second; });
  std::vector<std::string> texts;
  texts.reserve(sorted.size());
  for (const auto& [name, count] : sorted)
    texts.push_back(counts.size() == 1 ? name : fmt::format("{} {}", name, percentText(count, of)));
  return join(texts, ", ");
}

std::string turnedText(const SetReport& set) {
  const auto upright = set.orientations.find("1");
  const std::uint64_t straight = upright == set.orientations.end() ? 0 : upright->second;
  const std::uint64_t turned = set.pictures - std::min(straight, set.pictures);
  return turned == 0 ? std::string()
                     : fmt::format("; {} turned by their EXIF orientation", grouped(turned));
}

std::string picturesText(const SetReport& set) {
  if (set.pictures == 0) return {};
  std::string text = dataRow("width", sidesText(set.width));
  text += dataRow("height", sidesText(set.height));
  text += dataRow("shape", sharesText(set.proportions, set.pictures));
  text += dataRow("stored as",
                  fmt::format("{}; channels: {}; bits: {}{}", sharesText(set.formats, set.pictures),
                              sharesText(set.channels, set.pictures),
                              sharesText(set.bits, set.pictures), turnedText(set)));
  if (!set.mean.empty())
    text += dataRow("normalise", fmt::format("--set normalise.mean={} --set normalise.deviation={}",
                                             channelsText(set.mean), channelsText(set.deviation)));
  std::vector<std::string> slow;
  for (std::size_t i = 0; i < std::min(kSamplesNamed, set.slowest.size()); ++i) {
    const SlowSample& sample = set.slowest[i];
    slow.push_back(fmt::format("{} ({}x{}, {})", visibleName(sample.name), sample.width,
                               sample.height, humanSeconds(sample.milliseconds / 1000)));
  }
  if (!slow.empty()) text += dataRow("slowest", join(slow, ", "));
  return text;
}

std::string setText(const SetReport& set) {
  std::string text = fmt::format("\n{}\n", visibleName(set.name));
  text += dataRow("kind", set.kind);
  text += dataRow("samples", fmt::format("{}, {}", grouped(set.samples),
                                         humanBytes(static_cast<double>(set.bytes))));
  if (!set.classes.empty()) text += dataRow("classes", classesText(set));
  if (set.unlabelled > 0 && set.unlabelled < set.examined)
    text += dataRow("", fmt::format("{} without a class", grouped(set.unlabelled)));
  return text + picturesText(set);
}

}  // namespace

std::string dataReportPage(const DataReport& report) {
  std::string page = visibleName(report.path) + "\n";
  std::uint64_t resumed = 0;
  for (const SetReport& set : report.sets) resumed += set.resumed;
  const std::uint64_t fresh = report.examined() - resumed;
  std::string how = fmt::format("every sample of {} was examined", grouped(report.samples()));
  if (report.examined() < report.samples())
    how = fmt::format("{} of {} samples were examined", grouped(report.examined()),
                      grouped(report.samples()));
  if (resumed > 0) how += fmt::format(", {} of them by an earlier report", grouped(resumed));
  if (fresh > 0 && report.seconds > 0)
    how += fmt::format(
        "; {} in {}, {} samples/s on {}", grouped(fresh), humanSeconds(report.seconds),
        grouped(static_cast<std::uint64_t>(static_cast<double>(fresh) / report.seconds)),
        counted(report.workers, "thread"));
  page += dataRow("report", how);
  page += findingsText(report);
  for (const SetReport& set : report.sets) page += setText(set);
  if (!report.notes.empty()) page += "\n";
  for (const std::string& note : report.notes) page += dataRow("note", note);
  return report.next.empty() ? page : page + "\nNext:\n  " + report.next + "\n";
}

}  // namespace millrace::cli
