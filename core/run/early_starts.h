// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/mutex.h"
#include "core/run/epoch_indices.h"
#include "core/run/slowest_samples.h"

namespace millrace {

/// Which samples workers start before their turn, because they took long in an earlier epoch. Their
/// results wait with the worker until their batch is filled, so order and content of the batches
/// stay the same; but no batch waits for them. Only samples that are too slow for the ring's
/// reorder slots are started early (core/spec/reorder_slots.h).
///
/// Each ticket is made once: by the worker that takes it early, or by the one whose turn it is.
/// Thread-safe (monitor); lock-free for tickets that are not near a slow sample.
class EarlyStarts {
 public:
  /// Most tickets by which a sample is started early.
  static constexpr std::uint64_t kMostLead = 16'384;
  /// Times the mean from which a sample is started early.
  static constexpr double kSlow = 8;
  /// Of cheaper samples too few are timed, and a thread that loses its core for a moment makes any
  /// of them slow.
  static constexpr double kLeastMeanNs = 20'000;
  static constexpr std::size_t kMostKnown = 1000;

  explicit EarlyStarts(std::size_t workers) : m_workers(static_cast<double>(workers)) {}

  /// Adds what was measured so far; call it before `plan`.
  void learn(const SlowestSamples::List& list);
  /// Notes the slow samples of an epoch. Call it once for each epoch, before any of its tickets is
  /// claimed.
  void plan(const EpochIndices& epoch);
  /// How many tickets ahead of their turn samples of the last planned epoch are started, at most; 0
  /// if none is.
  std::uint64_t lead() const { return m_lead.load(std::memory_order_relaxed); }

  /// A slow sample that is due now that work has come to `ticket`. The caller must make it.
  std::optional<std::uint64_t> take(std::uint64_t ticket);
  /// Whether the caller, whose turn it is, must make this sample; false if it was taken early. Call
  /// it once for each ticket.
  bool claim(std::uint64_t ticket);

 private:
  void publish() MILLRACE_REQUIRES(m_mutex);

  const double m_workers;
  std::atomic<std::uint64_t> m_lead{0};
  std::atomic<std::uint64_t> m_nextStart{UINT64_MAX};   ///< smallest start of those not taken
  std::atomic<std::uint64_t> m_nextTicket{UINT64_MAX};  ///< smallest noted ticket

  Mutex m_mutex;
  /// Lead of the samples that are known to be slow, by index in the source.
  std::unordered_map<std::uint32_t, std::uint64_t> m_slow MILLRACE_GUARDED_BY(m_mutex);
  /// Whether a sample whose index has this remainder is slow: a fast answer for most samples.
  std::bitset<65'536> m_maybeSlow MILLRACE_GUARDED_BY(m_mutex);
  /// The noted tickets whose turn has not come, and whether they were taken early.
  std::map<std::uint64_t, bool> m_noted MILLRACE_GUARDED_BY(m_mutex);
  /// Start and ticket of those not taken.
  std::set<std::pair<std::uint64_t, std::uint64_t>> m_starts MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
