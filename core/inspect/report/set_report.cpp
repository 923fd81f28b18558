// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/set_report.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/inspect/data_survey.h"

namespace millrace {

namespace {

constexpr std::array<double, kProportionNames.size()> kCommonRatios = {
    0.5, 9.0 / 16, 2.0 / 3, 0.75, 1, 4.0 / 3, 1.5, 16.0 / 9, 2};

std::string channelsName(std::size_t channels) {
  switch (channels) {
    case 1: return "1 (grey or palette)";
    case 2: return "2 (grey and alpha)";
    case 3: return "3 (colour)";
    case 4: return "4 (alpha or CMYK)";
    default: return std::to_string(channels);
  }
}

/// Pictures by the length of a side. Only different lengths take memory.
class SideCounts {
 public:
  void add(std::uint32_t side) { ++m_counts[side]; }
  SideRange range() const {
    if (m_counts.empty()) return {};
    std::uint64_t all = 0;
    for (const auto& [side, count] : m_counts) all += count;
    auto median = m_counts.begin();
    for (std::uint64_t before = median->second; before <= all / 2; before += median->second)
      ++median;
    return {m_counts.begin()->first, median->first, m_counts.rbegin()->first};
  }

 private:
  std::map<std::uint32_t, std::uint64_t> m_counts;
};

/// Counts pictures of one set.
class PictureCounts {
 public:
  explicit PictureCounts(SetReport& report) : m_report(report) {}

  void add(const SampleRecord& record) {
    if (record.width == 0 || record.height == 0) return;
    ++m_report.pictures;
    m_widths.add(record.width);
    m_heights.add(record.height);
    const auto& edges = PictureSurvey::kEdges;
    const auto longer = static_cast<int>(std::min<std::uint32_t>(
        std::max(record.width, record.height), std::numeric_limits<int>::max()));
    ++m_byLongerSide.at(
        static_cast<std::size_t>(std::ranges::upper_bound(edges, longer) - edges.begin()));
    ++m_byProportions.at(proportionsOf(record.width, record.height));
    ++m_byChannels.at(record.channels);
    ++m_byBits.at(record.bits);
    ++m_byOrientation.at(record.orientation);
    ++m_report.formats[std::string(record.formatName())];
  }

  void finish() {
    m_report.width = m_widths.range();
    m_report.height = m_heights.range();
    for (std::size_t bin = 0; bin < m_byLongerSide.size(); ++bin)
      if (m_byLongerSide[bin] > 0) m_report.longerSide[longerSideName(bin)] = m_byLongerSide[bin];
    for (std::size_t bin = 0; bin < m_byProportions.size(); ++bin)
      if (m_byProportions[bin] > 0)
        m_report.proportions[std::string(kProportionNames[bin])] = m_byProportions[bin];
    for (std::size_t value = 0; value < m_byChannels.size(); ++value) {
      if (m_byChannels[value] > 0) m_report.channels[channelsName(value)] = m_byChannels[value];
      if (m_byBits[value] > 0) m_report.bits[std::to_string(value)] = m_byBits[value];
      if (m_byOrientation[value] > 0)
        m_report.orientations[std::to_string(value)] = m_byOrientation[value];
    }
  }

 private:
  using ByByte = std::array<std::uint64_t, 256>;

  SetReport& m_report;
  SideCounts m_widths;
  SideCounts m_heights;
  std::array<std::uint64_t, PictureSurvey::kEdges.size() + 1> m_byLongerSide{};
  std::array<std::uint64_t, kProportionNames.size()> m_byProportions{};
  ByByte m_byChannels{};
  ByByte m_byBits{};
  ByByte m_byOrientation{};
};

void addChannels(const ChannelSums& sums, SetReport& report) {
  if (sums.pictures == 0) return;
  const auto pictures = static_cast<double>(sums.pictures);
  for (std::size_t c = 0; c < sums.channels; ++c) {
    const double mean = sums.mean.at(c) / pictures;
    report.mean.push_back(mean);
    report.deviation.push_back(
        std::sqrt(std::max(0.0, sums.meanSquare.at(c) / pictures - mean * mean)));
  }
}

/// Counts decode times and keeps the slowest samples of one set.
class DecodeTimes {
 public:
  void add(std::uint32_t index, const SampleRecord& record) {
    if (record.decodeMicros == 0) return;
    ++m_byTime.at(static_cast<std::size_t>(
        std::ranges::upper_bound(kDecodeEdges, record.decodeMicros / 1000) - kDecodeEdges.begin()));
    const Timed one = {record, index};
    if (m_slowest.size() == DataReport::kSlowest && !isSlower(one, *m_slowest.rbegin())) return;
    m_slowest.insert(one);
    if (m_slowest.size() > DataReport::kSlowest) m_slowest.erase(std::prev(m_slowest.end()));
  }

  void finish(const ExaminedSet& set, SetReport& report) const {
    for (std::size_t bin = 0; bin < m_byTime.size(); ++bin)
      if (m_byTime[bin] > 0) report.decodeTimes[decodeTimeName(bin)] = m_byTime[bin];
    for (const auto& [record, i] : m_slowest)
      report.slowest.push_back({set.source->name(i), set.fileOf(i), record.width, record.height,
                                record.bytes, record.decodeMicros / 1000.0, i});
  }

 private:
  struct Timed {
    SampleRecord record;
    std::uint32_t index = 0;
  };
  static bool isSlower(const Timed& a, const Timed& b) {
    const std::uint32_t left = a.record.decodeMicros;
    const std::uint32_t right = b.record.decodeMicros;
    return left != right ? left > right : a.index < b.index;
  }

  std::array<std::uint64_t, kDecodeEdges.size() + 1> m_byTime{};
  std::set<Timed, decltype(&isSlower)> m_slowest{&isSlower};  ///< the slowest first
};

}  // namespace

std::size_t proportionsOf(std::uint32_t width, std::uint32_t height) {
  const double wanted = std::log(static_cast<double>(width) / static_cast<double>(height));
  const auto nearest = std::ranges::min_element(
      kCommonRatios, {}, [&](double ratio) { return std::abs(std::log(ratio) - wanted); });
  return static_cast<std::size_t>(nearest - kCommonRatios.begin());
}

std::string decodeTimeName(std::size_t bin) {
  if (bin == 0) return fmt::format("below {} ms", kDecodeEdges.front());
  if (bin >= kDecodeEdges.size()) return fmt::format("{} ms or more", kDecodeEdges.back());
  return fmt::format("{} to {} ms", kDecodeEdges.at(bin - 1), kDecodeEdges.at(bin));
}

SetReport makeSetReport(const ExaminedSet& set) {
  SetReport report;
  report.name = set.name;
  report.path = set.path;
  report.kind = set.kind;
  report.node = set.node;
  report.partsOfFiles = set.isOfParts();
  report.samples = set.records.size();
  report.examined = set.examined;
  report.resumed = set.resumed;
  report.classes = set.classes;
  report.perClass.resize(set.classes.size());
  PictureCounts counts(report);
  DecodeTimes times;
  std::uint32_t index = 0;
  set.records.forEach([&](const SampleRecord& record) {
    const std::uint32_t i = index++;
    if (record.examined == 0) return;
    report.bytes += record.bytes;
    report.decodeSeconds += record.decodeMicros * 1e-6;
    const std::vector<std::int64_t> labels = set.labelsOf(i, record);
    if (labels.empty()) ++report.unlabelled;
    for (const std::int64_t label : labels)
      if (static_cast<std::size_t>(label) < report.perClass.size())
        ++report.perClass[static_cast<std::size_t>(label)];
    counts.add(record);
    times.add(i, record);
  });
  counts.finish();
  times.finish(set, report);
  addChannels(set.sums, report);
  return report;
}

}  // namespace millrace
