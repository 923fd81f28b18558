// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/codecs/codec.h"
#include "core/codecs/read_bytes.h"

namespace millrace {

/// What ImageDecoder requests from a codec; all in stored coordinates.
struct StoredRequest {
  Rect region;    ///< Never empty, always inside the image.
  int scale = 1;  ///< 1, 2, 4 or 8; a codec that does not scale returns 1.
  PixelForm form = PixelForm::Rgb;
  bool ownDecoder = true;
  bool planes = false;
  bool fillTruncated = false;
  bool cmykProfile = false;
  std::vector<std::byte>* sideIndex = nullptr;
};

/// The decoder of one file format. For use by one thread. Pixels stay in the codec's buffers until
/// its next call.
class Codec {
 public:
  virtual ~Codec() = default;
  /// Reads the header; sets both `size` and `storedSize` without orientation. Of several pictures
  /// the first is meant, as viewers show it.
  virtual Result<ImageInfo> open(std::span<const std::byte> file) = 0;
  /// The same for one of the pictures that CodecEntry::pictures counts, all of the size of the
  /// whole: a frame is drawn on those before it.
  virtual Result<ImageInfo> openPicture(std::span<const std::byte> file,
                                        std::uint32_t /*picture*/) {
    return open(file);
  }
  /// After a successful open(), any number of times.
  virtual Result<DecodedImage> decode(const StoredRequest& request) = 0;
  /// Whether decode() supports PixelForm::Stored. Otherwise ImageDecoder converts the bytes of the
  /// other forms, if they are all that the file has.
  virtual bool decodesStored() const { return false; }
};

/// A library that a codec uses, as `millrace doctor` lists it.
struct CodecLibrary {
  std::string name;
  std::string version;
};

/// For formats whose files can hold several pictures.
struct SeveralPictures {
  /// At most kMostPictures; 0 or 1: the file is a single picture.
  std::uint32_t (*count)(const ReadBytes& read) = nullptr;
  /// Changes the file so that every reader sees this picture alone; false: it has no such picture.
  /// nullptr: a mark after the file chooses, and Codec::openPicture() gets it.
  bool (*standAlone)(std::span<std::byte> file, std::uint32_t picture) = nullptr;
};

/// A codec of codecs.def: all that other rooms need to know about the format. Static storage.
struct CodecEntry {
  std::string_view format;  ///< "JPEG"
  /// Endings of file names, lower case, without the dot; the first is the usual one.
  std::vector<std::string_view> extensions;
  CodecLibrary
      library;  ///< without a name if the codec is our own, or this build lacks the library
  bool (*recognises)(std::span<const std::byte> file);
  std::unique_ptr<Codec> (*make)(const DecodeLimits& limits);
  SeveralPictures pictures{};
};

/// Rejects a file whose header promises more than the file can contain: more than `limits.pixels`,
/// or more than `pixelsPerByte` (the best that the format can reach) times its bytes plus a
/// mebipixel.
Status checkPlausible(Size size, std::size_t fileBytes, const DecodeLimits& limits,
                      std::int64_t pixelsPerByte);

/// "truncated after 18 231 bytes".
Error truncatedAfter(std::size_t bytes);
/// Whether the error is that of truncatedAfter().
bool isTruncation(const Error& error);

/// The codec of a format whose library this build lacks (core/base/parts.h): it refuses every file.
std::unique_ptr<Codec> missingDecoder(std::string_view part);

/// Why no codec recognises `file`: it is empty, of a known format that is not supported yet, or not
/// an image.
Error notRecognised(std::span<const std::byte> file);

}  // namespace millrace
