// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5_heap.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text.h"

namespace millrace {

namespace {

constexpr std::size_t kHeapHead = 16;
constexpr std::size_t kHeapObjectHead = 16;
/// The least size of a collection.
constexpr std::uint64_t kLeastHeap = 4096;

Error inHeap(const Hdf5Run& run, const std::string& message) {
  return Error{fmt::format("the heap at byte {}: {}", grouped(run.collection), message)};
}

/// Bytes of a collection whose head this is.
Result<std::uint64_t> heapBytes(std::span<const std::byte> head, std::uint64_t most) {
  constexpr std::string_view kMagic = "GCOL\x01";
  if (head.size() < kHeapHead || std::memcmp(head.data(), kMagic.data(), kMagic.size()) != 0)
    return Error{"it does not begin as one"};
  const auto bytes = littleEndian<std::uint64_t>(head.data() + 8);
  if (bytes < kHeapHead || bytes > most)
    return Error{fmt::format("its {} bytes do not lie in the file", grouped(bytes))};
  return bytes;
}

Result<std::span<std::byte>> findRun(std::span<std::byte> heap, const Hdf5Run& run) {
  for (std::size_t at = kHeapHead; heap.size() - at >= kHeapObjectHead;) {
    const auto number = littleEndian<std::uint16_t>(heap.data() + at);
    const auto bytes = littleEndian<std::uint64_t>(heap.data() + at + 8);
    if (number == 0) break;  // The room that is free.
    at += kHeapObjectHead;
    if (bytes > heap.size() - at)
      return Error{fmt::format("object {} is longer than the heap", number)};
    if (number == run.number && bytes >= run.bytes) return heap.subspan(at, run.bytes);
    const std::size_t padded = (bytes + 7) / 8 * 8;
    if (padded > heap.size() - at) break;
    at += padded;
  }
  return Error{fmt::format("it has no object {} of {} bytes", run.number, grouped(run.bytes))};
}

}  // namespace

Hdf5Run Hdf5Run::of(const std::byte* stored) {
  return {littleEndian<std::uint32_t>(stored), littleEndian<std::uint64_t>(stored + 4),
          littleEndian<std::uint32_t>(stored + 12)};
}

Result<std::span<std::byte>> Hdf5HeapReader::read(int file, std::uint64_t fileBytes,
                                                  const Hdf5Run& run, ReadCounters& counters,
                                                  Sample::Room room) {
  if (run.bytes == 0) return std::span<std::byte>();
  if (run.collection >= fileBytes)
    return inHeap(
        run, fmt::format("it does not lie in the file, which has {} bytes", grouped(fileBytes)));
  const std::uint64_t most = fileBytes - run.collection;
  // One read where the collection holds little else.
  const std::size_t first = std::min<std::uint64_t>(most, run.bytes + kLeastHeap);
  auto heap = m_ranges.read(file, run.collection, first, counters, room);
  if (!heap) return inHeap(run, heap.error().message);
  const auto bytes = heapBytes(*heap, most);
  if (!bytes) return inHeap(run, bytes.error().message);
  if (*bytes > heap->size()) {
    heap = m_ranges.read(file, run.collection, *bytes, counters);
    if (!heap) return inHeap(run, heap.error().message);
  }
  const auto found = findRun(heap->first(*bytes), run);
  if (!found) return inHeap(run, found.error().message);
  return *found;
}

}  // namespace millrace
