// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/check.h"
#include "core/base/result.h"
#include "core/data/dtype.h"
#include "core/kernels/element.h"

namespace millrace {

/// Calls `launch` with the element type for values between layers: F32, F16 or BF16.
template <class Launch>
Status withValueElement(DType dtype, const Launch& launch) {
  switch (dtype) {
    case DType::F32: return launch(F32Element{});
    case DType::F16: return launch(F16Element{});
    case DType::BF16: return launch(BF16Element{});
    default: MILLRACE_CHECK(false, "values between layers must be f32, f16 or bf16");
  }
}

}  // namespace millrace
