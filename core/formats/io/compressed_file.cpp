// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/compressed_file.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/base/parts.h"
#include "core/base/text/text.h"
#include "core/formats/io/stream_decoder.h"
#include "core/formats/io/temporary_file.h"

namespace millrace {

namespace {

constexpr std::size_t kCompressedPiece = std::size_t{1} << 17U;

/// Decodes one piece of input. On an error, `at` is the position that was reached.
Status decodePiece(StreamDecoder& decoder, std::span<const std::byte> in,
                   std::vector<std::byte>& out, std::uint64_t most, OpenFile& to, std::uint64_t& at,
                   bool& open) {
  bool full = false;
  while (!in.empty() || full) {
    MILLRACE_ASSIGN_OR_RETURN(const auto step, decoder.step(in, out));
    in = in.subspan(step.taken);
    at += step.taken;
    open = step.open;
    full = step.made == out.size() && open;
    if (step.taken == 0 && step.made == 0 && !in.empty()) return Error{"decoding made no progress"};
    if (step.made > most - to.size)
      return Error{fmt::format("it is longer than the expected {} bytes", grouped(most))};
    MILLRACE_TRY(appendUnpacked(to.fd.get(), std::span(out).first(step.made)));
    to.size += step.made;
  }
  return {};
}

Result<OpenFile> decoded(const OpenFile& file, Result<std::unique_ptr<StreamDecoder>> made,
                         std::uint64_t most) {
  MILLRACE_ASSIGN_OR_RETURN(const auto decoder, std::move(made));
  MILLRACE_ASSIGN_OR_RETURN(auto fd, temporaryFile());
  OpenFile to{std::move(fd), 0};
  std::vector<std::byte> piece(kCompressedPiece);
  std::vector<std::byte> out(kCompressedPiece);
  std::uint64_t at = 0;
  bool open = true;
  for (;;) {
    MILLRACE_ASSIGN_OR_RETURN(const auto got,
                              readAt(file.fd.get(), at, piece.data(), piece.size()));
    if (got == 0) break;
    if (Status done = decodePiece(*decoder, std::span(piece).first(got), out, most, to, at, open);
        !done)
      return Error{fmt::format("the compressed content is damaged before byte {}: {}", grouped(at),
                               done.error().message)};
  }
  if (open)
    return Error{fmt::format("the compressed content is truncated at byte {}", grouped(at))};
  return to;
}

Result<OpenFile> unpackedSnappy(const OpenFile& file, std::uint64_t most) {
  constexpr std::uint64_t kMostSnappy = std::uint64_t{1} << 30U;
  if (file.size > kMostSnappy)
    return Error{
        fmt::format("{} bytes of Snappy are more than the {} that can be decompressed at once",
                    grouped(file.size), grouped(kMostSnappy))};
  std::vector<char> packed(file.size);
  MILLRACE_ASSIGN_OR_RETURN(
      const auto got,
      readAt(file.fd.get(), 0, reinterpret_cast<std::byte*>(packed.data()), packed.size()));
  MILLRACE_ASSIGN_OR_RETURN(const auto whole,
                            decodedSnappy({packed.data(), got}, std::min(most, kMostSnappy)));
  MILLRACE_ASSIGN_OR_RETURN(auto fd, temporaryFile());
  OpenFile to{std::move(fd), whole.size()};
  MILLRACE_TRY(appendUnpacked(to.fd.get(), std::as_bytes(std::span(whole).first(to.size))));
  return to;
}

}  // namespace

Status checkCompression(Compression compression) {
  switch (compression) {
    case Compression::Zstd: return checkPart("zstd");
    case Compression::Bzip2: return checkPart("bzip2");
    case Compression::Brotli: return checkPart("brotli");
    case Compression::Snappy: break;
  }
  return checkPart("snappy");
}

Result<OpenFile> uncompressed(const OpenFile& file, Compression compression, std::uint64_t most) {
  switch (compression) {
    case Compression::Zstd: return decoded(file, zstdDecoder(), most);
    case Compression::Bzip2: return decoded(file, bzip2Decoder(), most);
    case Compression::Brotli: return decoded(file, brotliDecoder(), most);
    case Compression::Snappy: break;
  }
  return unpackedSnappy(file, most);
}

}  // namespace millrace
