// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/jpeg_reader.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <jerror.h>

#include "core/codecs/codec_entry.h"
#include "core/codecs/orientation.h"

namespace millrace {
namespace {

unsigned byteAt(std::span<const std::byte> file, std::size_t i) {
  return std::to_integer<unsigned>(file[i]);
}

/// Calls `visit` with what follows `title` in the markers of this kind before the first scan, as
/// long as it returns true.
template <class Visit>
void visitMarkers(std::span<const std::byte> file, unsigned kind, std::string_view title,
                  Visit&& visit) {
  constexpr unsigned kStartOfScan = 0xda;
  std::size_t at = 2;
  while (at + 4 <= file.size() && byteAt(file, at) == 0xff) {
    const unsigned marker = byteAt(file, at + 1);
    if (marker == 0xff) {  // A fill byte.
      ++at;
      continue;
    }
    if (marker == kStartOfScan || marker == JPEG_EOI) return;
    const std::size_t length = byteAt(file, at + 2) << 8U | byteAt(file, at + 3);
    if (length < 2 || file.size() - at - 2 < length) return;
    const auto payload = file.subspan(at + 4, length - 2);
    const std::string_view text(reinterpret_cast<const char*>(payload.data()), payload.size());
    if (marker == kind && text.starts_with(title) && !visit(payload.subspan(title.size()))) return;
    at += 2 + length;
  }
}

constexpr unsigned kApp2 = 0xe2;
constexpr std::string_view kProfileTitle("ICC_PROFILE\0", 12);

/// An end-of-image marker, which the library gets in place of missing bytes.
constexpr JOCTET kEndOfImage[2] = {0xff, JPEG_EOI};

}  // namespace

int jpegOrientation(std::span<const std::byte> file) {
  constexpr unsigned kApp1 = 0xe1;
  int orientation = 1;
  visitMarkers(file, kApp1, std::string_view("Exif\0\0", 6), [&](std::span<const std::byte> exif) {
    orientation = exifOrientation(exif);
    return false;
  });
  return orientation;
}

std::vector<std::byte> jpegProfile(std::span<const std::byte> file) {
  // Parts have their number, from 1, and the count of all. They stand in this order.
  std::vector<std::byte> profile;
  unsigned parts = 0;
  unsigned count = 0;
  visitMarkers(file, kApp2, kProfileTitle, [&](auto part) {
    if (part.size() < 2 || byteAt(part, 0) != parts + 1) return false;
    count = byteAt(part, 1);
    profile.insert(profile.end(), part.begin() + 2, part.end());
    return ++parts < count;
  });
  if (parts != count) profile.clear();
  return profile;
}

bool hasOtherJpegProfile(std::span<const std::byte> file) {
  const auto isOther = [](std::span<const std::byte> profile) {
    return !isSrgbProfile({reinterpret_cast<const char*>(profile.data()), profile.size()});
  };
  // Nearly all profiles have a single part, which needs no copy.
  bool isOtherInOnePart = false;
  bool hasParts = false;
  visitMarkers(file, kApp2, kProfileTitle, [&](auto part) {
    hasParts = part.size() >= 2 && byteAt(part, 1) > 1;
    isOtherInOnePart = part.size() >= 2 && !hasParts && isOther(part.subspan(2));
    return false;
  });
  return hasParts ? isOther(jpegProfile(file)) : isOtherInOnePart;
}

JpegReader& JpegReader::of(j_common_ptr decoder) {
  return *static_cast<JpegReader*>(decoder->client_data);
}

void JpegReader::leave(Trouble trouble) {
  m_trouble = trouble;
  std::longjmp(m_jump, 1);
}

void JpegReader::onError(j_common_ptr decoder) {
  JpegReader& reader = of(decoder);
  reader.leave(reader.m_pastEnd ? Trouble::Truncated : Trouble::Library);
}

void JpegReader::onMessage(j_common_ptr decoder, int level) {
  if (level >= 0) return;  // A trace message, not a warning.
  JpegReader& reader = of(decoder);
  ++reader.m_errors.num_warnings;
  // The entropy decoder needed a bit that the file does not have. It requests bytes in advance, so
  // a lack of bytes alone is not an error: the end marker may be missing.
  if (reader.m_pastEnd && !reader.m_fillsTruncated && reader.m_errors.msg_code == JWRN_HIT_MARKER)
    reader.leave(Trouble::Truncated);
}

void JpegReader::onProgress(j_common_ptr common) {
  JpegReader& reader = of(common);
  const jpeg_decompress_struct& decoder = reader.m_decoder;
  for (int i = 0; i < decoder.comps_in_scan; ++i)
    reader.m_componentSeen[static_cast<std::size_t>(decoder.cur_comp_info[i]->component_index)] =
        true;
  constexpr std::int64_t kFullScans = 16;
  const std::int64_t scans = decoder.input_scan_number;
  const std::int64_t pixels = static_cast<std::int64_t>(decoder.image_width) * decoder.image_height;
  if (scans > reader.m_limits.scans || scans * pixels > kFullScans * reader.m_limits.pixels)
    reader.leave(Trouble::TooManyScans);
}

boolean JpegReader::onNeedBytes(j_decompress_ptr decoder) {
  JpegReader& reader = of(reinterpret_cast<j_common_ptr>(decoder));
  reader.m_pastEnd = true;
  reader.m_source.next_input_byte = kEndOfImage;
  reader.m_source.bytes_in_buffer = sizeof kEndOfImage;
  return TRUE;
}

void JpegReader::onSkipBytes(j_decompress_ptr decoder, long count) {
  JpegReader& reader = of(reinterpret_cast<j_common_ptr>(decoder));
  if (count <= 0) return;
  const auto skipped = std::min(static_cast<std::size_t>(count), reader.m_source.bytes_in_buffer);
  reader.m_source.next_input_byte += skipped;
  reader.m_source.bytes_in_buffer -= skipped;
  if (skipped < static_cast<std::size_t>(count)) onNeedBytes(decoder);
}

Status JpegReader::open(std::span<const std::byte> file) {
  close();
  m_file = file;
  m_pastEnd = false;
  m_componentSeen = {};
  m_decoder.err = jpeg_std_error(&m_errors);
  m_errors.error_exit = &JpegReader::onError;
  m_errors.emit_message = &JpegReader::onMessage;
  m_decoder.client_data = this;
  m_source.init_source = [](j_decompress_ptr) {};
  m_source.term_source = [](j_decompress_ptr) {};
  m_source.resync_to_restart = &jpeg_resync_to_restart;
  m_source.fill_input_buffer = &JpegReader::onNeedBytes;
  m_source.skip_input_data = &JpegReader::onSkipBytes;
  m_source.next_input_byte = reinterpret_cast<const JOCTET*>(file.data());
  m_source.bytes_in_buffer = file.size();
  m_progress.progress_monitor = &JpegReader::onProgress;
  m_isOpen = true;
  return guarded([this] {
    jpeg_create_decompress(&m_decoder);
    m_decoder.src = &m_source;
    m_decoder.progress = &m_progress;
    jpeg_read_header(&m_decoder, TRUE);
  });
}

void JpegReader::close() {
  // Never fails: it only frees memory, whatever state an error left the decoder in.
  if (m_isOpen) jpeg_destroy_decompress(&m_decoder);
  m_isOpen = false;
}

bool JpegReader::isIncomplete() {
  if (!m_pastEnd || m_fillsTruncated) return false;
  // Arithmetic coding may omit trailing zero bytes, so missing bits cannot be detected.
  if (m_decoder.arith_code) return true;
  if (m_decoder.coef_bits == nullptr || !m_decoder.progressive_mode)
    return jpeg_has_multiple_scans(&m_decoder) &&
           std::count(m_componentSeen.begin(), m_componentSeen.end(), true) <
               m_decoder.num_components;
  const int* bits = &m_decoder.coef_bits[0][0];
  return std::any_of(bits, bits + m_decoder.num_components * DCTSIZE2,
                     [](int missing) { return missing != 0; });
}

Error JpegReader::failure() {
  constexpr int kJpegLsFrame = 0xf7;  // SOF55 of ITU-T T.87
  switch (m_trouble) {
    case Trouble::Truncated: return truncatedAfter(m_file.size());
    case Trouble::TooManyScans:
      return {fmt::format("refused: more than {} scans, or too many for {} x {} pixels",
                          m_limits.scans, m_decoder.image_width, m_decoder.image_height)};
    default: break;
  }
  switch (m_errors.msg_code) {
    case JERR_SOF_UNSUPPORTED:
      return {fmt::format("lossless and hierarchical JPEG is not supported (frame type 0x{:02x})",
                          m_errors.msg_parm.i[0])};
    case JERR_BAD_PRECISION:
      return {fmt::format(
          "JPEG with {} bits per sample is not supported, only 8; convert it to PNG or TIFF, for "
          "example with imread of the Python package imagecodecs, and scale its numbers to 16 bits",
          m_errors.msg_parm.i[0])};
    case JERR_UNKNOWN_MARKER:
      if (m_errors.msg_parm.i[0] == kJpegLsFrame)
        return {"JPEG-LS is not supported; convert it to PNG with a program that reads it"};
      break;
    case JERR_EMPTY_IMAGE: return {"declares no rows or no columns"};
    default: break;
  }
  char text[JMSG_LENGTH_MAX];
  m_errors.format_message(reinterpret_cast<j_common_ptr>(&m_decoder), text);
  return {fmt::format("damaged JPEG: {}", text)};
}

}  // namespace millrace
