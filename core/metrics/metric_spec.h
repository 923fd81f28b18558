// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace millrace {

/// What one value of a metric belongs to.
enum class MetricScope : std::uint8_t { Run, Node, Queue, Stage, Machine, Accelerator };
/// Which direction is good, for colours and arrows; Neither if it depends.
enum class BetterWhen : std::uint8_t { Higher, Lower, Neither };

/// A metric, described once: tooltips, the command line, reports and the documentation all use
/// these texts. Constant data; any thread.
struct MetricSpec {
  std::string_view id;  ///< for a run its key in `--json`; else scope and key: `node.busy_seconds`
  MetricScope scope = MetricScope::Run;
  std::string_view name;  ///< the name shown to users: "Samples per second"
  std::string_view unit;  ///< "samples/s", "s", "ms", "B", "B/s", "share" (0 to 1), "" for counts
  BetterWhen better = BetterWhen::Neither;
  std::string_view meaning;  ///< what is measured and how, in one or two sentences
  std::string_view reading;  ///< what a high or low value means, in one or two sentences
};

/// All metrics, in the order in which reports show them. See docs/reference/figures.md.
std::span<const MetricSpec> metricSpecs();

/// nullptr for an unknown id.
const MetricSpec* findMetric(std::string_view id);

std::string_view nameOf(MetricScope scope);

}  // namespace millrace
