// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/compressed_file.h"

#include <brotli/decode.h>
#include <bzlib.h>
#include <snappy-c.h>
#include <zstd.h>

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/io/temporary_file.h"

namespace millrace {

namespace {

constexpr std::size_t kCompressedPiece = std::size_t{1} << 17U;

/// Decompresses a stream once, piece by piece.
class Decoder {
 public:
  struct Step {
    std::size_t taken = 0;
    std::size_t made = 0;
    bool open = true;  ///< the stream is not complete
  };
  Decoder() = default;
  virtual ~Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual Result<Step> step(std::span<const std::byte> in, std::span<std::byte> out) = 0;
};

class ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder() : m_stream(ZSTD_createDStream()) {}
  ~ZstdDecoder() override { ZSTD_freeDStream(m_stream); }

  Result<Step> step(std::span<const std::byte> in, std::span<std::byte> out) override {
    if (m_stream == nullptr) return Error{"there is not enough memory to decompress it"};
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t left = ZSTD_decompressStream(m_stream, &to, &from);
    if (ZSTD_isError(left) != 0U) return Error{ZSTD_getErrorName(left)};
    return Step{from.pos, to.pos, left != 0};
  }

 private:
  ZSTD_DStream* m_stream;
};

class Bzip2Decoder final : public Decoder {
 public:
  ~Bzip2Decoder() override {
    if (m_begun) BZ2_bzDecompressEnd(&m_stream);
  }

  Result<Step> step(std::span<const std::byte> in, std::span<std::byte> out) override {
    if (!m_begun && BZ2_bzDecompressInit(&m_stream, 0, 0) != BZ_OK)
      return Error{"there is not enough memory to decompress it"};
    m_begun = true;
    // The library does not write to its input.
    m_stream.next_in = reinterpret_cast<char*>(const_cast<std::byte*>(in.data()));
    m_stream.avail_in = static_cast<unsigned>(in.size());
    m_stream.next_out = reinterpret_cast<char*>(out.data());
    m_stream.avail_out = static_cast<unsigned>(out.size());
    const int code = BZ2_bzDecompress(&m_stream);
    const Step done{in.size() - m_stream.avail_in, out.size() - m_stream.avail_out,
                    code != BZ_STREAM_END};
    if (code == BZ_OK) return done;
    BZ2_bzDecompressEnd(&m_stream);
    m_begun = false;
    if (code == BZ_STREAM_END) return done;  // Another stream may follow.
    return Error{code == BZ_DATA_ERROR_MAGIC ? "no bzip2 stream starts there"
                                             : "its bzip2 stream is damaged"};
  }

 private:
  bz_stream m_stream{};
  bool m_begun = false;
};

class BrotliDecoder final : public Decoder {
 public:
  BrotliDecoder() : m_state(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}
  ~BrotliDecoder() override { BrotliDecoderDestroyInstance(m_state); }

  Result<Step> step(std::span<const std::byte> in, std::span<std::byte> out) override {
    if (m_state == nullptr) return Error{"there is not enough memory to decompress it"};
    if (BrotliDecoderIsFinished(m_state) != 0) return Error{"there are bytes after its end"};
    std::size_t left = in.size();
    const auto* from = reinterpret_cast<const std::uint8_t*>(in.data());
    std::size_t room = out.size();
    auto* to = reinterpret_cast<std::uint8_t*>(out.data());
    const BrotliDecoderResult code =
        BrotliDecoderDecompressStream(m_state, &left, &from, &room, &to, nullptr);
    if (code == BROTLI_DECODER_RESULT_ERROR)
      return Error{BrotliDecoderErrorString(BrotliDecoderGetErrorCode(m_state))};
    return Step{in.size() - left, out.size() - room, code != BROTLI_DECODER_RESULT_SUCCESS};
  }

 private:
  BrotliDecoderState* m_state;
};

/// Decodes one piece of input. On an error, `at` is the position that was reached.
Status decodePiece(Decoder& decoder, std::span<const std::byte> in, std::vector<std::byte>& out,
                   std::uint64_t most, OpenFile& to, std::uint64_t& at, bool& open) {
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

Result<OpenFile> decoded(const OpenFile& file, Decoder& decoder, std::uint64_t most) {
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
    if (Status done = decodePiece(decoder, std::span(piece).first(got), out, most, to, at, open);
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
  std::size_t length = 0;
  if (snappy_uncompressed_length(packed.data(), got, &length) != SNAPPY_OK)
    return Error{"the compressed content is damaged: it does not start with its length"};
  if (length > std::min(most, kMostSnappy))
    return Error{fmt::format("the compressed content is longer than the expected {} bytes",
                             grouped(std::min(most, kMostSnappy)))};
  std::vector<char> whole(length);
  if (snappy_uncompress(packed.data(), got, whole.data(), &length) != SNAPPY_OK)
    return Error{"the compressed content is damaged or truncated"};
  MILLRACE_ASSIGN_OR_RETURN(auto fd, temporaryFile());
  OpenFile to{std::move(fd), length};
  MILLRACE_TRY(appendUnpacked(to.fd.get(), std::as_bytes(std::span(whole).first(length))));
  return to;
}

}  // namespace

Result<OpenFile> uncompressed(const OpenFile& file, Compression compression, std::uint64_t most) {
  switch (compression) {
    case Compression::Bzip2: {
      Bzip2Decoder decoder;
      return decoded(file, decoder, most);
    }
    case Compression::Brotli: {
      BrotliDecoder decoder;
      return decoded(file, decoder, most);
    }
    case Compression::Snappy: return unpackedSnappy(file, most);
    case Compression::Zstd: break;
  }
  ZstdDecoder decoder;
  return decoded(file, decoder, most);
}

}  // namespace millrace
