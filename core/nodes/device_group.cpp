// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/nodes/device_group.h"

#include "core/base/check.h"

namespace millrace {

bool joinsOnDevice(const std::vector<DeviceNode>&, const DeviceNode&) { return false; }

Result<std::unique_ptr<DeviceOp>> makeDeviceGroup(const std::vector<DeviceNode>& group) {
  MILLRACE_CHECK(group.size() == 1, "only what joins stands in one group");
  const DeviceNode& node = group.front();
  auto op = node.spec->deviceOp(node.values, node.context);
  if (!op) return Error{node.context.node + ": " + op.error().message};
  return op;
}

}  // namespace millrace
