// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/train/network.h"

namespace millrace::tests {

/// The loss of a network on a batch, in simple code and f64: the reference for the kernels.
/// `pictures`: rows x height x width x channels.
double plainLoss(const Network& network, const std::vector<double>& parameters,
                 const std::vector<double>& pictures, const std::vector<std::int64_t>& labels);

}  // namespace millrace::tests
