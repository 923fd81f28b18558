// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace millrace::nodes {

/// Converts a formula that Formula::make() accepts to a Python expression over f64 tensors: `real`
/// reads the fields of `sample`, and functions are those of torch ("pytorch"), TensorFlow
/// ("tfdata") or NumPy ("numpy"). The grammar is muParser's (its manual, "Built-in functions" and
/// "Built-in binary operators"). nullopt if it cannot be converted: unknown functions, or a
/// constant where the target needs a tensor.
std::optional<std::string> formulaText(std::string_view formula, std::string_view name);

}  // namespace millrace::nodes
