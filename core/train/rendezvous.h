// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/rank.h"
#include "core/base/result.h"

namespace millrace {

/// Synchronises the ranks of a run at each step, through a file that all of them map. A rank that
/// has left because its run is over is no longer waited for; if a rank's process ends without
/// leaving, the error names it. For use by one thread per process.
class Rendezvous {
 public:
  /// `name`: the file's name in the ranks' folder, equal for all ranks. `device`: this rank's
  /// device, to detect ranks that share one. `floats`: the size of each rank's part. Waits until
  /// all ranks have opened it; the error names one that has not after `patience`.
  static Result<std::unique_ptr<Rendezvous>> open(const Rank& rank, const std::string& name,
                                                  const std::string& device, std::size_t floats,
                                                  std::chrono::seconds patience);
  ~Rendezvous();
  Rendezvous(const Rendezvous&) = delete;
  Rendezvous& operator=(const Rendezvous&) = delete;

  const Rank& rank() const { return m_rank; }
  bool allOnOneDeviceEach() const;
  /// Sends rank 0's message (at most 256 bytes) to all ranks; the other ranks wait for it and
  /// return it.
  Result<std::vector<char>> broadcast(const std::vector<char>& message);

  /// This rank's part, which only this rank accesses until arrive().
  std::span<float> own() const { return part(static_cast<std::size_t>(m_rank.number)); }
  std::span<const float> of(std::size_t rank) const { return part(rank); }
  /// Waits until every other rank has reached this step or has left. Returns the ranks that are
  /// there, including this one, in order; the result is equal on all of them.
  Result<std::vector<std::size_t>> arrive();
  /// Fails if the process of a rank is gone without having left (the error names it), or if `begin`
  /// is longer ago than the patience.
  Status othersLive(std::chrono::steady_clock::time_point begin) const;
  /// Declares that this rank no longer reads the others' parts, which are valid between arrive()
  /// and this call.
  void done();
  /// Waits until no rank reads this rank's part of the previous step. Call it before writing the
  /// part again.
  Status waitUntilRead();

 private:
  struct Head;
  struct RankSlot;

  Rendezvous(const Rank& rank, std::chrono::seconds patience)
      : m_rank(rank), m_patience(patience) {}
  Status map(const std::filesystem::path& file, std::size_t floats);
  RankSlot& slot(std::size_t rank) const;
  std::span<float> part(std::size_t rank) const;
  bool gone(std::size_t rank) const;
  template <class Here>
  Status waitFor(std::size_t rank, const char* what, const Here& here) const;

  const Rank m_rank;
  const std::chrono::seconds m_patience;
  int m_file = -1;
  std::byte* m_memory = nullptr;
  std::size_t m_bytes = 0;
  std::size_t m_floats = 0;
  std::uint64_t m_step = 0;
};

}  // namespace millrace
