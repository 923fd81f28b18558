// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cache/disk_cache.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/base/text/text.h"
#include "core/data/buffer.h"
#include "core/formats/io/open_file.h"

namespace millrace {

namespace {

/// Memory for records that are read and written: a sample that is stored may borrow from a record
/// that was read.
Buffer& memoryToLend() {
  thread_local Buffer memory;
  return memory;
}
Buffer& memoryToKeep() {
  thread_local Buffer memory;
  return memory;
}

}  // namespace

Result<std::shared_ptr<DiskCache>> DiskCache::open(const DiskCacheSettings& settings,
                                                   const Clock& clock) {
  const std::string name = fmt::format("{:016x}", fnv1a(settings.key));
  Result<HeldCache> held = holdCache(settings.root, name, settings.key);
  if (!held) return held.error();
  std::shared_ptr<DiskCache> cache(new DiskCache(settings, held.take(), clock));
  cache->readAll();
  return cache;
}

DiskCache::DiskCache(const DiskCacheSettings& settings, HeldCache held, const Clock& clock)
    : m_settings(settings), m_held(std::move(held)), m_clock(clock), m_places(settings.samples) {
  for (std::atomic<int>& fd : m_fds) fd.store(-1, std::memory_order_relaxed);
  if (!m_held.readOnly.empty()) stopKeeping(m_held.readOnly);
}

void DiskCache::readAll() {
  const MutexLock lock(m_scanMutex);
  // If a sample was stored twice the later record counts: the earlier one may have been damaged.
  readNewEntries([this](std::uint32_t sample, const CachePlace& place) {
    return m_places.set(sample, place);
  });
  m_nextScanNs =
      Nanoseconds(m_clock.now().time_since_epoch()).count() + m_settings.rescanInterval.count();
}

/// Returns true if this thread has scanned for new records of other processes.
bool DiskCache::rescan() {
  const std::int64_t now = Nanoseconds(m_clock.now().time_since_epoch()).count();
  std::int64_t due = m_nextScanNs.load(std::memory_order_relaxed);
  if (now < due ||
      !m_nextScanNs.compare_exchange_strong(due, now + m_settings.rescanInterval.count()))
    return false;
  const MutexLock lock(m_scanMutex);
  readNewEntries([this](std::uint32_t sample, const CachePlace& place) {
    return m_places.add(sample, place);
  });
  return true;
}

/// `take` returns whether the sample had no record before.
template <class Take>
void DiskCache::readNewEntries(const Take& take) {
  addForeign();
  for (Foreign& foreign : m_foreign)
    for (const SegmentEntry& entry :
         foreign.index.newEntries(indexFile(m_held.folder, foreign.segment))) {
      const CachePlace place{foreign.segment, entry.offset, entry.bytes};
      if (entry.sample < m_places.samples() && take(entry.sample, place)) count(place);
    }
}

void DiskCache::addForeign() {
  for (const std::uint32_t segment : segmentsIn(m_held.folder)) {
    if (isKnown(segment)) continue;
    Result<OpenFile> records = openForReading(recordsFile(m_held.folder, segment));
    if (!records) continue;
    m_foreign.push_back({segment, std::move(records->fd), {}});
    m_fds[segment].store(m_foreign.back().records.get());
  }
}

void DiskCache::count(const CachePlace& place) {
  m_entries.fetch_add(1, std::memory_order_relaxed);
  m_bytes.fetch_add(place.bytes, std::memory_order_relaxed);
}

bool DiskCache::load(Sample& sample) {
  const std::uint32_t index = sample.key().index;
  MILLRACE_CHECK(index < m_places.samples(),
                 "a cache was asked for a sample that its source does not have");
  std::optional<CachePlace> place = m_places.find(index);
  if (!place && rescan()) place = m_places.find(index);
  if (place && lend(*place, sample)) {
    m_hits.add();
    return true;
  }
  m_misses.add();
  if (place && m_places.forget(index, *place)) {
    m_damaged.add();
    m_entries.fetch_sub(1, std::memory_order_relaxed);
    m_bytes.fetch_sub(place->bytes, std::memory_order_relaxed);
  }
  return false;
}

bool DiskCache::lend(const CachePlace& place, Sample& sample) const {
  std::byte* const memory = memoryToLend().reserve(place.bytes);
  const int fd = m_fds[place.segment].load(std::memory_order_relaxed);
  const Result<std::size_t> got = readAt(fd, place.offset, memory, place.bytes);
  return got && *got == place.bytes && lendRecord({memory, place.bytes}, m_settings.fields, sample);
}

void DiskCache::store(const Sample& sample) {
  const std::uint32_t index = sample.key().index;
  if (!m_keeps.load(std::memory_order_relaxed) || !m_places.claim(index)) return;
  const std::size_t bytes = recordBytes(sample, m_settings.fields);
  const std::optional<Reserved> reserved = bytes > 0 ? reserve(bytes) : std::nullopt;
  if (!reserved) return m_places.giveUp(index);
  std::byte* const record = memoryToKeep().reserve(bytes);
  writeRecord(sample, m_settings.fields, record);
  SegmentWriter& writer = *reserved->writer;
  if (Status written = writer.write(index, reserved->offset, {record, bytes}); !written) {
    m_places.giveUp(index);
    return stopKeeping(
        fmt::format("{}: {}", validUtf8(m_held.folder.native()), written.error().message));
  }
  const CachePlace place{writer.segment(), reserved->offset, bytes};
  m_places.set(index, place);
  count(place);
}

/// nullopt if another thread is making room and takes longer than a moment because it removes
/// caches; the sample is not stored this time.
std::optional<DiskCache::Reserved> DiskCache::reserve(std::size_t bytes) {
  {
    const MutexLock lock(m_mutex);
    const SteadyTime patience = steadyClock().now() + std::chrono::milliseconds(50);
    while (m_makingRoom)
      if (!m_roomMade.waitUntil(m_mutex, patience)) return std::nullopt;
    if (!m_keeps) return std::nullopt;
    if (auto reserved = takeRoom(bytes)) return reserved;
    m_makingRoom = true;
  }
  const bool made = makeRoom(bytes);
  const MutexLock lock(m_mutex);
  m_makingRoom = false;
  m_roomMade.notifyAll();
  return made ? takeRoom(bytes) : std::nullopt;
}

std::optional<DiskCache::Reserved> DiskCache::takeRoom(std::size_t bytes) {
  if (bytes > m_room || m_writers.empty()) return std::nullopt;
  const auto offset = m_writers.back()->reserve(bytes);
  if (!offset) return std::nullopt;
  m_room -= bytes;
  return Reserved{m_writers.back(), *offset};
}

/// Resolves what made takeRoom() fail: too little room, or no writable segment.
bool DiskCache::makeRoom(std::size_t bytes) {
  std::uint64_t room = 0;
  {
    const MutexLock lock(m_mutex);
    room = m_room;
  }
  const bool segmentIsFull = room >= bytes;
  if (room < bytes) room = roomFor(bytes, m_settings.root, m_settings.limitBytes);
  if (room == 0) {
    stopKeeping(
        fmt::format("the caches in {} have reached their limit of {}, or their disk is full",
                    validUtf8(m_settings.root.native()),
                    humanBytes(static_cast<double>(m_settings.limitBytes))));
    return false;
  }
  const MutexLock lock(m_mutex);
  m_room = room;
  if (!m_writers.empty() && !segmentIsFull) return true;
  Result<std::shared_ptr<SegmentWriter>> writer = SegmentWriter::make(m_held.folder);
  if (!writer) {
    m_keeps = false;
    m_stopped = writer.error().message;
    return false;
  }
  m_fds[(*writer)->segment()].store((*writer)->fd());
  m_writers.push_back(writer.take());
  return true;
}

void DiskCache::stopKeeping(const std::string& why) {
  m_keeps = false;
  const MutexLock lock(m_mutex);
  if (m_stopped.empty()) m_stopped = why;
}

SampleCache::Fill DiskCache::fill() const {
  Fill fill;
  fill.entries = m_entries.load(std::memory_order_relaxed);
  fill.bytes = m_bytes.load(std::memory_order_relaxed);
  fill.limitBytes = m_settings.limitBytes;
  fill.hits = m_hits.total();
  fill.misses = m_misses.total();
  fill.damaged = m_damaged.total();
  const MutexLock lock(m_mutex);
  fill.stopped = m_stopped;
  return fill;
}

}  // namespace millrace
