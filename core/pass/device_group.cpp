// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/device_group.h"

#include "core/base/check.h"
#include "core/pass/device_pass_op.h"

namespace millrace {

namespace {

Result<std::unique_ptr<DeviceOp>> makeOne(const DeviceNode& node) {
  auto op = node.spec->deviceOp(node.values, node.context);
  if (!op) return Error{node.context.node + ": " + op.error().message};
  return op;
}

/// The joint pixel pass of all nodes; nullptr if they are not steps of one.
Result<std::unique_ptr<DevicePassOp>> passOf(const std::vector<DeviceNode>& group) {
  std::unique_ptr<DevicePassOp> joined;
  for (const DeviceNode& node : group) {
    MILLRACE_ASSIGN_OR_RETURN(auto op, makeOne(node));
    const auto* const pass = dynamic_cast<const DevicePassOp*>(op.get());
    if (pass == nullptr) return std::unique_ptr<DevicePassOp>();
    const DevicePassStep& next = pass->steps().front();
    if (joined && !joined->takes(next)) return std::unique_ptr<DevicePassOp>();
    std::vector<DevicePassStep> steps;
    if (joined) steps = joined->steps();
    steps.push_back(next);
    joined = std::make_unique<DevicePassOp>(std::move(steps),
                                            joined ? joined->inFields() : pass->inFields());
  }
  return joined;
}

}  // namespace

bool joinsOnDevice(const std::vector<DeviceNode>& group, const DeviceNode& next) {
  std::vector<DeviceNode> all = group;
  all.push_back(next);
  const auto pass = passOf(all);
  return pass.ok() && *pass != nullptr;
}

Result<std::unique_ptr<DeviceOp>> makeDeviceGroup(const std::vector<DeviceNode>& group) {
  if (group.size() == 1) return makeOne(group.front());
  MILLRACE_ASSIGN_OR_RETURN(auto pass, passOf(group));
  MILLRACE_CHECK(pass != nullptr, "only nodes that join can be in one group");
  return std::unique_ptr<DeviceOp>(std::move(pass));
}

}  // namespace millrace
