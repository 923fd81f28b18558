// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// An LMDB file: its headers, its tree, its values, and these as Datums. Every value lies in the
// file.
#include <vector>

#include "core/formats/lmdb/caffe_datum.h"
#include "core/formats/lmdb/lmdb_file.h"
#include "tests/fuzz/memory_file.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

namespace {

void asDatum(std::span<const std::byte> value) {
  const auto datum = parseDatum(value);
  if (!datum || datum->encoded) return;
  std::vector<std::byte> pixels(datum->data.size());
  datumPixels(*datum, pixels.data());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  asDatum(std::as_bytes(std::span(data, size)));
  const OpenFile file = fuzz::memoryFile(data, size);
  const auto snapshot = openLmdb(file.fd.get(), size);
  if (!snapshot) return 0;
  (void)listLmdb(file.fd.get(), size, *snapshot, "name");
  const auto listing = listLmdb(file.fd.get(), size, *snapshot);
  if (!listing) return 0;
  RangeReader reader;
  ReadCounters counters;
  for (std::size_t i = 0; i < listing->size(); ++i) {
    const LmdbListing::Place& place = listing->place(i);
    if (place.offset > size || place.size > size - place.offset) std::abort();
    const auto value = readLmdbValue(reader, file.fd.get(), *snapshot, place, counters);
    if (value && value->size() != place.size) std::abort();
    if (value) asDatum(*value);
  }
  return 0;
}
