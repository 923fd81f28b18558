// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <bzlib.h>

#include "core/formats/io/stream_decoder.h"

namespace millrace {

namespace {

class Bzip2Decoder final : public StreamDecoder {
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

}  // namespace

Result<std::unique_ptr<StreamDecoder>> bzip2Decoder() {
  return std::unique_ptr<StreamDecoder>(std::make_unique<Bzip2Decoder>());
}

}  // namespace millrace
