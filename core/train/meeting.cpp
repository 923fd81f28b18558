// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/meeting.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <set>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "core/base/check.h"

namespace millrace {

namespace {

constexpr std::size_t kMostWord = 256;
constexpr std::size_t kDeviceText = 64;

/// Of the meeting's file, a byte a rank.
struct flock lockOf(std::size_t rank) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(rank);
  lock.l_len = 1;
  return lock;
}

}  // namespace

// New files are zeros, which is how all of these begin.

struct Meeting::Head {
  std::atomic<std::uint32_t> wordBytes;  ///< 0: nothing was said yet
  char word[kMostWord];
};

/// Odd: at that step. Even: done with it.
struct alignas(64) Meeting::Seat {
  std::atomic<std::uint64_t> at;
  std::atomic<std::uint32_t> taken;
  std::atomic<std::uint32_t> left;
  std::atomic<std::uint32_t> guarded;  ///< whether its lock tells when its process ends
  char device[kDeviceText];
};

Status Meeting::map(const std::filesystem::path& file, std::size_t floats) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "processes share it");
  m_floats = floats;
  const auto world = static_cast<std::size_t>(m_rank.world);
  m_bytes = sizeof(Head) + alignof(Seat) + world * (sizeof(Seat) + floats * sizeof(float));
  const auto failed = [&] {
    return Error{fmt::format("`{}`: {}", file.native(), std::strerror(errno))};
  };
  m_file = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (m_file < 0 || ::ftruncate(m_file, static_cast<off_t>(m_bytes)) != 0) return failed();
  void* const memory = ::mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file, 0);
  if (memory == MAP_FAILED) return failed();
  m_memory = static_cast<std::byte*>(memory);
  return {};
}

Meeting::Seat& Meeting::seat(std::size_t rank) const {
  const std::size_t first = (sizeof(Head) + alignof(Seat) - 1) / alignof(Seat) * alignof(Seat);
  return reinterpret_cast<Seat*>(m_memory + first)[rank];
}

std::span<float> Meeting::part(std::size_t rank) const {
  auto* const first = reinterpret_cast<float*>(&seat(static_cast<std::size_t>(m_rank.world)));
  return {first + rank * m_floats, m_floats};
}

/// A seat is locked as long as its process lives, however that ends, and also where nobody waits
/// for its end. Whoever has not come is not gone.
bool Meeting::gone(std::size_t rank) const {
  if (seat(rank).guarded.load(std::memory_order_acquire) == 0) return false;
  struct flock lock = lockOf(rank);
  return ::fcntl(m_file, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

Status Meeting::othersLive(std::chrono::steady_clock::time_point begin) const {
  for (std::size_t r = 0; r < static_cast<std::size_t>(m_rank.world); ++r) {
    // A file is not locked against itself.
    if (r == static_cast<std::size_t>(m_rank.number)) continue;
    if (gone(r) && seat(r).left.load(std::memory_order_acquire) == 0)
      return Error{
          fmt::format("rank {} waits for rank {}, whose process is gone", m_rank.number, r)};
  }
  if (std::chrono::steady_clock::now() - begin <= m_patience) return {};
  return Error{fmt::format("rank {} waited {} s for the others to average gradients", m_rank.number,
                           m_patience.count())};
}

template <class Here>
Status Meeting::waitFor(std::size_t rank, const char* what, const Here& here) const {
  const auto begin = std::chrono::steady_clock::now();
  for (int turn = 0; !here(); ++turn) {
    // The others are near: a few looks, then short sleeps.
    if (turn < 100) {
      std::this_thread::yield();
      continue;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (gone(rank) && !here())
      return Error{fmt::format("rank {} waits for rank {} {}, whose process is gone", m_rank.number,
                               rank, what)};
    if (std::chrono::steady_clock::now() - begin > m_patience)
      return Error{fmt::format("rank {} waited {} s for rank {} {}", m_rank.number,
                               m_patience.count(), rank, what)};
  }
  return {};
}

Result<std::unique_ptr<Meeting>> Meeting::open(const Rank& rank, const std::string& name,
                                               const std::string& device, std::size_t floats,
                                               std::chrono::seconds patience) {
  std::unique_ptr<Meeting> meeting(new Meeting(rank, patience));
  MILLRACE_TRY(meeting->map(rank.meeting / name, floats));
  Seat& own = meeting->seat(static_cast<std::size_t>(rank.number));
  std::memcpy(own.device, device.data(), std::min(device.size(), kDeviceText - 1));
  struct flock lock = lockOf(static_cast<std::size_t>(rank.number));
  own.guarded.store(::fcntl(meeting->m_file, F_OFD_SETLK, &lock) == 0 ? 1 : 0,
                    std::memory_order_relaxed);
  own.taken.store(1, std::memory_order_release);
  for (std::size_t r = 0; r < static_cast<std::size_t>(rank.world); ++r)
    MILLRACE_TRY(meeting->waitFor(r, "to begin its training", [&] {
      return meeting->seat(r).taken.load(std::memory_order_acquire) != 0;
    }));
  return meeting;
}

Meeting::~Meeting() {
  if (m_memory != nullptr) {
    // Before its lock ends with the file.
    seat(static_cast<std::size_t>(m_rank.number)).left.store(1, std::memory_order_release);
    ::munmap(m_memory, m_bytes);
  }
  if (m_file >= 0) ::close(m_file);
}

bool Meeting::allOnOneDeviceEach() const {
  std::set<std::string_view> devices;
  for (std::size_t r = 0; r < static_cast<std::size_t>(m_rank.world); ++r)
    devices.insert(seat(r).device);
  return devices.size() == static_cast<std::size_t>(m_rank.world) && !devices.contains("");
}

Result<std::vector<char>> Meeting::tell(const std::vector<char>& word) {
  Head& head = *reinterpret_cast<Head*>(m_memory);
  if (m_rank.number == 0) {
    MILLRACE_CHECK(!word.empty() && word.size() <= kMostWord, "a word that fits");
    std::memcpy(head.word, word.data(), word.size());
    head.wordBytes.store(static_cast<std::uint32_t>(word.size()), std::memory_order_release);
    return word;
  }
  MILLRACE_TRY(waitFor(0, "to say how they meet", [&] {
    return head.wordBytes.load(std::memory_order_acquire) != 0 ||
           seat(0).left.load(std::memory_order_acquire) != 0;
  }));
  const std::uint32_t bytes = head.wordBytes.load(std::memory_order_acquire);
  if (bytes == 0 || bytes > kMostWord) return Error{"rank 0 has left before the training began"};
  return std::vector<char>(head.word, head.word + bytes);
}

Result<std::vector<std::size_t>> Meeting::arrive() {
  const std::uint64_t here = 2 * ++m_step - 1;
  seat(static_cast<std::size_t>(m_rank.number)).at.store(here, std::memory_order_release);
  std::vector<std::size_t> there;
  for (std::size_t r = 0; r < static_cast<std::size_t>(m_rank.world); ++r) {
    const Seat& other = seat(r);
    MILLRACE_TRY(waitFor(r, "to make its step", [&] {
      return other.at.load(std::memory_order_acquire) >= here ||
             other.left.load(std::memory_order_acquire) != 0;
    }));
    // Asked again: whoever left may have been here before.
    if (other.at.load(std::memory_order_acquire) >= here) there.push_back(r);
  }
  return there;
}

void Meeting::done() {
  seat(static_cast<std::size_t>(m_rank.number)).at.store(2 * m_step, std::memory_order_release);
}

Status Meeting::waitUntilRead() {
  for (std::size_t r = 0; r < static_cast<std::size_t>(m_rank.world); ++r) {
    const Seat& other = seat(r);
    MILLRACE_TRY(waitFor(r, "to be done with the step before", [&] {
      return other.at.load(std::memory_order_acquire) >= 2 * m_step ||
             other.left.load(std::memory_order_acquire) != 0;
    }));
  }
  return {};
}

}  // namespace millrace
