// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/advice.h"
#include "core/graph/graph.h"
#include "core/graph/plan.h"
#include "core/tune/sweep/vary.h"
#include "core/tune/tuner/tuner_types.h"

namespace millrace {

/// One value of an axis.
struct TuneLevel {
  std::string text;            ///< "4", "none", "after:decode"
  std::optional<Advice> edit;  ///< change of the baseline; absent: none
};

/// Something that may be tuned.
struct TuneAxis {
  std::string name;  ///< "workers.count", "cache"
  std::vector<TuneLevel> levels;
  std::size_t start = 0;  ///< level of the baseline
  bool ordered = true;    ///< levels are increasing numbers
  SampleChange changes = SampleChange::Nothing;
};

/// Which changes training may see. SampleChange::Nothing is always allowed.
class AllowedChanges {
 public:
  void allow(SampleChange change) { m_allowed[static_cast<std::size_t>(change)] = true; }
  bool allows(SampleChange change) const {
    return change == SampleChange::Nothing || m_allowed[static_cast<std::size_t>(change)];
  }

 private:
  std::array<bool, 4> m_allowed{};
};
/// Parses "order,batching"; the error lists the valid words.
Result<AllowedChanges> parseAllowed(std::string_view text);

/// What a change of this parameter changes for training, by the node's role; Values unless it is
/// known to be less.
SampleChange sampleChangeOf(const NodeSpec& node, std::string_view param);

struct TunePreferences {
  AllowedChanges allowed;
  double cores = 1;                    ///< cores that trials may use
  std::optional<CachePoint> cache;     ///< place where all samples fit into the allowed memory
  bool waits = true;                   ///< threads wait for storage, or it is not known
  std::vector<SweepAxis> varied = {};  ///< replace or extend the automatic axes
};

/// The axes of a pipeline, from the nodes' descriptions: threads and their unit; lengths of queues;
/// reading ahead, if threads wait or it is on already; a memory cache; and, if allowed, the
/// delivery order of samples, the batch size and the scale at which pictures are decoded. An error
/// if a varied parameter changes what is not allowed.
Result<std::vector<TuneAxis>> tuneSpace(const Plan& plan, const TunePreferences& preferences);

/// The axes in the form that the tuner takes.
std::vector<TunerAxis> tunerAxes(const std::vector<TuneAxis>& axes);

/// The document at that point.
Result<Graph> graphAt(Graph graph, const Catalog& catalog, const std::vector<TuneAxis>& axes,
                      const TunePoint& point);
/// The differences from the start: "workers.count=4 cache=after:decode".
std::string settingsText(const std::vector<TuneAxis>& axes, const TunePoint& point);
/// The same with the settings that do not differ: the name of a trial in older stores.
std::string allSettingsText(const std::vector<TuneAxis>& axes, const TunePoint& point);
/// The changes of the baseline at that point.
std::vector<Advice> editsAt(const std::vector<TuneAxis>& axes, const TunePoint& point);
/// The only axis in which the point differs from the start; nullopt if there are none or several.
std::optional<std::size_t> onlyMoved(const std::vector<TuneAxis>& axes, const TunePoint& point);

}  // namespace millrace
