// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/run/device_kernels.h"

#include "core/cuda/launch.h"
#include "core/kernels/host_device.h"

namespace millrace::tests {

namespace {

struct AddTo {
  const AddedRow* rows;
  std::uint32_t times;
  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t row, std::uint32_t) const {
    const AddedRow& params = rows[row];
    if (x >= params.bytes) return;
    for (std::uint32_t t = 0; t < times; ++t)
      params.to[t * params.bytes + x] = static_cast<std::uint8_t>(params.from[x] + params.amount);
  }
};

}  // namespace

Status launchAdd(Stream& stream, const AddedRow* rows, std::size_t count, std::uint32_t most,
                 std::uint32_t times) {
  return forEach(stream, "add", {most, static_cast<std::uint32_t>(count)}, AddTo{rows, times});
}

}  // namespace millrace::tests
