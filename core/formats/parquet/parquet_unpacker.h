// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/formats/parquet/parquet_footer.h"

struct inflate_state;

namespace millrace {

/// Fails if this build lacks the part that decompresses it (core/base/parts.h).
Status checkParquetCodec(ParquetCodec codec);

/// Decompresses pages. One thread.
class ParquetUnpacker {
 public:
  ParquetUnpacker();
  ~ParquetUnpacker();
  ParquetUnpacker(const ParquetUnpacker&) = delete;
  ParquetUnpacker& operator=(const ParquetUnpacker&) = delete;

  /// `bytes`: what the page's header says that it has when decompressed; another size is an error.
  /// Memory is only taken for sizes that the packed bytes can have, or while they are decompressed.
  Result<Buffer> unpack(ParquetCodec codec, std::span<const std::byte> packed, std::size_t bytes);

 private:
  Status inflate(std::span<const std::byte> packed, std::span<std::byte> to);
  static Status unpackLz4(std::span<const std::byte> packed, std::span<std::byte> to);
  static Result<Buffer> unpackStream(ParquetCodec codec, std::span<const std::byte> packed,
                                     std::size_t bytes);

  std::unique_ptr<inflate_state> m_state;
};

}  // namespace millrace
