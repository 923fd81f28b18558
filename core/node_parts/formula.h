// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace millrace::nodes {

/// A formula over named numbers, evaluated by muParser in f64: + - * / ^, comparisons, && || ?:,
/// and its functions (tanh, exp, ln, abs, sign, min, max, ...). For use by one thread.
class Formula {
 public:
  /// The error says what is wrong with the text and where; also for a name that is neither a
  /// variable nor known to muParser. Always fails in a build without the part `muparser`. Any
  /// thread may call it.
  static Result<Formula> make(const std::string& text, const std::vector<std::string>& variables);
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;
  ~Formula();

  /// The indices of the variables that it uses, in increasing order.
  const std::vector<std::size_t>& uses() const;
  /// The value of a variable, to be set before value().
  double& variable(std::size_t index);
  double value() const;

 private:
  struct Parts;
  explicit Formula(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> m_parts;
};

}  // namespace millrace::nodes
