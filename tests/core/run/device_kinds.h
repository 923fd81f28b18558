// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/node_spec.h"

namespace millrace::tests {

/// Adds to `tint`, `broken` and `stamp` an implementation for an emulated device that does the same
/// as on the CPU; returns other kinds unchanged.
NodeSpec withDeviceSide(NodeSpec spec);

/// `twice`: replaces the first field, whose size varies, by its bytes twice; on the CPU or a
/// device.
NodeSpec twiceKind();

}  // namespace millrace::tests
