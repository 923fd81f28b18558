// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/tune/tune_log.h"

namespace millrace {

/// A trial that was measured before.
struct KeptTrial {
  std::string document;  ///< the pipeline's text, by which the trial is found again
  TuneStep step;
  std::optional<SpanFigures> figures;  ///< of a measured one; absent: they are not there any more
  std::string runId;                   ///< of the run that holds them; may be empty
};

/// Answers a tuner out of measurements of before. A setting is the document that it makes, so that
/// a search which asks otherwise (another goal, budget or space) finds what is there of it. The
/// answers to one document come in the order in which they were measured: the same questions get
/// the same answers. Plain value.
class TuneReplay {
 public:
  TuneReplay() = default;
  /// In the order of measuring. Those without a document are never found.
  explicit TuneReplay(std::vector<KeptTrial> trials);

  /// The next trial of that document; nullptr: there is no further one. Lives as long as this.
  const KeptTrial* next(const std::string& document);

 private:
  std::vector<KeptTrial> m_trials;
  std::map<std::string, std::vector<std::size_t>> m_left;  ///< by document, the next one last
};

/// What a tuning's budget is counted with: trials that are replayed take what they took when they
/// were measured, and from the first that is measured on time goes by itself.
class TuneClock {
 public:
  /// `clock` outlives this.
  explicit TuneClock(const Clock& clock = steadyClock()) : m_clock(clock) {}

  /// Something that took so long is replayed.
  void replay(double seconds) { m_replayed += seconds; }
  /// From now on time goes by itself, unless it does already.
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
