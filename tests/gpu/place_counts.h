// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/cuda/launch.h"

namespace millrace::tests {

/// Increments the count of every place of `extent`, x fastest, in `counts` on the device.
Status countPlaces(Stream& stream, Extent extent, std::uint32_t* counts);

}  // namespace millrace::tests
