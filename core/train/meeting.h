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

/// Where the ranks of a run meet at each of their steps: a file that all of them map. A rank that
/// has left, because its run is over, is waited for no more; one whose process ends without that is
/// an error that names it. One thread a process.
class Meeting {
 public:
  /// `name`: of the file in the ranks' folder, the same for all. `device`: of this rank, to tell
  /// whether any two have the same one. `floats`: of each rank's part. Waits for all ranks to open
  /// it; the error names one that has not come after `patience`.
  static Result<std::unique_ptr<Meeting>> open(const Rank& rank, const std::string& name,
                                               const std::string& device, std::size_t floats,
                                               std::chrono::seconds patience);
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  const Rank& rank() const { return m_rank; }
  bool allOnOneDeviceEach() const;
  /// The first rank's word to all, of at most 256 bytes; from the others, waits for it.
  Result<std::vector<char>> tell(const std::vector<char>& word);

  /// This rank's part, which is nobody else's until `arrive`.
  std::span<float> own() const { return part(static_cast<std::size_t>(m_rank.number)); }
  std::span<const float> of(std::size_t rank) const { return part(rank); }
  /// Waits until every other rank is at this step too, or has left for good. The ranks that are
  /// there, this one among them, in their order: the same for all of them.
  Result<std::vector<std::size_t>> arrive();
  /// The error: the process of a rank, which it names, is gone though that had not left; or it is
  /// longer since `begin` than anybody waits.
  Status othersLive(std::chrono::steady_clock::time_point begin) const;
  /// The parts of the others are not read any more. Between `arrive` and this one they stay.
  void done();
  /// Waits until nobody reads this rank's part of the step before. Before it is written again.
  Status waitUntilRead();

 private:
  struct Head;
  struct Seat;

  Meeting(const Rank& rank, std::chrono::seconds patience) : m_rank(rank), m_patience(patience) {}
  Status map(const std::filesystem::path& file, std::size_t floats);
  Seat& seat(std::size_t rank) const;
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
