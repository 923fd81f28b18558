// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A TFRecord file, plain or compressed: scanned and read. Every record lies within the file and
// after the one before it.
#include "core/base/crc32c.h"
#include "core/base/little_endian.h"
#include "core/formats/io/unpacked_file.h"
#include "core/formats/tfrecord/tfrecord.h"
#include "tests/fuzz/memory_file.h"

namespace {

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

void readAll(const OpenFile& file) {
  TfRecordScan scan(file.fd.get(), file.size);
  TfRecordIndex index;
  while (!scan.done())
    if (!scan.advance(3, index)) std::abort();
  RangeReader reader;
  ReadCounters counters;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const TfRecordIndex::Place place = index.at(i);
    if (place.offset < end || place.offset + place.length + kTfRecordFrame > file.size)
      std::abort();
    end = place.offset + place.length + kTfRecordFrame;
    const auto record = readTfRecord(reader, file.fd.get(), place, false, counters);
    if (!record || record->size() != place.length) std::abort();
    (void)readTfRecord(reader, file.fd.get(), place, true, counters);
  }
}

/// Corrects the checksums of consecutive headers; otherwise hardly any input would have a second
/// record.
void repairSums(std::vector<std::byte>& bytes) {
  for (std::size_t at = 0; at + kTfRecordFrame <= bytes.size();) {
    // Lengths that a small file can hold.
    for (std::size_t i = 2; i < 8; ++i) bytes[at + i] = std::byte{0};
    const auto length = littleEndian<std::uint64_t>(&bytes[at]);
    const std::uint32_t sum = maskedCrc(crc32c({&bytes[at], 8}));
    std::memcpy(&bytes[at + 8], &sum, sizeof sum);
    if (length > bytes.size() - at - kTfRecordFrame) return;
    at += length + kTfRecordFrame;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const OpenFile file = fuzz::memoryFile(data, size);
  readAll(file);
  const Packing packing = packingOf(std::as_bytes(std::span(data, size)));
  if (packing != Packing::None)
    if (const auto plain = unpacked(file, packing)) readAll(*plain);
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  repairSums(bytes);
  readAll(fuzz::memoryFile(reinterpret_cast<const std::uint8_t*>(bytes.data()), size));
  return 0;
}
