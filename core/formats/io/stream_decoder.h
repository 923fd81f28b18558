// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// Decompresses a stream once, piece by piece. For use by one thread.
class StreamDecoder {
 public:
  struct Step {
    std::size_t taken = 0;
    std::size_t made = 0;
    bool open = true;  ///< the stream is not complete
  };
  StreamDecoder() = default;
  virtual ~StreamDecoder() = default;
  StreamDecoder(const StreamDecoder&) = delete;
  StreamDecoder& operator=(const StreamDecoder&) = delete;
  /// Takes from `in` and writes to `out` as much as it can. The error says what is wrong with the
  /// stream, without a place.
  virtual Result<Step> step(std::span<const std::byte> in, std::span<std::byte> out) = 0;
};

/// Decoders of the optional parts `zstd`, `bzip2` and `brotli`. The error of a build without the
/// part is that of missingPart() (core/base/parts.h).
Result<std::unique_ptr<StreamDecoder>> zstdDecoder();
Result<std::unique_ptr<StreamDecoder>> bzip2Decoder();
Result<std::unique_ptr<StreamDecoder>> brotliDecoder();

/// Decompresses a Snappy block without framing, of at most `most` bytes. The error of a build
/// without the part `snappy` is that of missingPart().
Result<std::vector<char>> decodedSnappy(std::span<const char> packed, std::uint64_t most);
/// The same into memory of the content's size; another size is an error.
Status unpackSnappy(std::span<const std::byte> packed, std::span<std::byte> to);

}  // namespace millrace
