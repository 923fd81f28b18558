// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/spec/node_spec.h"

namespace millrace {

/// A node that runs on a device, as its group is made of it.
struct DeviceNode {
  const NodeSpec* spec = nullptr;
  Values values;
  BuildContext context;
};

/// Whether `next` can be done by the same DeviceOp as all of `group`, which stand in front of it in
/// the chain (CONTRACT §6).
bool joinsOnDevice(const std::vector<DeviceNode>& group, const DeviceNode& next);

/// The operation of a group: of one node, or of several that joined.
Result<std::unique_ptr<DeviceOp>> makeDeviceGroup(const std::vector<DeviceNode>& group);

}  // namespace millrace
