// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/mds/mds_packing.h"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/compressed_file.h"
#include "core/formats/io/unpacked_file.h"

namespace millrace {

namespace {

/// File name endings, which are also the names in the index.
constexpr std::string_view kGzipEnd = "gz";
constexpr std::array<std::pair<std::string_view, Compression>, 4> kEnds = {
    {{"zstd", Compression::Zstd},
     {"br", Compression::Brotli},
     {"bz2", Compression::Bzip2},
     {"snappy", Compression::Snappy}}};

std::optional<Compression> compressionBy(std::string_view word) {
  for (const auto& [end, compression] : kEnds)
    if (end == word) return compression;
  return std::nullopt;
}

}  // namespace

std::string_view mdsCompressionOf(std::string_view name) {
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const std::string_view end = name.substr(dot + 1);
  return end == kGzipEnd || compressionBy(end) ? end : std::string_view();
}

Status checkMdsCompression(std::string_view compression) {
  if (compression.empty() || compression == kGzipEnd) return {};
  if (const auto known = compressionBy(compression)) return checkCompression(*known);
  return Error{fmt::format(
      "it is compressed with {}; supported are zstd, gz, br, bz2 and snappy: decompress the "
      "shards next to it, or write them with compression=\"zstd\"",
      validUtf8(compression))};
}

Result<OpenFile> unpackedMds(OpenFile file, std::string_view compression, std::uint64_t most) {
  if (compression.empty()) return file;
  if (const auto known = compressionBy(compression)) return uncompressed(file, *known, most);
  auto whole = unpacked(file, Packing::Gzip);
  if (whole && whole->size > most)
    return Error{fmt::format("it contains {} bytes, but should contain {}", grouped(whole->size),
                             grouped(most))};
  return whole;
}

}  // namespace millrace
