// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/class_list_fields.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/field_text.h"

namespace millrace::nodes {

namespace {

/// Without the type where the source finds the same again: it also knows the layout.
std::string entryOf(const ExampleField& field) {
  const bool named = roleNamed(field.spec.name).value_or(Role::Features) == field.spec.role;
  return named ? field.spec.name + "=" + field.key : textOf(field);
}

}  // namespace

void ClassListDetector::add(std::span<const std::int64_t> numbers) {
  if (m_lists++ == 0) m_count = numbers.size();
  m_same = m_same && numbers.size() == m_count;
  m_binary =
      m_binary && std::ranges::all_of(numbers, [](std::int64_t n) { return n == 0 || n == 1; });
}

bool suitClassLists(const std::vector<FieldSpec>& fields) {
  return std::ranges::any_of(fields, [](const FieldSpec& f) { return isPicture(f.role); });
}

ClassLists classListsIn(std::string param, const std::string& key,
                        const std::vector<ExampleField>& fields) {
  ClassLists lists{key, std::move(param), {}};
  for (const ExampleField& field : fields)
    if (field.spec.role != Role::Label && field.key != key) lists.entries.push_back(entryOf(field));
  lists.entries.push_back(fmt::format("label={}:?", key));
  return lists;
}

std::string noteOf(const ClassLists& lists) {
  return fmt::format(
      "`{}` looks like several classes a sample: to read them, add `{}` to `{}`, and a node "
      "one_hot with the number of classes after it",
      validUtf8(lists.key), validUtf8(lists.entries.back()), lists.param);
}

}  // namespace millrace::nodes
