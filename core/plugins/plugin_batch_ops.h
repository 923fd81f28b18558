// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/plugins/plugin_instance.h"
#include "core/spec/node_spec.h"

namespace millrace {

/// NodeSpec::batchOp of a plug-in's kind.
Result<std::unique_ptr<BatchOp>> makePluginBatchOp(PluginInstances& instances, const Values& values,
                                                   const BuildContext& context);

/// NodeSpec::deviceOp of a plug-in's kind.
Result<std::unique_ptr<DeviceOp>> makePluginDeviceOp(PluginInstances& instances,
                                                     const Values& values,
                                                     const BuildContext& context);

}  // namespace millrace
