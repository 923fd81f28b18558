// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// TIFF and BigTIFF by libtiff: the first picture of the file, grey, RGB, CMYK and palettes with up
// to 16 bits, in strips or tiles of any compression that the library supports; as numbers also any
// count of samples, signed, up to 32 bits, and floats. Only strips and tiles that intersect the
// region are decoded; alpha and colour profiles are not applied.
#include <string_view>

#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/part_decoders.h"
#include "core/codecs/tiff_pages.h"

namespace millrace {
namespace {

bool isTiff(std::span<const std::byte> file) {
  using namespace std::string_view_literals;
  return isAt(file, 0, "II*\0"sv) || isAt(file, 0, "MM\0*"sv) || isAt(file, 0, "II+\0"sv) ||
         isAt(file, 0, "MM\0+"sv);
}

std::uint32_t countPages(const ReadBytes& read) {
  return static_cast<std::uint32_t>(tiffPages(read).size());
}

bool isolatePage(std::span<std::byte> file, std::uint32_t page) {
  const std::vector<std::uint64_t> pages = tiffPages(bytesOf(file));
  return page < pages.size() && selectTiffPage(file, pages[page]);
}

}  // namespace

CodecEntry tiffCodec();
CodecEntry tiffCodec() {
  return {"TIFF",  {"tif", "tiff"},  tiffLibrary(),
          &isTiff, &makeTiffDecoder, {&countPages, &isolatePage}};
}

}  // namespace millrace
