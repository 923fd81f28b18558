// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/hdf5_heap.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr std::size_t kHeapHead = 16;
constexpr std::size_t kHeapObjectHead = 16;
/// The minimum size of a collection.
constexpr std::uint64_t kLeastHeap = 4096;

Error inHeap(const Hdf5Run& run, const std::string& message) {
  return Error{fmt::format("the heap at byte {}: {}", grouped(run.collection), message)};
}

/// Space that an object takes after its header.
constexpr std::uint64_t paddedBytes(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

/// Size of the collection with this header.
Result<std::uint64_t> heapBytes(std::span<const std::byte> head, std::uint64_t most) {
  constexpr std::string_view kMagic = "GCOL\x01";
  if (head.size() < kHeapHead || std::memcmp(head.data(), kMagic.data(), kMagic.size()) != 0)
    return Error{"its signature is missing"};
  const auto bytes = littleEndian<std::uint64_t>(head.data() + 8);
  if (bytes < kHeapHead || bytes > most)
    return Error{fmt::format("its {} bytes are not within the file", grouped(bytes))};
  return bytes;
}

/// Finds the run in the first part of a collection of `bytes` bytes; empty if it is not there.
Result<std::span<std::byte>> findRun(std::span<std::byte> part, std::uint64_t bytes,
                                     const Hdf5Run& run) {
  for (std::uint64_t at = kHeapHead; at + kHeapObjectHead <= part.size();) {
    const auto number = littleEndian<std::uint16_t>(part.data() + at);
    const auto length = littleEndian<std::uint64_t>(part.data() + at + 8);
    if (number == 0) break;  // Free space follows.
    at += kHeapObjectHead;
    if (length > bytes - at) return Error{fmt::format("object {} is longer than the heap", number)};
    if (number == run.number && length >= run.bytes)
      return at + run.bytes <= part.size() ? part.subspan(at, run.bytes) : std::span<std::byte>();
    const std::uint64_t padded = paddedBytes(length);
    if (padded > bytes - at) break;
    at += padded;
  }
  return std::span<std::byte>();
}

}  // namespace

Hdf5Run Hdf5Run::of(const std::byte* stored) {
  return {.collection = littleEndian<std::uint64_t>(stored + 4),
          .number = littleEndian<std::uint32_t>(stored + 12),
          .bytes = littleEndian<std::uint32_t>(stored)};
}

std::uint64_t expectedPlace(std::span<const Hdf5Run> table, std::size_t row) {
  constexpr std::size_t kMostBefore = 256;
  std::uint64_t place = kHeapHead;
  for (std::size_t i = row; table[i].number != 1; --i) {
    if (i == 0 || row - i == kMostBefore) return 0;
    const Hdf5Run& before = table[i - 1];
    if (before.collection != table[row].collection || before.number + 1 != table[i].number)
      return 0;
    place += kHeapObjectHead + paddedBytes(before.bytes);
  }
  return place;
}

Result<std::span<std::byte>> Hdf5HeapReader::readAt(std::uint64_t place, int file,
                                                    std::uint64_t fileBytes, const Hdf5Run& run,
                                                    ReadCounters& counters, Sample::Room room) {
  const std::uint64_t wanted = kHeapObjectHead + run.bytes;
  const bool inFile = run.collection < fileBytes && place + wanted <= fileBytes - run.collection;
  if (place == 0 || run.bytes == 0 || !inFile) return read(file, fileBytes, run, counters, room);
  auto object = m_ranges.read(file, run.collection + place, wanted, counters, room);
  if (!object) return inHeap(run, object.error().message);
  const bool itIs = littleEndian<std::uint16_t>(object->data()) == run.number &&
                    littleEndian<std::uint64_t>(object->data() + 8) == run.bytes;
  if (itIs) return object->subspan(kHeapObjectHead);
  return read(file, fileBytes, run, counters);
}

Result<std::span<std::byte>> Hdf5HeapReader::read(int file, std::uint64_t fileBytes,
                                                  const Hdf5Run& run, ReadCounters& counters,
                                                  Sample::Room room) {
  if (run.bytes == 0) return std::span<std::byte>();
  if (run.collection >= fileBytes)
    return inHeap(run,
                  fmt::format("it is not within the file, which has {} bytes", grouped(fileBytes)));
  const std::uint64_t most = fileBytes - run.collection;
  // One read if the collection is small or starts with the run; long runs have their own
  // collection.
  const std::uint64_t alone = kHeapHead + kHeapObjectHead + paddedBytes(run.bytes);
  auto heap = m_ranges.read(file, run.collection, std::min(most, std::max(alone, kLeastHeap)),
                            counters, room);
  if (!heap) return inHeap(run, heap.error().message);
  const auto bytes = heapBytes(*heap, most);
  if (!bytes) return inHeap(run, bytes.error().message);
  const bool whole = *bytes <= heap->size();
  auto found = findRun(whole ? heap->first(*bytes) : *heap, *bytes, run);
  if (found && found->empty() && !whole) {
    heap = m_ranges.read(file, run.collection, *bytes, counters);
    if (!heap) return inHeap(run, heap.error().message);
    found = findRun(*heap, *bytes, run);
  }
  if (!found) return inHeap(run, found.error().message);
  if (found->empty())
    return inHeap(run,
                  fmt::format("it has no object {} of {} bytes", run.number, grouped(run.bytes)));
  return found;
}

}  // namespace millrace
