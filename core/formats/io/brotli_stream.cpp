// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <brotli/decode.h>

#include "core/formats/io/stream_decoder.h"

namespace millrace {

namespace {

class BrotliDecoder final : public StreamDecoder {
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

}  // namespace

Result<std::unique_ptr<StreamDecoder>> brotliDecoder() {
  return std::unique_ptr<StreamDecoder>(std::make_unique<BrotliDecoder>());
}

}  // namespace millrace
