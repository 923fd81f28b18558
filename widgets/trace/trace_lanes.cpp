// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace/trace_lanes.h"

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

/// Deeper spans share the last lane, shortened.
constexpr std::size_t kMostLanes = 12;
/// Of the spans in one pixel, so many are compared for the longest.
constexpr std::size_t kLookedAt = 16;

}  // namespace

void TraceLane::add(const TraceFile::Span& span) {
  m_busyBefore.push_back(
      m_spans.empty() ? 0 : m_busyBefore.back() + (m_spans.back().endNs - m_spans.back().beginNs));
  m_spans.push_back(span);
}

std::size_t TraceLane::firstAfter(std::uint64_t ns, std::size_t from) const {
  const auto begin = m_spans.begin() + static_cast<std::ptrdiff_t>(from);
  const auto found = std::upper_bound(
      begin, m_spans.end(), ns,
      [](std::uint64_t at, const TraceFile::Span& span) { return at < span.endNs; });
  return static_cast<std::size_t>(found - m_spans.begin());
}

std::vector<TraceLane::Piece> TraceLane::pieces(std::uint64_t from, std::uint64_t to,
                                                double pixelNs) const {
  std::vector<Piece> pieces;
  const auto pixel = static_cast<std::uint64_t>(std::max(1.0, std::ceil(pixelNs)));
  std::size_t i = firstAfter(from);
  while (i < m_spans.size() && m_spans[i].beginNs < to) {
    const TraceFile::Span& span = m_spans[i];
    if (span.endNs - span.beginNs >= pixel) {
      pieces.push_back({span.beginNs, span.endNs, i, false, 1});
      ++i;
      continue;
    }
    const std::uint64_t end = span.beginNs + pixel;
    std::size_t after = firstAfter(end, i);
    // A long span that reaches into the pixel is a separate piece.
    if (after == i) ++after;
    Piece piece{span.beginNs, end, i, after > i + 1, 1};
    const std::size_t step = std::max<std::size_t>(1, (after - i) / kLookedAt);
    const auto length = [this](std::size_t k) { return m_spans[k].endNs - m_spans[k].beginNs; };
    for (std::size_t k = i; k < after; k += step)
      if (length(k) > length(piece.span)) piece.span = k;
    piece.covered = static_cast<double>(busyNs(piece.beginNs, piece.endNs)) /
                    static_cast<double>(piece.endNs - piece.beginNs);
    pieces.push_back(piece);
    i = after;
  }
  return pieces;
}

std::optional<std::size_t> TraceLane::at(std::uint64_t ns, std::uint64_t reachNs) const {
  const std::size_t i = firstAfter(ns);
  if (i < m_spans.size() && m_spans[i].beginNs <= ns) return i;
  std::optional<std::size_t> nearest;
  std::uint64_t distance = reachNs;
  if (i < m_spans.size() && m_spans[i].beginNs - ns <= distance) {
    nearest = i;
    distance = m_spans[i].beginNs - ns;
  }
  if (i > 0 && ns - m_spans[i - 1].endNs <= distance) nearest = i - 1;
  return nearest;
}

std::uint64_t TraceLane::busyNs(std::uint64_t from, std::uint64_t to) const {
  const std::size_t first = firstAfter(from);
  if (first >= m_spans.size() || m_spans[first].beginNs >= to) return 0;
  const auto begun = std::lower_bound(
      m_spans.begin(), m_spans.end(), to,
      [](const TraceFile::Span& span, std::uint64_t at) { return span.beginNs < at; });
  const auto last = static_cast<std::size_t>(begun - m_spans.begin()) - 1;
  std::uint64_t busy =
      m_busyBefore[last] - m_busyBefore[first] + (m_spans[last].endNs - m_spans[last].beginNs);
  if (m_spans[first].beginNs < from) busy -= from - m_spans[first].beginNs;
  if (m_spans[last].endNs > to) busy -= m_spans[last].endNs - to;
  return busy;
}

std::vector<TraceLane> lanesOf(const std::vector<TraceFile::Span>& spans) {
  std::vector<TraceLane> lanes;
  for (TraceFile::Span span : spans) {
    std::size_t lane = 0;
    while (lane < lanes.size() && lanes[lane].endNs() > span.beginNs) ++lane;
    if (lane >= kMostLanes) {
      lane = kMostLanes - 1;
      span.beginNs = lanes[lane].endNs();
      span.endNs = std::max(span.endNs, span.beginNs);
    }
    if (lane == lanes.size()) lanes.emplace_back();
    lanes[lane].add(span);
  }
  return lanes;
}

}  // namespace millrace
