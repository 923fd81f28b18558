// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/codecs/codec.h"

namespace millrace {

/// What ImageDecoder asks of a codec; everything in stored coordinates.
struct StoredRequest {
  Rect region;    ///< Never empty, always inside the image.
  int scale = 1;  ///< 1, 2, 4 or 8; a codec that does not scale answers with 1.
  PixelForm form = PixelForm::Rgb;
  bool ownDecoder = true;
  bool planes = false;
  std::vector<std::byte>* sideIndex = nullptr;
};

/// One file format. One thread. Pixels stay in the codec's own buffers until its next call.
class Codec {
 public:
  virtual ~Codec() = default;
  /// Reads the head; `size` and `storedSize` both without orientation.
  virtual Result<ImageInfo> open(std::span<const std::byte> file) = 0;
  /// After a good open, any number of times.
  virtual Result<DecodedImage> decode(const StoredRequest& request) = 0;
};

/// What codecs.def's line stands for.
struct CodecEntry {
  bool (*recognises)(std::span<const std::byte> file);
  std::unique_ptr<Codec> (*make)(const DecodeLimits& limits);
};

/// Refuses a file whose head promises more than it can hold: over `limits.pixels`, or over
/// `pixelsPerByte` (what the format can reach at best) times its bytes plus a mebipixel.
Status checkPlausible(Size size, std::size_t fileBytes, const DecodeLimits& limits,
                      std::int64_t pixelsPerByte);

/// "truncated after 18 231 bytes".
Error truncatedAfter(std::size_t bytes);

/// Why no codec recognises `file`: empty, a known format that is not supported yet, or no image.
Error notRecognised(std::span<const std::byte> file);

}  // namespace millrace
