// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/core/nodes/open_source.h"
#include "tests/support/hdf5_written.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

inline const Hdf5Sizes kPictures = {10, 5, 4, 3};

/// Bytes that differ everywhere but are compressible.
inline std::string pictureBytes() {
  std::string bytes(std::size_t{10} * 5 * 4 * 3, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(i * i / 7 + (i % 3 == 0 ? i : 0));
  return bytes;
}

inline std::vector<std::int64_t> numbersTo(std::int64_t end) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(end));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

inline Opened openHdf5(const TemporaryFolder& folder, const TextList& paths,
                       const TextList& datasets = {}, const char* content = "auto") {
  return openSource("hdf5",
                    {{"paths", paths}, {"datasets", datasets}, {"content", std::string(content)}},
                    folder.path());
}

inline bool hasNote(const Source& source, const char* part) {
  const auto notes = source.warnings();
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

inline std::string bytesText(const TensorView& view) { return {view.as<const char>(), view.bytes}; }

/// Whether the rows of `source`, visited in steps of `step`, equal `bytes`.
inline bool hasRows(const Source& source, const std::string& bytes, std::size_t step,
                    ReadCounters& counters) {
  const std::size_t row = bytes.size() / source.size();
  const auto reader = source.reader();
  Sample sample;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t index = i * step % source.size();
    sample.reset({0, static_cast<std::uint32_t>(index), 0}, source.fields().size());
    if (!reader->read(static_cast<std::uint32_t>(index), sample, counters)) return false;
    if (bytesText(sample[0]) != bytes.substr(index * row, row)) return false;
  }
  return counters.bytes > 0;
}
inline bool hasRows(const Source& source, const std::string& bytes, std::size_t step) {
  ReadCounters counters;
  return hasRows(source, bytes, step, counters);
}

}  // namespace millrace::tests
