// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Errors for files that no codec recognises or that this build cannot decode, and checks that all
// codecs share.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/base/parts.h"
#include "core/base/text/text.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/picture_formats.h"

namespace millrace {
namespace {

struct Signature {
  std::string_view name;
  std::size_t offset;
  std::string_view bytes;
};

using namespace std::string_view_literals;

constexpr std::array kSignatures{
    Signature{"Photoshop", 0, "8BPS"sv}, Signature{"OpenEXR", 0, "\x76\x2f\x31\x01"sv},
    Signature{"QOI", 0, "qoif"sv},       Signature{"icon", 0, "\0\0\1\0"sv},
    Signature{"DDS", 0, "DDS "sv},       Signature{"farbfeld", 0, "farbfeld"sv},
    Signature{"JPEG XR", 0, "II\xbc"sv}, Signature{"PCX", 0, "\x0a\x05\x01"sv},
};

std::string_view formatOf(std::string_view file) {
  for (const Signature& signature : kSignatures)
    if (file.size() >= signature.offset &&
        file.substr(signature.offset).starts_with(signature.bytes))
      return signature.name;
  const bool pnm = file.size() > 2 && file[0] == 'P' && file[1] >= '1' && file[1] <= '7' &&
                   (file[2] == '\n' || file[2] == ' ' || file[2] == '\r' || file[2] == '\t');
  if (pnm) return "PNM";
  // Often after an XML declaration and comments.
  constexpr std::size_t kExamined = 1024;
  const bool xml = file.starts_with("<") || file.starts_with("\xef\xbb\xbf<");
  return xml && file.substr(0, kExamined).find("<svg") != std::string_view::npos ? "SVG" : "";
}

/// A download that ended at a login or an error.
bool isWebPage(std::string_view file) {
  constexpr std::size_t kExamined = 64;
  const std::string begin = lowerCase(trimmed(file.substr(0, kExamined)));
  return begin.starts_with("<!doctype html") || begin.starts_with("<html");
}

class MissingDecoder final : public Codec {
 public:
  explicit MissingDecoder(std::string_view part) : m_part(part) {}
  Result<ImageInfo> open(std::span<const std::byte>) override { return missingPart(m_part); }
  Result<DecodedImage> decode(const StoredRequest&) override { return missingPart(m_part); }

 private:
  const std::string_view m_part;
};

}  // namespace

std::unique_ptr<Codec> missingDecoder(std::string_view part) {
  return std::make_unique<MissingDecoder>(partNamed(part).name);
}

Error notRecognised(std::span<const std::byte> file) {
  if (file.empty()) return {"it is empty"};
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (isLfsPointer(text))
    return {"a pointer of Git LFS instead of the picture; fetch the files with `git lfs pull`"};
  if (isWebPage(text)) return {"a web page (HTML) instead of the picture; download the file again"};
  if (const std::string_view name = formatOf(text); !name.empty())
    return {fmt::format("not supported yet: {} file", name)};
  std::string bytes;
  for (const std::byte byte : file.first(std::min<std::size_t>(file.size(), 4)))
    bytes += fmt::format(" {:02x}", std::to_integer<unsigned>(byte));
  return {"not an image: first bytes" + bytes};
}

namespace {

constexpr std::string_view kTruncated = "truncated after ";

}  // namespace

Error truncatedAfter(std::size_t bytes) {
  return {fmt::format("{}{} bytes", kTruncated, grouped(bytes))};
}

bool isTruncation(const Error& error) { return error.message.starts_with(kTruncated); }

Status checkPlausible(Size size, std::size_t fileBytes, const DecodeLimits& limits,
                      std::int64_t pixelsPerByte) {
  const std::int64_t pixels = static_cast<std::int64_t>(size.width) * size.height;
  if (pixels > limits.pixels)
    return Error{fmt::format("declares {} x {} pixels, but only {} in all are allowed", size.width,
                             size.height, grouped(static_cast<std::uint64_t>(limits.pixels)))};
  // Floating point, because a product of numbers from a file must not overflow.
  const double most = static_cast<double>(pixelsPerByte) * static_cast<double>(fileBytes) + 1048576;
  if (static_cast<double>(pixels) > most)
    return Error{fmt::format("declares {} x {} pixels, which {} bytes cannot hold", size.width,
                             size.height, grouped(fileBytes))};
  return {};
}

}  // namespace millrace
