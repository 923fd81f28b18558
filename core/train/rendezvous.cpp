// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/rendezvous.h"

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

constexpr std::size_t kMaxMessage = 256;
constexpr std::size_t kDeviceText = 64;

/// The lock of a rank in the rendezvous file: one byte per rank.
struct flock lockOf(std::size_t rank) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(rank);
  lock.l_len = 1;
  return lock;
}

}  // namespace

// New files contain zeros, which is the initial state of all of these.

struct Rendezvous::Head {
  std::atomic<std::uint32_t> messageBytes;  ///< 0: no message yet
  char message[kMaxMessage];
};

/// Odd: at that step. Even: finished with it.
struct alignas(64) Rendezvous::RankSlot {
  std::atomic<std::uint64_t> at;
  std::atomic<std::uint32_t> taken;
  std::atomic<std::uint32_t> left;
  std::atomic<std::uint32_t> guarded;  ///< whether its lock shows that its process has ended
  char device[kDeviceText];
};

Status Rendezvous::map(const std::filesystem::path& file, std::size_t floats) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "processes share it");
  m_floats = floats;
  const auto world = static_cast<std::size_t>(m_rank.world);
  m_bytes = sizeof(Head) + alignof(RankSlot) + world * (sizeof(RankSlot) + floats * sizeof(float));
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

Rendezvous::RankSlot& Rendezvous::slot(std::size_t rank) const {
  const std::size_t first =
      (sizeof(Head) + alignof(RankSlot) - 1) / alignof(RankSlot) * alignof(RankSlot);
  return reinterpret_cast<RankSlot*>(m_memory + first)[rank];
}

std::span<float> Rendezvous::part(std::size_t rank) const {
  auto* const first = reinterpret_cast<float*>(&slot(static_cast<std::size_t>(m_rank.world)));
  return {first + rank * m_floats, m_floats};
}

/// A slot is locked as long as the rank's process lives, however it ends. A rank that has not come
/// is not gone.
bool Rendezvous::gone(std::size_t rank) const {
  if (slot(rank).guarded.load(std::memory_order_acquire) == 0) return false;
  struct flock lock = lockOf(rank);
  return ::fcntl(m_file, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

Status Rendezvous::othersLive(std::chrono::steady_clock::time_point begin) const {
  for (std::size_t r = 0; r < static_cast<std::size_t>(m_rank.world); ++r) {
    // A process's own locks do not conflict with its requests.
    if (r == static_cast<std::size_t>(m_rank.number)) continue;
    if (gone(r) && slot(r).left.load(std::memory_order_acquire) == 0)
      return Error{
          fmt::format("rank {} waits for rank {}, whose process has ended", m_rank.number, r)};
  }
  if (std::chrono::steady_clock::now() - begin <= m_patience) return {};
  return Error{fmt::format("rank {} waited {} s for the others to average gradients", m_rank.number,
                           m_patience.count())};
}

template <class Here>
Status Rendezvous::waitFor(std::size_t rank, const char* what, const Here& here) const {
  const auto begin = std::chrono::steady_clock::now();
  for (int turn = 0; !here(); ++turn) {
    // The others usually arrive soon: spin briefly, then sleep.
    if (turn < 100) {
      std::this_thread::yield();
      continue;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (gone(rank) && !here())
      return Error{fmt::format("rank {} waits for rank {} {}, whose process has ended",
                               m_rank.number, rank, what)};
    if (std::chrono::steady_clock::now() - begin > m_patience)
      return Error{fmt::format("rank {} waited {} s for rank {} {}", m_rank.number,
                               m_patience.count(), rank, what)};
  }
  return {};
}

Result<std::unique_ptr<Rendezvous>> Rendezvous::open(const Rank& rank, const std::string& name,
                                                     const std::string& device, std::size_t floats,
                                                     std::chrono::seconds patience) {
  std::unique_ptr<Rendezvous> rendezvous(new Rendezvous(rank, patience));
  MILLRACE_TRY(rendezvous->map(rank.rendezvous / name, floats));
  RankSlot& own = rendezvous->slot(static_cast<std::size_t>(rank.number));
  std::memcpy(own.device, device.data(), std::min(device.size(), kDeviceText - 1));
  struct flock lock = lockOf(static_cast<std::size_t>(rank.number));
  own.guarded.store(::fcntl(rendezvous->m_file, F_OFD_SETLK, &lock) == 0 ? 1 : 0,
                    std::memory_order_relaxed);
  own.taken.store(1, std::memory_order_release);
  for (std::size_t r = 0; r < static_cast<std::size_t>(rank.world); ++r)
    MILLRACE_TRY(rendezvous->waitFor(r, "to begin its training", [&] {
      return rendezvous->slot(r).taken.load(std::memory_order_acquire) != 0;
    }));
  return rendezvous;
}

Rendezvous::~Rendezvous() {
  if (m_memory != nullptr) {
    // Before its lock ends with the file.
    slot(static_cast<std::size_t>(m_rank.number)).left.store(1, std::memory_order_release);
    ::munmap(m_memory, m_bytes);
  }
  if (m_file >= 0) ::close(m_file);
}

bool Rendezvous::allOnOneDeviceEach() const {
  std::set<std::string_view> devices;
  for (std::size_t r = 0; r < static_cast<std::size_t>(m_rank.world); ++r)
    devices.insert(slot(r).device);
  return devices.size() == static_cast<std::size_t>(m_rank.world) && !devices.contains("");
}

Result<std::vector<char>> Rendezvous::broadcast(const std::vector<char>& message) {
  Head& head = *reinterpret_cast<Head*>(m_memory);
  if (m_rank.number == 0) {
    MILLRACE_CHECK(!message.empty() && message.size() <= kMaxMessage,
                   "a message must have 1 to 256 bytes");
    std::memcpy(head.message, message.data(), message.size());
    head.messageBytes.store(static_cast<std::uint32_t>(message.size()), std::memory_order_release);
    return message;
  }
  MILLRACE_TRY(waitFor(0, "to send its message", [&] {
    return head.messageBytes.load(std::memory_order_acquire) != 0 ||
           slot(0).left.load(std::memory_order_acquire) != 0;
  }));
  const std::uint32_t bytes = head.messageBytes.load(std::memory_order_acquire);
  if (bytes == 0 || bytes > kMaxMessage) return Error{"rank 0 left before the training began"};
  return std::vector<char>(head.message, head.message + bytes);
}

Result<std::vector<std::size_t>> Rendezvous::arrive() {
  const std::uint64_t here = 2 * ++m_step - 1;
  slot(static_cast<std::size_t>(m_rank.number)).at.store(here, std::memory_order_release);
  std::vector<std::size_t> there;
  for (std::size_t r = 0; r < static_cast<std::size_t>(m_rank.world); ++r) {
    const RankSlot& other = slot(r);
    MILLRACE_TRY(waitFor(r, "to make its step", [&] {
      return other.at.load(std::memory_order_acquire) >= here ||
             other.left.load(std::memory_order_acquire) != 0;
    }));
    // Check again: a rank that left may have been here before.
    if (other.at.load(std::memory_order_acquire) >= here) there.push_back(r);
  }
  return there;
}

void Rendezvous::done() {
  slot(static_cast<std::size_t>(m_rank.number)).at.store(2 * m_step, std::memory_order_release);
}

Status Rendezvous::waitUntilRead() {
  for (std::size_t r = 0; r < static_cast<std::size_t>(m_rank.world); ++r) {
    const RankSlot& other = slot(r);
    MILLRACE_TRY(waitFor(r, "to finish the previous step", [&] {
      return other.at.load(std::memory_order_acquire) >= 2 * m_step ||
             other.left.load(std::memory_order_acquire) != 0;
    }));
  }
  return {};
}

}  // namespace millrace
