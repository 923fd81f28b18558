// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/plugins/plugin_instance.h"
#include "core/spec/node_spec.h"

namespace millrace {

/// NodeSpec::sample of a plug-in's kind.
Result<std::unique_ptr<SampleOp>> makePluginSampleOp(PluginInstances& instances,
                                                     const Values& values,
                                                     const BuildContext& context);

}  // namespace millrace
