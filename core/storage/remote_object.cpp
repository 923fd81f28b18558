// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/remote_object.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <thread>

#include "core/base/in_parallel.h"
#include "core/storage/block_cache.h"

namespace millrace {

namespace {

constexpr std::uint64_t kBlock = BlockCache::kBlock;
/// Read on opening: the head of most containers.
constexpr std::uint64_t kHead = std::uint64_t{1} << 16U;
/// Longer ranges are read in pieces at the same time.
constexpr std::uint64_t kPiece = std::uint64_t{8} << 20U;
/// A range from this near to the end of an earlier one follows it.
constexpr std::uint64_t kNear = std::uint64_t{1} << 18U;
/// A longer range alone is worth a request.
constexpr std::uint64_t kLong = kBlock;
constexpr std::uint64_t kMostAhead = 8;

using Parts = std::span<const std::span<std::byte>>;

std::uint64_t lengthOf(Parts parts) {
  std::uint64_t length = 0;
  for (const auto& part : parts) length += part.size();
  return length;
}

/// What lies in the bytes [from, to) of the parts.
std::vector<std::span<std::byte>> cut(Parts parts, std::uint64_t from, std::uint64_t to) {
  std::vector<std::span<std::byte>> found;
  std::uint64_t at = 0;
  for (const std::span<std::byte>& part : parts) {
    const std::uint64_t begin = std::max(from, at);
    const std::uint64_t end = std::min(to, at + part.size());
    if (begin < end)
      found.push_back(part.subspan(static_cast<std::size_t>(begin - at),
                                   static_cast<std::size_t>(end - begin)));
    at += part.size();
  }
  return found;
}

Status performAllOf(std::vector<ObjectRead>& reads) {
  std::vector<ObjectRead*> pointers;
  for (ObjectRead& read : reads) pointers.push_back(&read);
  return performReads(pointers);
}

/// The objects that are open, by path.
class OpenObjects {
 public:
  std::shared_ptr<RemoteObject> find(const std::string& path) {
    const MutexLock lock(m_mutex);
    const auto found = m_objects.find(path);
    return found == m_objects.end() ? nullptr : found->second.lock();
  }
  void add(const std::string& path, const std::shared_ptr<RemoteObject>& object) {
    const MutexLock lock(m_mutex);
    std::erase_if(m_objects, [](const auto& entry) { return entry.second.expired(); });
    m_objects[path] = object;
  }
  std::uint64_t newNumber() { return m_last++; }

 private:
  Mutex m_mutex;
  std::map<std::string, std::weak_ptr<RemoteObject>> m_objects MILLRACE_GUARDED_BY(m_mutex);
  std::atomic<std::uint64_t> m_last{0};
};

OpenObjects& openObjects() {
  static OpenObjects objects;
  return objects;
}

}  // namespace

Result<std::shared_ptr<RemoteObject>> RemoteObject::open(const std::string& path) {
  if (auto object = openObjects().find(path)) return object;
  MILLRACE_ASSIGN_OR_RETURN(auto parsed, parseRemotePath(path));
  auto object = std::make_shared<RemoteObject>(std::move(parsed), openObjects().newNumber());
  MILLRACE_TRY(object->examine());
  openObjects().add(path, object);
  return object;
}

std::vector<std::shared_ptr<RemoteObject>> RemoteObject::openTogether(
    std::span<const std::string> paths) {
  constexpr std::size_t kAtOnce = 64;
  std::vector<std::shared_ptr<RemoteObject>> objects(paths.size());
  std::atomic<std::size_t> next{0};
  inParallel(std::min(kAtOnce, paths.size()), [&] {
    for (std::size_t i = next++; i < paths.size(); i = next++)
      if (auto object = open(paths[i])) objects[i] = object.take();
  });
  return objects;
}

std::string RemoteObject::stamp() const {
  return m_version.etag + "/" + std::to_string(m_version.size);
}

Status RemoteObject::examine() {
  std::vector<std::byte> head;
  ObjectRead read(
      m_path, kHead,
      [&](std::uint64_t size) -> Result<std::span<std::byte>> {
        head.resize(static_cast<std::size_t>(std::min(size, kHead)));
        return std::span(head);
      },
      &m_memo);
  MILLRACE_TRY(performReads(std::array{&read}));
  m_version = read.version();
  // A small object is complete with this.
  if (head.size() == m_version.size && !head.empty() && blockCache().claim(m_number, 0, 1) == 1)
    blockCache().put({m_number, 0}, std::move(head));
  return {};
}

/// Whether a range continues an earlier one, in any thread.
bool RemoteObject::followsRecent(std::uint64_t offset, std::uint64_t end) {
  bool follows = false;
  for (const auto& recent : m_ends) {
    const std::uint64_t last = recent.load(std::memory_order_relaxed);
    follows = follows || (last != 0 && offset + kNear > last && offset < last + kNear);
  }
  m_ends[m_nextEnd.fetch_add(1, std::memory_order_relaxed) % kRecent].store(
      end, std::memory_order_relaxed);
  return follows;
}

Status RemoteObject::read(std::uint64_t offset, Parts parts) {
  const std::uint64_t length = lengthOf(parts);
  if (length == 0) return {};
  if (offset > size() || length > size() - offset)
    return Error{"the object ends before; it was longer when it was indexed"};
  const bool follows = followsRecent(offset, offset + length);
  const BlockCache::Key first{m_number, offset / kBlock};
  if (length <= kLong && (follows || blockCache().knows(first))) return readBlocks(offset, parts);
  m_ahead.store(1, std::memory_order_relaxed);
  return readExactly(offset, parts);
}

Status RemoteObject::readExactly(std::uint64_t offset, Parts parts) {
  const std::uint64_t length = lengthOf(parts);
  std::vector<ObjectRead> reads;
  reads.reserve(static_cast<std::size_t>(length / kPiece + 1));
  for (std::uint64_t at = 0; at < length; at += kPiece)
    reads.emplace_back(m_path, m_version, offset + at,
                       cut(parts, at, std::min(at + kPiece, length)), &m_memo);
  return performAllOf(reads);
}

/// Reads the blocks of [first, end) that no thread has or reads, up to the first that one has.
Status RemoteObject::loadBlocks(std::uint64_t first, std::uint64_t end) {
  BlockCache& cache = blockCache();
  const std::uint64_t until = cache.claim(m_number, first, end);
  std::vector<std::vector<std::byte>> blocks;
  std::vector<ObjectRead> reads;
  for (std::uint64_t i = first; i < until; ++i)
    blocks.emplace_back(static_cast<std::size_t>(std::min(kBlock, size() - i * kBlock)));
  reads.reserve(blocks.size());
  for (std::uint64_t i = first; i < until; ++i)
    reads.emplace_back(m_path, m_version, i * kBlock,
                       std::vector<std::span<std::byte>>{std::span(blocks[i - first])}, &m_memo);
  const Status done = performAllOf(reads);
  for (std::uint64_t i = first; i < until; ++i) {
    if (done)
      cache.put({m_number, i}, std::move(blocks[i - first]));
    else
      cache.fail({m_number, i}, done.error());
  }
  return done;
}

Status RemoteObject::readBlocks(std::uint64_t offset, Parts parts) {
  const std::uint64_t length = lengthOf(parts);
  const std::uint64_t blocks = (size() + kBlock - 1) / kBlock;
  for (std::uint64_t at = 0; at < length;) {
    const std::uint64_t block = (offset + at) / kBlock;
    MILLRACE_ASSIGN_OR_RETURN(const auto content, blockCache().get({m_number, block}));
    if (!content) {
      // Twice as many each time, as long as ranges follow each other.
      const std::uint64_t ahead = m_ahead.load(std::memory_order_relaxed);
      m_ahead.store(std::min(2 * ahead, kMostAhead), std::memory_order_relaxed);
      MILLRACE_TRY(loadBlocks(block, std::min(block + ahead, blocks)));
      continue;
    }
    const std::uint64_t within = offset + at - block * kBlock;
    const std::uint64_t count = std::min(length - at, content->size() - within);
    const std::byte* from = content->data() + within;
    for (const std::span<std::byte>& part : cut(parts, at, at + count)) {
      std::memcpy(part.data(), from, part.size());
      from += part.size();
    }
    at += count;
  }
  return {};
}

Result<std::span<std::byte>> readWholeObject(
    const std::string& path,
    const std::function<Result<std::span<std::byte>>(std::uint64_t size)>& memory) {
  MILLRACE_ASSIGN_OR_RETURN(const auto parsed, parseRemotePath(path));
  std::span<std::byte> all;
  RedirectMemo memo;
  ObjectRead first(
      parsed, kPiece,
      [&](std::uint64_t size) -> Result<std::span<std::byte>> {
        MILLRACE_ASSIGN_OR_RETURN(all, memory(size));
        return all;
      },
      &memo);
  MILLRACE_TRY(performReads(std::array{&first}));
  const std::uint64_t size = all.size();
  if (first.arrived() == size) return all;
  std::vector<ObjectRead> rest;
  rest.reserve(static_cast<std::size_t>(size / kPiece + 1));
  for (std::uint64_t at = first.arrived(); at < size; at += kPiece)
    rest.emplace_back(
        parsed, first.version(), at,
        std::vector<std::span<std::byte>>{all.subspan(
            static_cast<std::size_t>(at), static_cast<std::size_t>(std::min(kPiece, size - at)))},
        &memo);
  MILLRACE_TRY(performAllOf(rest));
  return all;
}

}  // namespace millrace
