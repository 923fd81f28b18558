// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/node_spec.h"

namespace millrace::tests {

/// `tint`, `broken` and `stamp` with a side on an emulated device that does what the other does;
/// other kinds as they are.
NodeSpec withDeviceSide(NodeSpec spec);

/// `twice`: replaces the first field, which has no fixed size, by its bytes twice; on either side.
NodeSpec twiceKind();

}  // namespace millrace::tests
