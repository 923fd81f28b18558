// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace millrace::nodes {

/// A formula that Formula::make took, as a Python expression over tensors of f64: the fields of
/// `sample`, which `real` reads, in the functions of torch ("pytorch") or TensorFlow ("tfdata").
/// The grammar is muParser's (its manual, "Built-in functions" and "Built-in binary operators").
/// Nothing where it has no such form: functions that are not known here, and numbers alone where
/// the target wants a tensor.
std::optional<std::string> formulaText(std::string_view formula, std::string_view target);

}  // namespace millrace::nodes
