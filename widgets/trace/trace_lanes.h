// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/events/trace/trace_file.h"

namespace millrace {

/// Spans that do not overlap, by time, so that the ones at a pixel are found without looking at the
/// others. Value.
class TraceLane {
 public:
  /// A piece to draw: one span, or several that are narrower than a pixel.
  struct Piece {
    std::uint64_t beginNs = 0;
    std::uint64_t endNs = 0;
    std::size_t span = 0;  ///< the span; of several, the longest of those looked at
    bool several = false;
    double covered = 1;  ///< of several: share of the piece's time in which the thread did anything
  };

  /// `spans` must not be before the end of the last one.
  void add(const TraceFile::Span& span);
  const std::vector<TraceFile::Span>& spans() const { return m_spans; }
  std::uint64_t endNs() const { return m_spans.empty() ? 0 : m_spans.back().endNs; }

  /// The pieces in [from, to), at most about one for each `pixelNs`: the time does not depend on
  /// the number of spans.
  std::vector<Piece> pieces(std::uint64_t from, std::uint64_t to, double pixelNs) const;
  /// The span at a time; one within `reachNs` of it if there is none.
  std::optional<std::size_t> at(std::uint64_t ns, std::uint64_t reachNs = 0) const;
  /// Time within [from, to) in spans.
  std::uint64_t busyNs(std::uint64_t from, std::uint64_t to) const;

 private:
  /// The first span that ends after `ns`, at or after index `from`.
  std::size_t firstAfter(std::uint64_t ns, std::size_t from = 0) const;

  std::vector<TraceFile::Span> m_spans;
  std::vector<std::uint64_t> m_busyBefore;  ///< sum of the lengths of the spans before each
};

/// A thread's spans in lanes: a span that lies in another one is in the next lane.
std::vector<TraceLane> lanesOf(const std::vector<TraceFile::Span>& spans);

}  // namespace millrace
