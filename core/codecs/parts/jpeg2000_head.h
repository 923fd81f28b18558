// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/codecs/codec_entry.h"

namespace millrace {

/// The sizes at the beginning of a JPEG 2000 codestream (ISO 15444-1, A.5.1), read before OpenJPEG,
/// which takes memory for every tile and channel that they declare, and the file's colour profile.
struct Jpeg2000Head {
  std::uint32_t left = 0;  ///< of the picture on the reference grid
  std::uint32_t top = 0;
  Size size;
  std::uint64_t tiles = 0;
  int channels = 0;
  bool isBare = false;  ///< a codestream without the container JP2
  bool isCmyk = false;  ///< by the number of its colours, or by the profile in its place
  std::span<const std::byte> profile;  ///< ICC.1, in the file; empty: none

  /// `file` is a codestream or a JP2 file that contains one. Fails if the sizes are wrong or more
  /// than the file can hold.
  Status read(std::span<const std::byte> file, const DecodeLimits& limits);

 private:
  Status readSizes(std::span<const std::byte> stream);
  void readColours(std::span<const std::byte> file);
};

}  // namespace millrace
