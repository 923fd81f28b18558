// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// An index of MDS shards, a shard, and a compressed shard. Every sample that is found lies in the
// file, and every value in its sample.
#include <vector>

#include "core/formats/io/compressed_file.h"
#include "core/formats/io/range_reader.h"
#include "core/formats/mds/mds_index.h"
#include "core/formats/mds/mds_shard.h"
#include "tests/fuzz/memory_file.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

namespace {

void readValue(const MdsColumn& column, std::span<const std::byte> bytes) {
  const auto value = mdsValue(column, bytes);
  if (!value || value->dtype == DType::Encoded) return;
  std::vector<std::byte> to(value->elements() * sizeOf(value->dtype));
  (void)copyMdsElements(*value, to.data());
}

void readShard(OpenFile file) {
  const auto shard = openMdsShard(std::move(file));
  if (!shard) return;
  const auto columns = columnsOf(*shard);
  if (!columns) return;
  RangeReader reader;
  ReadCounters counters;
  std::vector<std::span<const std::byte>> values;
  for (std::uint32_t i = 0; i < shard->samples(); ++i) {
    const auto range = shard->range(i);
    if (!range) continue;
    const auto bytes = reader.read(shard->file.fd.get(), range->offset, range->bytes, counters);
    if (!bytes) std::abort();
    if (!splitMdsSample(*columns, *bytes, values)) continue;
    for (std::size_t c = 0; c < columns->size(); ++c) readValue((*columns)[c], values[c]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)parseMdsIndex({reinterpret_cast<const char*>(data), size});
  readShard(fuzz::memoryFile(data, size));
  constexpr std::uint64_t kMost = 100000;
  for (const auto compression :
       {Compression::Zstd, Compression::Bzip2, Compression::Brotli, Compression::Snappy}) {
    auto content = uncompressed(fuzz::memoryFile(data, size), compression, kMost);
    if (!content) continue;
    if (content->size > kMost) std::abort();
    readShard(content.take());
  }
  return 0;
}
