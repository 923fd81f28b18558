// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/mds_packing.h"

#include <array>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/unpacked_file.h"
#include "core/formats/zstd_file.h"

namespace millrace {

std::string_view mdsCompressionOf(std::string_view name) {
  constexpr std::array<std::string_view, 5> kEnds = {"zstd", "gz", "br", "bz2", "snappy"};
  for (const std::string_view end : kEnds)
    if (name.size() > end.size() && name.ends_with(end) &&
        name[name.size() - end.size() - 1] == '.')
      return end;
  return {};
}

Status checkMdsCompression(std::string_view compression) {
  if (compression.empty() || compression == "zstd" || compression == "gz") return {};
  return Error{
      fmt::format("it is compressed with {}, and zstd and gz alone are read: unpack the shards "
                  "beside it, or write them with compression=\"zstd\"",
                  validUtf8(compression))};
}

Result<OpenFile> unpackedMds(OpenFile file, std::string_view compression, std::uint64_t most) {
  if (compression.empty()) return file;
  if (compression == "zstd") return unpackedZstd(file, most);
  auto whole = unpacked(file, Packing::Gzip);
  if (whole && whole->size > most)
    return Error{
        fmt::format("it holds {} bytes, and should {}", grouped(whole->size), grouped(most))};
  return whole;
}

}  // namespace millrace
