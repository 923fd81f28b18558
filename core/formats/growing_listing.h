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

/// A set of no more samples than this, which are found in no more time than this, is listed when it
/// is opened.
constexpr std::uint32_t kMostListedAtOnce = 1000000;
constexpr std::chrono::milliseconds kListedAtOnce{200};

/// Where the samples of several container files lie, numbered through, found out bit by bit. A
/// `Part` is one file's:
///   Status advance(std::size_t most);  looks for at most so many samples more
///   bool done() const;                 there are no more
///   std::size_t size() const;          samples found
///   std::vector<std::string> finish(); called once behind the last: what a person should know,
///                                      and what was only needed to look goes
/// Monitor while it grows; once complete, reading takes no lock.
template <class Part>
class GrowingListing {
 public:
  GrowingListing(std::size_t files, std::function<Part(std::size_t file)> open)
      : m_fileCount(files), m_open(std::move(open)) {}

  std::uint32_t size() const { return m_size.load(std::memory_order_acquire); }
  bool complete() const { return m_done.load(std::memory_order_acquire) != nullptr; }

  /// Looks on until there are `count` samples or all are found. More than an index can number are
  /// never found.
  void extend(std::uint32_t count) const {
    if (complete() || size() >= count) return;
    const MutexLock lock(m_mutex);
    while (m_listing.starts.back() < count && !m_done.load(std::memory_order_relaxed)) step(count);
  }
  /// The first look: as far as kMostListedAtOnce and kListedAtOnce allow.
  void begin() const {
    constexpr std::uint32_t kStep = 4096;
    const auto end = std::chrono::steady_clock::now() + kListedAtOnce;
    while (!complete() && size() < kMostListedAtOnce && std::chrono::steady_clock::now() < end)
      extend(size() + kStep);
  }

  // What a Source answers: `size`, `atLeast`, `listed`.
  std::uint32_t whole() const { return atLeast(std::numeric_limits<std::uint32_t>::max()); }
  std::uint32_t atLeast(std::uint32_t count) const {
    extend(count);
    return size();
  }

  /// f(part, file, sample within the file) for a sample below size().
  template <class F>
  auto at(std::uint32_t index, F f) const {
    if (const Listing* done = m_done.load(std::memory_order_acquire))
      return lookUp(*done, index, f);
    const MutexLock lock(m_mutex);
    return lookUp(m_listing, index, f);
  }

  /// What was found out about the files so far, each sentence with the number of its file.
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

  /// Some way into the file at hand, or to the next file.
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
  mutable std::atomic<const Listing*> m_done{nullptr};  ///< m_listing once it changes no more

  mutable Mutex m_mutex;
  mutable Listing m_listing MILLRACE_GUARDED_BY(m_mutex);
  mutable bool m_inFile MILLRACE_GUARDED_BY(m_mutex) = false;
  mutable std::vector<std::pair<std::size_t, std::string>> m_notes MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
