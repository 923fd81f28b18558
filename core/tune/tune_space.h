// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analyse/advice.h"
#include "core/graph/graph.h"
#include "core/graph/plan.h"
#include "core/tune/tuner_types.h"
#include "core/tune/vary.h"

namespace millrace {

/// One value of an axis: what it changes of the pipeline as it is.
struct TuneLevel {
  std::string text;            ///< "4", "none", "behind decode"
  std::optional<Advice> edit;  ///< absent: the pipeline as it is
};

/// Something about a pipeline that may be tuned.
struct TuneAxis {
  std::string name;  ///< "workers.count", "cache"
  std::vector<TuneLevel> levels;
  std::size_t start = 0;  ///< the pipeline as it is
  bool ordered = true;    ///< levels are numbers, rising
  SampleChange changes = SampleChange::Nothing;
};

/// What training may see of the tuning. Nothing is always allowed.
class AllowedChanges {
 public:
  void allow(SampleChange change) { m_allowed[static_cast<std::size_t>(change)] = true; }
  bool allows(SampleChange change) const {
    return change == SampleChange::Nothing || m_allowed[static_cast<std::size_t>(change)];
  }

 private:
  std::array<bool, 4> m_allowed{};
};
/// "order,batching"; the error lists the valid words.
Result<AllowedChanges> parseAllowed(std::string_view text);

/// What another value of a parameter changes of what training sees, by the node's role; values
/// where nothing says that it is less.
SampleChange sampleChangeOf(const NodeSpec& node, std::string_view param);

struct TuneWishes {
  AllowedChanges allowed;
  double cores = 1;                    ///< that trials may use
  std::optional<CachePoint> cache;     ///< where samples fit into the memory allowed
  bool waits = true;                   ///< threads wait for storage, or nobody has looked
  std::vector<SweepAxis> varied = {};  ///< in place of, or besides, what is tuned by itself
};

/// What may be tuned of a pipeline, from the nodes' description: threads and their unit, lengths of
/// queues and, where threads wait or it is on, of reading ahead, a memory cache; and what is
/// allowed besides: the order in which samples are delivered, the size of batches, the scale at
/// which pictures are decoded. An error where a varied parameter changes what is not allowed.
Result<std::vector<TuneAxis>> tuneSpace(const Plan& plan, const TuneWishes& wishes);

/// As the tuner takes it.
std::vector<TunerAxis> tunerAxes(const std::vector<TuneAxis>& axes);

/// The document at that point.
Result<Graph> graphAt(Graph graph, const Catalog& catalog, const std::vector<TuneAxis>& axes,
                      const TunePoint& point);
/// "workers.count=4 prefetch.batches=2".
std::string settingsText(const std::vector<TuneAxis>& axes, const TunePoint& point);
/// What differs from the pipeline as it is.
std::vector<Advice> editsAt(const std::vector<TuneAxis>& axes, const TunePoint& point);
/// The one axis in which the point differs from the start; nothing: none or several.
std::optional<std::size_t> onlyMoved(const std::vector<TuneAxis>& axes, const TunePoint& point);

}  // namespace millrace
