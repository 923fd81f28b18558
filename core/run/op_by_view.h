// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/spec/node_spec.h"
#include "core/spec/sample_op.h"

namespace millrace {

/// The operation of a node of the Sample role. If it acts on views of a picture (FieldSpec::view),
/// it is one operation for each of them, which draw separately.
Result<std::unique_ptr<SampleOp>> makeOpByView(const NodeSpec& spec, const Values& values,
                                               const BuildContext& context);

}  // namespace millrace
