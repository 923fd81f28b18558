// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/tune/tuner/tune_log.h"

namespace millrace {

/// A trial that was measured earlier.
struct KeptTrial {
  std::string document;  ///< text of the pipeline, used to find the trial
  TuneStep step;
  std::optional<SpanFigures> figures;  ///< if measured; absent if they no longer exist
  std::string runId;                   ///< run with these figures; may be empty
};

/// Answers a tuner from earlier measurements. A trial is found by the document that was run, so a
/// search with another goal, budget or space finds whatever exists. The answers for one document
/// come in the order in which they were measured, so the same questions get the same answers. Value
/// type.
class TuneReplay {
 public:
  TuneReplay() = default;
  /// Trials in the order of measuring. Those without a document are never found.
  explicit TuneReplay(std::vector<KeptTrial> trials);

  /// The next trial of that document; nullptr if there is none left. Valid for the lifetime of this
  /// object.
  const KeptTrial* next(const std::string& document);

 private:
  std::vector<KeptTrial> m_trials;
  /// Trials not yet used, by document; the next one is last.
  std::map<std::string, std::vector<std::size_t>> m_left;
};

/// Clock of a tuning's budget: replayed trials count with the time that they took when they were
/// measured; from the first trial that is measured on, real time counts.
class TuneClock {
 public:
  /// `clock` must outlive this object.
  explicit TuneClock(const Clock& clock = steadyClock()) : m_clock(clock) {}

  /// Adds the time of something that is replayed.
  void replay(double seconds) { m_replayed += seconds; }
  /// Starts counting real time, unless that has started already.
  void start() {
    if (!m_started) m_started = m_clock.now();
  }
  double seconds() const {
    return m_replayed + (m_started ? toSeconds(m_clock.now() - *m_started) : 0);
  }

 private:
  const Clock& m_clock;
  double m_replayed = 0;
  std::optional<SteadyTime> m_started;
};

}  // namespace millrace
