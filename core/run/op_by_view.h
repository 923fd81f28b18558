// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "core/base/result.h"
#include "core/spec/node_spec.h"
#include "core/spec/sample_op.h"

namespace millrace {

/// Makes the operation of a node with these values. `view`: of the fields that it acts on
/// (FieldSpec::view).
using MakeOp = std::function<Result<std::unique_ptr<SampleOp>>(const Values& values, int view)>;

/// The operation of a node of the Image or Sample role. If it acts on views of a picture, it is one
/// operation for each of them, which draw separately.
Result<std::unique_ptr<SampleOp>> makeOpByView(const NodeSpec& spec, const Values& values,
                                               const BuildContext& context, const MakeOp& make);

}  // namespace millrace
