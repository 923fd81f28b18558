// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The parts of an HDF5 file that are read without the library: chunks, and runs in the heap. The
// input begins with the library's description of chunks, or with a table of runs; it also is the
// file. Every sample can be requested, and a run that is found lies in the file.
#include <algorithm>
#include <vector>

#include "core/formats/hdf5/hdf5_chunks.h"
#include "core/formats/hdf5/hdf5_heap.h"
#include "tests/fuzz/memory_file.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

namespace {

/// Numbers from the input's beginning; zeros after its end.
class Head {
 public:
  Head(const std::uint8_t* data, std::size_t size) : m_data(data), m_size(size) {}
  unsigned byte() { return m_at < m_size ? m_data[m_at++] : 0; }
  unsigned word() {
    const unsigned low = byte();
    return low | byte() << 8U;
  }

 private:
  const std::uint8_t* m_data;
  std::size_t m_size;
  std::size_t m_at = 0;
};

Hdf5Chunks chunksOf(Head& head) {
  constexpr unsigned kMostAxes = 3;
  constexpr unsigned kMostFilters = 4;
  constexpr unsigned kKinds = 4;
  Hdf5Chunks chunks;
  const unsigned rank = 1 + head.byte() % kMostAxes;
  std::size_t total = 1;
  for (unsigned i = 0; i < rank; ++i) {
    chunks.axes.push_back(1 + head.byte() % 8);
    chunks.sides.push_back(1 + head.byte() % 8);
    chunks.counts.push_back((chunks.axes[i] + chunks.sides[i] - 1) / chunks.sides[i]);
    total *= chunks.counts[i];
  }
  chunks.elementBytes = 1 + head.byte() % 16;
  const unsigned filters = head.byte() % kMostFilters;
  for (unsigned i = 0; i < filters; ++i) {
    const auto kind = static_cast<Hdf5Filter::Kind>(head.byte() % kKinds);
    chunks.filters.push_back({kind, 1 + head.byte()});
  }
  for (std::size_t i = 0; i < total; ++i) {
    Hdf5Chunk chunk;
    chunk.offset = head.word();
    chunk.bytes = head.word();
    chunk.skipped = head.byte();
    chunks.list.push_back(chunk);
  }
  return chunks;
}

void check(const Result<std::span<std::byte>>& bytes, const Hdf5Run& run, const OpenFile& file) {
  if (bytes && (bytes->size() != run.bytes || bytes->size() > file.size)) std::abort();
}

/// Runs of a table of at most four, with the table and without it.
void readRuns(const OpenFile& file, const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostRuns = 4;
  std::vector<Hdf5Run> table;
  for (std::size_t at = 0; at + Hdf5Run::kStored <= size && table.size() < kMostRuns;
       at += Hdf5Run::kStored)
    table.push_back(Hdf5Run::of(reinterpret_cast<const std::byte*>(data + at)));
  Hdf5HeapReader reader;
  ReadCounters counters;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Hdf5Run& run = table[i];
    check(reader.read(file.fd.get(), file.size, run, counters), run, file);
    check(reader.readAt(expectedPlace(table, i), file.fd.get(), file.size, run, counters), run,
          file);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Head head(data, size);
  const Hdf5Chunks chunks = chunksOf(head);
  const OpenFile file = fuzz::memoryFile(data, size);
  readRuns(file, data, size);
  Hdf5ChunkReader reader;
  reader.bind(file.fd.get(), size, chunks);
  ReadCounters counters;
  std::vector<std::byte> row(chunks.rowBytes());
  for (std::uint64_t i = 0; i < chunks.axes[0]; ++i) (void)reader.readTo(i, row, counters);
  for (std::uint64_t i = chunks.axes[0]; i-- > 0;) (void)reader.readTo(i, row, counters);
  return 0;
}
