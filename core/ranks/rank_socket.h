// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/launched_rank.h"
#include "core/base/result.h"

namespace millrace {

/// A descriptor of a connected socket. Movable only; closes it.
class RankSocket {
 public:
  RankSocket() = default;
  explicit RankSocket(int descriptor) : m_descriptor(descriptor) {}
  RankSocket(RankSocket&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
  RankSocket& operator=(RankSocket&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
  }
  ~RankSocket();

  int get() const { return m_descriptor; }
  bool valid() const { return m_descriptor >= 0; }

 private:
  int m_descriptor = -1;
};

/// Rank 0's side of the rendezvous of processes that a launcher started (core/base/launched_rank).
/// On one machine they meet at a socket that only this machine has and that takes only this user's
/// processes. On several they meet at MASTER_ADDR or Slurm's first machine, at port MILLRACE_PORT
/// or else one that follows from the job's name; there, no pipeline and no command passes through
/// the socket, only figures and the moment to begin. One thread.
class RankRendezvous {
 public:
  /// Begins to listen, so that other ranks can come. The error names the place and what to set.
  static Result<RankRendezvous> open(const LaunchedRank& first);

  /// Waits until all other ranks are there, at most `seconds` or until `stopped`, and lets them
  /// begin with `sharedFolder` as the folder that they share. Socket i is that of rank i + 1. The
  /// error names the ranks that did not come; a rank of another version counts as one.
  Result<std::vector<RankSocket>> gather(const std::filesystem::path& sharedFolder, double seconds,
                                         const std::function<bool()>& stopped);

  /// Tells the other ranks that there is no run, waiting a few seconds for those that have not come
  /// yet, so that they do not wait for rank 0 in vain.
  void dismiss();

 private:
  RankRendezvous(LaunchedRank first, RankSocket listener)
      : m_first(std::move(first)), m_listener(std::move(listener)) {}

  /// A rank of this start that has come and said its number; invalid if none has within `deadline`.
  struct Arrival {
    std::int64_t rank = 0;
    RankSocket socket;
  };
  Arrival nextArrival(std::chrono::steady_clock::time_point deadline) const;

  LaunchedRank m_first;
  RankSocket m_listener;
};

/// The other side: what a rank has once rank 0 lets it begin.
struct JoinedRank {
  RankSocket socket;
  std::filesystem::path sharedFolder;
};

/// How long the processes of a start wait for each other.
inline constexpr double kRendezvousSeconds = 120;

/// Connects to rank 0 and waits until rank 0 lets this one begin: at most `seconds` until rank 0
/// is there, then as long as that takes. The error says where rank 0 was expected, or that it
/// ended.
Result<JoinedRank> joinRendezvous(const LaunchedRank& rank, double seconds);

}  // namespace millrace
