// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/data_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/inspect/report/set_report.h"

namespace millrace {

namespace {

constexpr std::uint64_t kUneven = 10;

std::string quoted(const std::string& name) { return "`" + visibleName(name) + "`"; }

std::string classesText(std::size_t count) {
  return fmt::format("{} class{}", grouped(count), count == 1 ? "" : "es");
}

/// "`a`, `b` and 3 more".
std::string named(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) texts.push_back(quoted(names[i]));
  if (names.size() > kMost) texts.push_back(fmt::format("{} more", grouped(names.size() - kMost)));
  return joinWords(texts);
}

void noteBalance(const SetReport& set, std::vector<std::string>& notes) {
  if (set.perClass.size() < 2 || set.examined < set.samples) return;
  std::vector<std::string> empty;
  for (std::size_t c = 0; c < set.classes.size(); ++c)
    if (set.perClass[c] == 0) empty.push_back(set.classes[c]);
  if (!empty.empty() && empty.size() < set.classes.size())
    notes.push_back(fmt::format("{} of {} {} no samples: {}.", classesText(empty.size()),
                                quoted(set.name), empty.size() == 1 ? "has" : "have",
                                named(empty)));
  const auto [least, most] = std::ranges::minmax_element(set.perClass);
  if (*least == 0 || *most < kUneven * *least) return;
  notes.push_back(fmt::format(
      "The classes of {} are uneven: {} has {} samples, {} has {}. The node `balance` draws each "
      "class equally often.",
      quoted(set.name), quoted(set.classes[static_cast<std::size_t>(most - set.perClass.begin())]),
      grouped(*most), quoted(set.classes[static_cast<std::size_t>(least - set.perClass.begin())]),
      grouped(*least)));
}

void noteClasses(const SetReport& first, const SetReport& other, std::vector<std::string>& notes) {
  const auto without = [](const std::vector<std::string>& all,
                          const std::vector<std::string>& some) {
    std::vector<std::string> rest;
    for (const std::string& name : all)
      if (std::ranges::find(some, name) == some.end()) rest.push_back(name);
    return rest;
  };
  if (first.classes.size() < 2 || other.classes.size() < 2) return;
  if (const auto missing = without(first.classes, other.classes); !missing.empty())
    notes.push_back(fmt::format("{} of {} {} not in {}: {}.", classesText(missing.size()),
                                quoted(first.name), missing.size() == 1 ? "is" : "are",
                                quoted(other.name), named(missing)));
  if (const auto extra = without(other.classes, first.classes); !extra.empty())
    notes.push_back(fmt::format("{} of {} {} not in {}: {}.", classesText(extra.size()),
                                quoted(other.name), extra.size() == 1 ? "is" : "are",
                                quoted(first.name), named(extra)));
}

}  // namespace

std::uint64_t DataReport::samples() const {
  std::uint64_t sum = 0;
  for (const SetReport& set : sets) sum += set.samples;
  return sum;
}

std::uint64_t DataReport::examined() const {
  std::uint64_t sum = 0;
  for (const SetReport& set : sets) sum += set.examined;
  return sum;
}

ReportedSample reported(std::span<const ExaminedSet> sets, const FoundSample& found) {
  const ExaminedSet& set = sets[found.sample.set];
  ReportedSample sample;
  sample.set = set.name;
  sample.name = set.source->name(found.sample.index);
  sample.file = set.fileOf(found.sample.index);
  sample.index = found.sample.index;
  if (!found.like) {
    sample.reason = set.reasonOf(found.sample.index);
    return sample;
  }
  sample.likeSet = sets[found.like->set].name;
  sample.like = sets[found.like->set].source->name(found.like->index);
  sample.likeFile = sets[found.like->set].fileOf(found.like->index);
  sample.likeIndex = found.like->index;
  return sample;
}

DataReport makeDataReport(std::span<const ExaminedSet> sets, const FoundSamples& found,
                          std::size_t names) {
  DataReport report;
  for (const ExaminedSet& set : sets) report.sets.push_back(makeSetReport(set));
  for (std::size_t f = 0; f < kFindings; ++f) {
    const SpilledList<FoundSample>& samples = found.of[f];
    if (samples.empty()) continue;
    ReportedFinding& finding = report.findings.emplace_back();
    finding.finding = static_cast<Finding>(f);
    finding.count = samples.size();
    samples.forEach(0, std::min<std::uint64_t>(names, samples.size()), [&](const FoundSample& one) {
      finding.samples.push_back(reported(sets, one));
    });
  }
  for (const SetReport& set : report.sets) noteBalance(set, report.notes);
  for (std::size_t i = 1; i < report.sets.size(); ++i)
    noteClasses(report.sets.front(), report.sets[i], report.notes);
  if (!found.allNear)
    report.notes.emplace_back(
        "So many pictures look alike that not all of them were compared; some near duplicates may "
        "be missing here.");
  return report;
}

std::string withoutFindingsText(const DataReport& report) {
  const bool pictures =
      std::ranges::any_of(report.sets, [](const SetReport& set) { return set.pictures > 0; });
  return pictures ? "No sample is broken, cut off, nearly uniform or tiny, and there are no copies."
                  : "No sample is broken, and there are no copies. There are no pictures, so "
                    "nothing else "
                    "was looked for.";
}

}  // namespace millrace
