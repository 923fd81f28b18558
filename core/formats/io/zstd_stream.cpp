// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include "core/formats/io/stream_decoder.h"

namespace millrace {

namespace {

class ZstdDecoder final : public StreamDecoder {
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

}  // namespace

Result<std::unique_ptr<StreamDecoder>> zstdDecoder() {
  return std::unique_ptr<StreamDecoder>(std::make_unique<ZstdDecoder>());
}

}  // namespace millrace
