// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A RecordIO file, scanned and read, and an .idx file for it. Every record that is found lies
// within the file, after the one before it, and can be read.
#include <string>
#include <vector>

#include "core/formats/recordio/record_io.h"
#include "tests/fuzz/memory_file.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

namespace {

void asImage(std::span<const std::byte> record) {
  const auto image = parseRecordIoImage(record);
  if (!image) return;
  float sum = 0;
  for (std::size_t i = 0; i < image->labelCount(); ++i) sum += image->label(i);
  if (image->content.size() + 24 > record.size() && sum == 1) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const OpenFile file = fuzz::memoryFile(data, size);
  RecordIoScan scan(file.fd.get(), size);
  RecordIoIndex index;
  while (!scan.done())
    if (!scan.advance(3, index)) std::abort();
  RecordIoReader reader;
  ReadCounters counters;
  std::uint64_t end = 0;
  for (const RecordIoIndex::Place& place : index.places) {
    if (place.offset < end || place.bytes > size - place.offset) std::abort();
    end = place.offset + place.bytes;
    const auto record = reader.read(file.fd.get(), place, counters);
    if (!record) std::abort();
    asImage(*record);
  }
  const std::string path = "/proc/self/fd/" + std::to_string(file.fd.get());
  const auto named = readRecordIoIdx(path, size);
  if (!named) return 0;
  for (const RecordIoIndex::Place& place : named->places) {
    if (place.bytes == 0 || place.bytes > size - place.offset) std::abort();
    (void)reader.read(file.fd.get(), place, counters);
  }
  return 0;
}
