// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/formats/tfrecord/example_fields.h"
#include "core/spec/class_lists.h"

namespace millrace::nodes {

/// Tells from a few values whether a field that is named like a label holds a list of classes.
class ClassListDetector {
 public:
  void add(std::span<const std::int64_t> numbers);
  /// A value without a list.
  void addOther() { ++m_others; }
  /// Most values are lists of classes, whose number differs from sample to sample.
  bool isList() const { return m_lists > m_others && !(m_same && m_binary && m_count > 1); }
  /// Every value is a vector with a 0 or 1 for each class.
  bool isVector() const {
    return m_lists > 0 && m_others == 0 && m_same && m_binary && m_count > 1;
  }
  std::size_t count() const { return m_count; }  ///< numbers of the first value

 private:
  std::size_t m_lists = 0;
  std::size_t m_others = 0;
  std::size_t m_count = 0;
  bool m_same = true;
  bool m_binary = true;
};

/// Whether lists of numbers next to these `fields` are likely to be classes: without pictures, they
/// are also the words of a text.
bool suitClassLists(const std::vector<FieldSpec>& fields);
/// The lists in `key`, next to the `fields` that are read without them. A field that is the label
/// now, or has the same key, is replaced.
ClassLists classListsIn(std::string param, const std::string& key,
                        const std::vector<ExampleField>& fields);
/// What the user can do, as a note of the source.
std::string noteOf(const ClassLists& lists);

}  // namespace millrace::nodes
