// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/stream_type.h"

namespace millrace {

/// The class that a real number is: a whole number from 0. Frameworks store classes as reals, too.
std::optional<std::int64_t> classIn(double number);

/// The number of a text such as `0.5` or `37`; `comma`: also `0,5`.
std::optional<double> realNumberIn(std::string_view text, bool comma = false);

/// What labels of one number a sample are, in every format: class numbers, or quantities such as
/// an age, a price or an angle. Reals are quantities if one of those examined is not a class.
class RealLabels {
 public:
  /// NaN is a missing label, and says nothing about the others.
  void add(double number);
  /// A negative integer says nothing either: it may be the number of no class.
  void add(std::string_view text);
  bool areQuantities() const { return m_quantities; }
  bool areClasses() const { return m_classes && !m_quantities; }

 private:
  bool m_classes = false;
  bool m_quantities = false;
};

/// The field of a label that is a quantity. It has no classes, so its role is not that of a label.
FieldSpec quantityField(DType type, std::string name = "label");
bool isQuantity(const FieldSpec& field);
/// Training code takes the last field as the target if there is neither a label nor a picture.
template <class Field>
void putQuantityLast(std::vector<Field>& fields) {
  std::ranges::stable_partition(fields, [](const Field& field) { return !isQuantity(field.spec); });
}

}  // namespace millrace
