// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

#include <jpeglib.h>

#include "core/codecs/codec.h"

namespace millrace {

/// The EXIF orientation in the markers before the first scan; 1 if there is none.
int jpegOrientation(std::span<const std::byte> file);
/// The ICC profile in the markers before the first scan (ICC.1:2010, B.4); empty if there is none,
/// or if a part of it is missing.
std::vector<std::byte> jpegProfile(std::span<const std::byte> file);
/// Whether it is for other colours than sRGB (isSrgbProfile).
bool hasOtherJpegProfile(std::span<const std::byte> file);

/// libjpeg-turbo's decoder for a file in memory, with errors as return values. For use by one
/// thread. Cannot be moved, because the library keeps its address.
///
/// The library reports errors by longjmp. It must only be called inside guarded(), by code whose
/// stack frames hold no objects with destructors.
class JpegReader {
 public:
  explicit JpegReader(const DecodeLimits& limits) : m_limits(limits) {}
  ~JpegReader() { close(); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  /// Creates a new decoder for `file` and reads its header. Decoders are never reused: their
  /// Huffman and quantisation tables would survive and replace missing ones of the next file.
  Status open(std::span<const std::byte> file);
  void close();

  jpeg_decompress_struct& decoder() { return m_decoder; }
  /// What a truncated file lacks becomes grey instead of an error, from the next call on.
  void fillTruncated(bool fills) { m_fillsTruncated = fills; }
  /// After all rows are read: whether the file ended early in a way that the entropy decoder does
  /// not notice, between two scans or with arithmetic coding.
  bool isIncomplete();
  int warnings() const { return static_cast<int>(m_errors.num_warnings); }

  /// Runs `body`; an error if the library failed in it.
  template <class Body>
  Status guarded(Body&& body) {
    if (runs(body)) return {};
    return failure();
  }

 private:
  enum class Trouble { None, Library, Truncated, TooManyScans };

  /// A separate function that holds only a reference, so that longjmp skips no destructor and
  /// clobbers no variable.
  template <class Body>
  [[gnu::noinline]] bool runs(Body& body) {
    m_trouble = Trouble::None;
    if (setjmp(m_jump) != 0) return false;
    body();
    return true;
  }

  static JpegReader& of(j_common_ptr decoder);
  static void onError(j_common_ptr decoder);
  static void onMessage(j_common_ptr decoder, int level);
  static void onProgress(j_common_ptr decoder);
  static boolean onNeedBytes(j_decompress_ptr decoder);
  static void onSkipBytes(j_decompress_ptr decoder, long count);
  [[noreturn]] void leave(Trouble trouble);
  Error failure();

  DecodeLimits m_limits;
  jpeg_decompress_struct m_decoder{};
  jpeg_error_mgr m_errors{};
  jpeg_source_mgr m_source{};
  jpeg_progress_mgr m_progress{};
  std::jmp_buf m_jump{};
  std::span<const std::byte> m_file;
  Trouble m_trouble = Trouble::None;
  bool m_isOpen = false;
  bool m_pastEnd = false;  // The library requested bytes after the file's end.
  bool m_fillsTruncated = false;
  std::array<bool, MAX_COMPONENTS> m_componentSeen{};
};

}  // namespace millrace
