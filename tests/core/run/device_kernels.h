// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"

namespace millrace::tests {

/// What a row needs on the device; a block of these is uploaded with the batch.
struct AddedRow {
  const std::uint8_t* from = nullptr;
  std::uint8_t* to = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t amount = 0;
};

/// Adds each row's amount on the way from `from` to `to`, `times` times one behind the other. No
/// row has more than `most` bytes; `rows` lie on the device.
Status launchAdd(Stream& stream, const AddedRow* rows, std::size_t count, std::uint32_t most,
                 std::uint32_t times);

}  // namespace millrace::tests
