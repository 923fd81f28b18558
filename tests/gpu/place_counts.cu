// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/place_counts.h"

#include "core/kernels/host_device.h"

namespace millrace::tests {

namespace {

struct CountPlace {
  std::uint32_t* counts;
  Extent extent;
  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    ++counts[(std::uint64_t{z} * extent.y + y) * extent.x + x];
  }
};

}  // namespace

Status countPlaces(Stream& stream, Extent extent, std::uint32_t* counts) {
  return forEach(stream, "countPlaces", extent, CountPlace{counts, extent});
}

}  // namespace millrace::tests
