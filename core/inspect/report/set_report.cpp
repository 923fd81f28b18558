// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/set_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

SideRange rangeOf(std::vector<std::uint32_t>& sides) {
  if (sides.empty()) return {};
  const auto middle = sides.begin() + static_cast<std::ptrdiff_t>(sides.size() / 2);
  std::ranges::nth_element(sides, middle);
  const auto [least, most] = std::ranges::minmax(sides);
  return {least, *middle, most};
}

/// Counts pictures of one set.
class PictureCounts {
 public:
  explicit PictureCounts(SetReport& report) : m_report(report) {}

  void add(const SampleRecord& record) {
    if (record.width == 0 || record.height == 0) return;
    ++m_report.pictures;
    m_widths.push_back(record.width);
    m_heights.push_back(record.height);
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
    m_report.width = rangeOf(m_widths);
    m_report.height = rangeOf(m_heights);
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
  std::vector<std::uint32_t> m_widths;
  std::vector<std::uint32_t> m_heights;
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

void addDecodeTimes(const ExaminedSet& set, SetReport& report) {
  std::array<std::uint64_t, kDecodeEdges.size() + 1> byTime{};
  for (const SampleRecord& record : set.records)
    if (record.decodeMicros > 0)
      ++byTime.at(static_cast<std::size_t>(
          std::ranges::upper_bound(kDecodeEdges, record.decodeMicros / 1000) -
          kDecodeEdges.begin()));
  for (std::size_t bin = 0; bin < byTime.size(); ++bin)
    if (byTime[bin] > 0) report.decodeTimes[decodeTimeName(bin)] = byTime[bin];
}

void addSlowest(const ExaminedSet& set, SetReport& report) {
  std::vector<std::uint32_t> decoded;
  for (std::uint32_t i = 0; i < set.records.size(); ++i)
    if (set.records[i].decodeMicros > 0) decoded.push_back(i);
  const auto end =
      decoded.begin() + static_cast<std::ptrdiff_t>(std::min(DataReport::kSlowest, decoded.size()));
  std::ranges::partial_sort(decoded, end, [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t left = set.records[a].decodeMicros;
    const std::uint32_t right = set.records[b].decodeMicros;
    return left != right ? left > right : a < b;
  });
  for (auto i = decoded.begin(); i != end; ++i) {
    const SampleRecord& record = set.records[*i];
    report.slowest.push_back({set.source->name(*i), set.fileOf(*i), record.width, record.height,
                              record.bytes, record.decodeMicros / 1000.0, *i});
  }
}

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
  report.samples = set.records.size();
  report.examined = set.examined;
  report.resumed = set.resumed;
  report.classes = set.classes;
  report.perClass.resize(set.classes.size());
  PictureCounts counts(report);
  for (std::uint32_t i = 0; i < set.records.size(); ++i) {
    const SampleRecord& record = set.records[i];
    if (record.examined == 0) continue;
    report.bytes += record.bytes;
    report.decodeSeconds += record.decodeMicros * 1e-6;
    const std::vector<std::int64_t> labels = set.labelsOf(i);
    if (labels.empty()) ++report.unlabelled;
    for (const std::int64_t label : labels)
      if (static_cast<std::size_t>(label) < report.perClass.size())
        ++report.perClass[static_cast<std::size_t>(label)];
    counts.add(record);
  }
  counts.finish();
  addChannels(set.sums, report);
  addDecodeTimes(set, report);
  addSlowest(set, report);
  return report;
}

}  // namespace millrace
