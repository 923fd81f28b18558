// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/zstd_file.h"

#include <zstd.h>

#include <memory>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/temporary_file.h"

namespace millrace {

namespace {

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

/// Unpacks one piece that was read; `open` says whether a frame goes on behind it.
Status unpackPiece(ZSTD_DStream* stream, ZSTD_inBuffer& in, std::vector<std::byte>& out,
                   std::uint64_t most, OpenFile& to, bool& open) {
  bool full = false;
  while (in.pos < in.size || full) {
    ZSTD_outBuffer made{out.data(), out.size(), 0};
    const std::size_t left = ZSTD_decompressStream(stream, &made, &in);
    if (ZSTD_isError(left) != 0U) return Error{ZSTD_getErrorName(left)};
    open = left != 0;
    full = made.pos == made.size && open;
    if (made.pos > most - to.size)
      return Error{fmt::format("it is longer than the {} bytes that it should be", grouped(most))};
    MILLRACE_TRY(appendUnpacked(to.fd.get(), std::span(out).first(made.pos)));
    to.size += made.pos;
  }
  return {};
}

}  // namespace

Result<OpenFile> unpackedZstd(const OpenFile& file, std::uint64_t most) {
  auto fd = temporaryFile();
  if (!fd) return fd.error();
  OpenFile to{fd.take(), 0};
  const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
  if (stream == nullptr) return Error{"there is no memory to unpack it"};
  std::vector<std::byte> piece(ZSTD_DStreamInSize());
  std::vector<std::byte> out(ZSTD_DStreamOutSize());
  std::uint64_t at = 0;
  bool open = true;
  for (;;) {
    const auto got = readAt(file.fd.get(), at, piece.data(), piece.size());
    if (!got) return got.error();
    if (*got == 0) break;
    ZSTD_inBuffer in{piece.data(), *got, 0};
    if (Status done = unpackPiece(stream.get(), in, out, most, to, open); !done)
      return Error{fmt::format("the packed content is damaged before byte {}: {}",
                               grouped(at + in.pos), done.error().message)};
    at += *got;
  }
  if (open) return Error{fmt::format("the packed content is cut short at byte {}", grouped(at))};
  return to;
}

}  // namespace millrace
