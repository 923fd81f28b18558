// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/spec/node_spec.h"

namespace millrace {

/// A node on a device, with what is needed to create its group's operation.
struct DeviceNode {
  const NodeSpec* spec = nullptr;
  Values values;
  BuildContext context;
};

/// Whether one DeviceOp can execute `next` together with all of `group`, which precedes it in the
/// chain (docs/reference/regions-and-queues.md).
bool joinsOnDevice(const std::vector<DeviceNode>& group, const DeviceNode& next);

/// Creates the operation of a group of one node, or of several that joined.
Result<std::unique_ptr<DeviceOp>> makeDeviceGroup(const std::vector<DeviceNode>& group);

}  // namespace millrace
