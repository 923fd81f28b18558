// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"

namespace millrace {

/// A data set is listed completely on opening if it has no more samples than this and listing takes
/// no longer than this.
constexpr std::uint32_t kMostListedAtOnce = 1000000;
constexpr std::chrono::milliseconds kListedAtOnce{200};

/// The positions of the samples of several container files, numbered consecutively and discovered
/// on demand. A `Part` is one file:
///   Status advance(std::size_t most);  finds up to so many further samples
///   bool done() const;                 whether all are found
///   std::size_t size() const;          number of samples found
///   std::vector<std::string> finish(); called once after the last: notes for the user; frees what
///                                      only the search needed
/// Thread-safe while it grows; once complete, reading takes no lock.
template <class Part>
class GrowingListing {
 public:
  GrowingListing(std::size_t files, std::function<Part(std::size_t file)> open)
      : m_fileCount(files), m_open(std::move(open)) {}

  std::uint32_t size() const { return m_size.load(std::memory_order_acquire); }
  bool complete() const { return m_done.load(std::memory_order_acquire) != nullptr; }

  /// Continues until `count` samples or all are found. Never finds more than a 32-bit index can
  /// number.
  void extend(std::uint32_t count) const {
    if (complete() || size() >= count) return;
    const MutexLock lock(m_mutex);
    while (m_listing.starts.back() < count && !m_done.load(std::memory_order_relaxed)) step(count);
  }
  /// The initial listing, limited by kMostListedAtOnce and kListedAtOnce.
  void begin() const {
    constexpr std::uint32_t kStep = 4096;
    const auto end = std::chrono::steady_clock::now() + kListedAtOnce;
    while (!complete() && size() < kMostListedAtOnce && std::chrono::steady_clock::now() < end)
      extend(size() + kStep);
  }

  // The functions of Source: `size`, `atLeast`, `listed`.
  std::uint32_t whole() const { return atLeast(std::numeric_limits<std::uint32_t>::max()); }
  std::uint32_t atLeast(std::uint32_t count) const {
    extend(count);
    return size();
  }

  /// Calls f(part, file, sample within the file) for a sample below size().
  template <class F>
  auto at(std::uint32_t index, F f) const {
    if (const Listing* done = m_done.load(std::memory_order_acquire))
      return lookUp(*done, index, f);
    const MutexLock lock(m_mutex);
    return lookUp(m_listing, index, f);
  }

  /// Notes about the files so far, each with the number of its file.
  std::vector<std::pair<std::size_t, std::string>> notes() const {
    const MutexLock lock(m_mutex);
    return m_notes;
  }

 private:
  struct Listing {
    std::vector<Part> parts;
    std::vector<std::uint32_t> starts{0};  ///< first sample of each part, and the end
  };

  template <class F>
  static auto lookUp(const Listing& listing, std::uint32_t index, F& f) {
    const auto after = std::upper_bound(listing.starts.begin(), listing.starts.end(), index);
    const auto file = static_cast<std::size_t>(after - listing.starts.begin()) - 1;
    return f(listing.parts[file], file, index - listing.starts[file]);
  }

  /// Advances within the current file, or to the next file.
  void step(std::uint32_t count) const MILLRACE_REQUIRES(m_mutex) {
    Listing& listing = m_listing;
    if (!m_inFile) {
      if (listing.parts.size() == m_fileCount) {
        m_done.store(&m_listing, std::memory_order_release);
        return;
      }
      listing.parts.push_back(m_open(listing.parts.size()));
      listing.starts.push_back(listing.starts.back());
      m_inFile = true;
    }
    const std::size_t file = listing.parts.size() - 1;
    Part& part = listing.parts[file];
    const Status advanced = part.advance(count - listing.starts.back());
    if (!advanced) m_notes.emplace_back(file, advanced.error().message);
    listing.starts.back() = listing.starts[file] + static_cast<std::uint32_t>(part.size());
    m_size.store(listing.starts.back(), std::memory_order_release);
    if (advanced && !part.done()) return;
    for (std::string& note : part.finish()) m_notes.emplace_back(file, std::move(note));
    m_inFile = false;
  }

  const std::size_t m_fileCount;
  const std::function<Part(std::size_t)> m_open;
  mutable std::atomic<std::uint32_t> m_size{0};
  mutable std::atomic<const Listing*> m_done{nullptr};  ///< m_listing once it is complete

  mutable Mutex m_mutex;
  mutable Listing m_listing MILLRACE_GUARDED_BY(m_mutex);
  mutable bool m_inFile MILLRACE_GUARDED_BY(m_mutex) = false;
  mutable std::vector<std::pair<std::size_t, std::string>> m_notes MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
