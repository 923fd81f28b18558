// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "app/capi/batch_handle.h"
#include "core/base/result.h"

namespace millrace::capi {

/// A field of a batch, or one row of it, as a tensor that keeps the batch alive; row -1: the whole
/// field. The error lists the possible fields or rows.
Result<DLManagedTensor*> makeTensor(const BatchHandle& batch, std::size_t field, std::int64_t row);

}  // namespace millrace::capi
