// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A JPEG file with the bytes of a side index: its length (2 bytes), the index, the file, a request.
// Neither an index made by the decoder nor one that it refuses changes a pixel. In seven of eight
// inputs the checksums are corrected, so that decoding starts from invented places: the result is
// meaningless then, but nothing outside the file is read.
#include <cstring>

#include "core/base/crc32c.h"
#include "core/codecs/jpeg/side_index.h"
#include "tests/fuzz/decode_bytes.h"

namespace millrace::fuzz {
namespace {

struct Outcome {
  bool ok = false;
  DecodeRoute route = DecodeRoute::Other;
  std::vector<std::uint8_t> pixels;
  bool operator==(const Outcome&) const = default;
};

Outcome outcomeOf(ImageDecoder& decoder, DecodeRequest request, std::vector<std::byte>* index) {
  request.sideIndex = index;
  const auto image = decoder.decode(request);
  if (!image) return {};
  Outcome outcome{true, image->route, {}};
  const ImageView pixels = image->pixels;
  const auto bytes = static_cast<std::ptrdiff_t>(pixels.width) * pixels.channels;
  for (int y = 0; y < pixels.height; ++y)
    outcome.pixels.insert(outcome.pixels.end(), pixels.row(y), pixels.row(y) + bytes);
  return outcome;
}

/// Makes it an index of this file: magic, components, size and checksums.
void sign(std::vector<std::byte>& index, std::span<const std::byte> file, const jpeg::Head& head) {
  if (index.size() < 24) return;
  const auto put = [&](std::size_t at, auto value) {
    std::memcpy(index.data() + at, &value, sizeof value);
  };
  const auto components = static_cast<std::uint16_t>(head.components);
  std::memcpy(index.data(), "MRJ1", 4);
  put(8, components);
  put(10, static_cast<std::uint16_t>((index.size() - 24) / (4 + 2 * components)));
  put(12, crc32c(file));
  put(16, std::uint64_t{file.size()});
  put(4, crc32c(std::span(index).subspan(8)));
}

void hold(std::span<const std::byte> file, std::vector<std::byte> index,
          std::span<const std::uint8_t> asked) {
  // One for all inputs, as in fuzz_own_jpeg.
  static ImageDecoder decoder({.pixels = 1 << 16, .scans = 20});
  const auto info = decoder.open(file);
  if (!info || info->route != DecodeRoute::Own) return;
  DecodeRequest request = requestOf(asked, info->storedSize);
  request.applyOrientation = false;
  const Outcome plain = outcomeOf(decoder, request, nullptr);
  std::vector<std::byte> own;
  for (int turn = 0; turn < 2; ++turn)
    if (outcomeOf(decoder, request, &own) != plain) std::abort();
  jpeg::Head head;
  jpeg::SideIndex taken;
  if (readHead(file, head) != DecodeRoute::Own) std::abort();
  if (!own.empty() && !taken.read(own, file, head)) std::abort();
  if (asked[7] % 8 != 7) sign(index, file, head);
  const bool isTaken = taken.read(index, file, head);
  if (outcomeOf(decoder, request, &index) != plain && !isTaken) std::abort();
}

}  // namespace
}  // namespace millrace::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::fuzz;
  if (size < 2 + kRequestBytes) return 0;
  const std::span<const std::uint8_t> asked(data + size - kRequestBytes, kRequestBytes);
  const auto rest = std::as_bytes(std::span(data + 2, size - 2 - kRequestBytes));
  const std::size_t length = std::min<std::size_t>(data[0] | data[1] << 8, rest.size());
  // The decoder and its index leave out the mark that chooses a picture of a file.
  hold(millrace::withoutMark(rest.subspan(length)).file,
       {rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length)}, asked);
  return 0;
}
