// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/graph/node_choice.h"
#include "core/spec/sample_op.h"

namespace millrace {

/// `op` for the samples that `choice` applies it to; the others stay unchanged. `view`: of the
/// fields that it acts on (FieldSpec::view).
std::unique_ptr<SampleOp> makeChosenOp(std::unique_ptr<SampleOp> op, const NodeChoice& choice,
                                       int view);

}  // namespace millrace
