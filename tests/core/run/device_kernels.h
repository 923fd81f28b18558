// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"

namespace millrace::tests {

/// Parameters of one row on the device; an array of these is uploaded with the batch.
struct AddedRow {
  const std::uint8_t* from = nullptr;
  std::uint8_t* to = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t amount = 0;
};

/// Copies rows from `from` to `to` and adds each row's amount `times` times, one launch after
/// another. No row has more than `most` bytes; `rows` is in device memory.
Status launchAdd(Stream& stream, const AddedRow* rows, std::size_t count, std::uint32_t most,
                 std::uint32_t times);

}  // namespace millrace::tests
