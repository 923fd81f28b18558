// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/parquet_fields.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/data/field_text.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/array_fields.h"
#include "core/node_parts/fields/label_text.h"

namespace millrace::nodes {

namespace {

bool isByteArray(const ParquetColumn& column) { return column.type == ParquetType::ByteArray; }

std::string nameForParquet(const ParquetColumn& column) {
  const std::size_t begin = column.name.find_first_not_of('_');
  return fieldNameOf(begin == std::string::npos ? column.name : column.name.substr(begin),
                     "column_");
}

bool namesMask(std::string_view name) {
  return name.find("mask") != std::string_view::npos || name.starts_with("seg") ||
         name.find("annot") != std::string_view::npos;
}

/// Bytes as numbers of a type that the user has given.
Status putBytes(const FieldSpec& spec, std::span<const std::byte> bytes, Sample& sample,
                std::size_t place) {
  const std::size_t width = sizeOf(spec.dtype);
  const auto shape = fitted(spec.shape, bytes.size() / width);
  if (!shape || bytes.size() % width != 0)
    return Error{fmt::format("{} bytes are not {} {}", grouped(bytes.size()), spec.shape.text(),
                             nameOf(spec.dtype))};
  // Byte strings may begin anywhere.
  const TensorView to = sample.replace(place, spec.dtype, *shape, spec.layout);
  if (!bytes.empty()) std::memcpy(to.data, bytes.data(), bytes.size());
  return {};
}

/// Whether unsigned numbers, which are stored with all 64 bits, are the same with a sign.
bool fitsSigned(const ParquetColumn& column, std::span<const std::byte> numbers) {
  if (!column.isUnsigned || column.type != ParquetType::Int64) return true;
  for (std::size_t i = 0; i + 8 <= numbers.size(); i += 8)
    if (littleEndian<std::int64_t>(numbers.data() + i) < 0) return false;
  return true;
}

void putLabel(std::int64_t label, Sample& sample, std::size_t place) {
  *sample.replace(place, DType::I64, {}, Layout::Plain).as<std::int64_t>() = label;
}

Status putCell(const ParquetColumn& column, const FieldSpec& spec, const ParquetCell& cell,
               const TextClasses& classes, Sample& sample, std::size_t place) {
  if (cell.null) return Error{"it is null"};
  if (cell.nullWithin) return Error{"its list has a null"};
  auto* data = const_cast<std::byte*>(cell.bytes.data());
  if (spec.dtype == DType::Encoded) {
    const Shape shape{static_cast<std::int64_t>(cell.bytes.size())};
    sample.borrow(place, {DType::Encoded, spec.layout, shape, data, cell.bytes.size()});
    return {};
  }
  if (column.isText && isLabelList(spec)) return putLabelText(cell.bytes, spec, sample, place);
  if (hasTextClasses(column, spec)) {
    MILLRACE_ASSIGN_OR_RETURN(const auto label, classes.numberOf(cell.bytes));
    putLabel(label, sample, place);
    return {};
  }
  if (isByteArray(column)) return putBytes(spec, cell.bytes, sample, place);
  if (spec.role == Role::Label && spec.shape.rank() == 0) {
    if (cell.count != 1 || cell.bytes.size() != sizeOf(column.dtype))
      return Error{"it has several numbers, not a class"};
    const auto label = labelAt(cell.bytes.data(), column.dtype);
    if (!label || !fitsSigned(column, cell.bytes)) return Error{"its number is not a class"};
    putLabel(*label, sample, place);
    return {};
  }
  if (!fitsSigned(column, cell.bytes)) return Error{"its number does not fit into i64"};
  const std::size_t count = cell.bytes.size() / sizeOf(column.dtype);
  const auto shape = fitted(spec.shape, count);
  if (!shape)
    return Error{fmt::format("{} are not {}", counted(count, "number"), spec.shape.text())};
  sample.borrow(place, {spec.dtype, spec.layout, *shape, data, cell.bytes.size()});
  return {};
}

/// Adds a list of integers, or a text with one; anything else is another value.
void addClasses(const ParquetColumn& column, const ParquetCell& cell, ClassListDetector& classes) {
  if (isByteArray(column)) {
    const auto numbers = classListIn(cell.bytes);
    return numbers ? classes.add(*numbers) : classes.addOther();
  }
  if (!column.list() || cell.nullWithin || !isInteger(column.dtype)) return classes.addOther();
  const std::size_t width = sizeOf(column.dtype);
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i + width <= cell.bytes.size(); i += width)
    numbers.push_back(integerAt(cell.bytes.data() + i, column.dtype));
  classes.add(numbers);
}

/// Whether the column has one real number a row. Tables often hold classes as such, because a
/// column with nulls had no other type.
bool holdsReals(const ParquetColumn& column) {
  return !column.list() && column.type != ParquetType::FixedBytes && storesLabels(column.dtype) &&
         !isInteger(column.dtype);
}

}  // namespace

bool hasTextClasses(const ParquetColumn& column, const FieldSpec& spec) {
  return isByteArray(column) && column.isText && isClassNumber(spec);
}

Status putParquetCell(const ParquetColumn& column, const FieldSpec& spec, const ParquetCell& cell,
                      const TextClasses& classes, Sample& sample, std::size_t place) {
  Status put = putCell(column, spec, cell, classes, sample, place);
  if (put) return put;
  return Error{fmt::format("column `{}`: {}", validUtf8(column.name), put.error().message)};
}

void ParquetFieldDetector::add(std::size_t c, const ParquetCell& cell) {
  if (cell.null) return;
  Seen& seen = m_seen[c];
  if (isNamedLabel(c)) addClasses(m_columns[c], cell, seen.classes);
  if (isByteArray(m_columns[c]) && usualExtension(cell.bytes) != "bin") ++seen.pictures;
  if (holdsReals(m_columns[c]) && cell.bytes.size() == sizeOf(m_columns[c].dtype))
    seen.numbers.add(realAt(cell.bytes.data(), m_columns[c].dtype));
  if (seen.values++ == 0) {
    seen.bytes = cell.bytes.size();
    seen.count = cell.count;
  }
  seen.sameBytes = seen.sameBytes && seen.bytes == cell.bytes.size();
}

bool ParquetFieldDetector::isPictureColumn(std::size_t c) const {
  return isByteArray(m_columns[c]) && m_seen[c].values > 0 &&
         m_seen[c].pictures == m_seen[c].values;
}

bool ParquetFieldDetector::isLabelColumn(std::size_t c) const {
  const ParquetColumn& column = m_columns[c];
  return !column.list() && column.type != ParquetType::FixedBytes && isNamedLabel(c) &&
         (isInteger(column.dtype) || m_seen[c].numbers.areClasses());
}

bool ParquetFieldDetector::isQuantityColumn(std::size_t c) const {
  return isNamedLabel(c) && m_seen[c].numbers.areQuantities();
}

bool ParquetFieldDetector::isLabelText(std::size_t c) const {
  const Seen& seen = m_seen[c];
  return isByteArray(m_columns[c]) && m_columns[c].isText && isNamedLabel(c) && seen.values > 0 &&
         seen.pictures == 0 && !seen.classes.isList();
}

bool ParquetFieldDetector::isLabelVector(std::size_t c) const {
  const Seen& seen = m_seen[c];
  const bool weights = isFloat(m_columns[c].dtype) && seen.sameBytes && seen.count > 1;
  return m_columns[c].list() && isNamedLabel(c) && (weights || seen.classes.isVector());
}

bool ParquetFieldDetector::isNamedLabel(std::size_t c) const {
  return m_classes[c] || isLabelName(nameForParquet(m_columns[c]));
}

FieldSpec ParquetFieldDetector::specOf(std::size_t c, std::string name, Role role) const {
  const ParquetColumn& column = m_columns[c];
  const Seen& seen = m_seen[c];
  FieldSpec spec{std::move(name), DType::Encoded, {Shape::kUnknown}, Layout::Plain, role};
  const bool sameSize = seen.values > 0 && seen.sameBytes && seen.bytes > 0;
  if (role == Role::Label && !column.list()) {
    spec.dtype = DType::I64;
    spec.shape = {};
  } else if (isByteArray(column)) {
    if (sameSize && seen.pictures == 0 && !column.isText) {
      spec.dtype = DType::U8;
      spec.shape = {static_cast<std::int64_t>(seen.bytes)};
    }
  } else {
    spec.dtype = column.dtype;
    if (column.list())
      spec.shape = {sameSize ? static_cast<std::int64_t>(seen.count) : Shape::kUnknown};
    else if (column.type == ParquetType::FixedBytes && column.dtype == DType::U8)
      spec.shape = {static_cast<std::int64_t>(column.fixedBytes)};
    else
      spec.shape = {};
  }
  return spec;
}

std::vector<ParquetField> ParquetFieldDetector::guess() const {
  std::vector<ParquetField> fields;
  const auto add = [&](std::size_t column, const std::string& wanted, Role role) {
    std::string name = wanted;
    for (int i = 2; std::ranges::any_of(
             fields, [&](const ParquetField& field) { return field.spec.name == name; });
         ++i)
      name = fmt::format("{}_{}", wanted, i);
    fields.push_back({column, specOf(column, name, role)});
  };
  bool image = false;
  bool label = false;
  for (std::size_t c = 0; c < m_columns.size(); ++c) {
    if (!isReadable(c) || !isPictureColumn(c)) continue;
    if (namesMask(nameForParquet(m_columns[c]))) {
      add(c, "mask", Role::Mask);
      continue;
    }
    add(c, image ? "target" : "image", image ? Role::Target : Role::Image);
    image = true;
  }
  const bool pictures = !fields.empty();
  for (std::size_t c = 0; c < m_columns.size() && !label; ++c) {
    label = isReadable(c) && (isLabelColumn(c) || (pictures && isLabelVector(c)));
    if (label) add(c, "label", Role::Label);
    if (isReadable(c) && isQuantityColumn(c)) {
      label = true;
      fields.push_back({c, quantityField(m_columns[c].dtype)});
    }
  }
  for (std::size_t c = 0; c < m_columns.size() && !label; ++c) {
    label = isReadable(c) && isLabelText(c);
    if (label) add(c, "label", Role::Label);
  }
  const std::size_t named = fields.size();
  const auto addAll = [&](const auto& fits) {
    if (pictures || fields.size() > named) return;
    for (std::size_t c = 0; c < m_columns.size(); ++c)
      if (isReadable(c) && !(label && fields.front().column == c) && fits(c))
        add(c, nameForParquet(m_columns[c]), Role::Features);
  };
  addAll([&](std::size_t c) { return specOf(c, "", Role::Features).shape.known(); });
  addAll([&](std::size_t c) { return m_columns[c].list(); });
  addAll([](std::size_t) { return true; });
  putQuantityLast(fields);
  return fields;
}

/// Uses what the data has, unless `asked` is more specific.
Status ParquetFieldDetector::fit(ParquetField& field, FieldSpec asked, bool typed) const {
  const ParquetColumn& column = m_columns[field.column];
  // A list of classes may have integers of any type.
  if (isLabelList(asked) && isInteger(column.dtype)) asked.dtype = column.dtype;
  if (isClassNumber(asked) && m_seen[field.column].numbers.areQuantities()) {
    field.spec = quantityField(column.dtype, asked.name);
    return {};
  }
  const bool label = asked.role == Role::Label && !isLabelList(asked);
  field.spec = specOf(field.column, asked.name, asked.role);
  const bool bytes = isByteArray(column);
  const bool may = label && bytes ? column.isText
                   : label ? (column.list() ? isInteger(column.dtype) : storesLabels(column.dtype))
                   : bytes ? true
                           : !typed || isPicture(asked.role) || asked.dtype == column.dtype;
  if (!may || (!bytes && isPicture(asked.role) && (!typed || asked.dtype == DType::Encoded)))
    return Error{fmt::format("column `{}` holds {}, not {}", validUtf8(column.name), column.kind,
                             label                             ? "classes"
                             : typed && !isPicture(asked.role) ? nameOf(asked.dtype)
                                                               : "picture files")};
  if (!label && typed && asked.dtype != field.spec.dtype && !bytes)
    return Error{fmt::format("column `{}` holds {}, not {}", validUtf8(column.name), column.kind,
                             nameOf(asked.dtype))};
  if (!label && typed) field.spec = asked;
  return {};
}

Result<std::vector<ParquetField>> ParquetFieldDetector::chosen(
    const std::vector<std::string>& entries) const {
  MILLRACE_ASSIGN_OR_RETURN(const auto keys, parseExampleKeys(entries));
  std::vector<ParquetField> fields;
  for (const ExampleField& key : keys) {
    const auto at = std::ranges::find(m_columns, key.key, &ParquetColumn::name);
    if (at == m_columns.end())
      return Error{fmt::format("there is no column `{}`; there are {}", validUtf8(key.key),
                               join(leftOut({}), ", "))};
    if (!at->whyNot.empty())
      return Error{fmt::format("column `{}` cannot be read: {}", validUtf8(at->name), at->whyNot)};
    ParquetField field{static_cast<std::size_t>(at - m_columns.begin()), {}};
    MILLRACE_TRY(fit(field, key.spec, key.typed));
    fields.push_back(std::move(field));
  }
  return fields;
}

std::ptrdiff_t ParquetFieldDetector::listOfClasses(const std::vector<ParquetField>& fields) const {
  if (std::ranges::any_of(fields, [](const ParquetField& f) { return f.spec.role == Role::Label; }))
    return -1;
  for (std::size_t c = 0; c < m_columns.size(); ++c)
    if (isReadable(c) && m_seen[c].classes.isList()) return static_cast<std::ptrdiff_t>(c);
  return -1;
}

std::vector<std::string> ParquetFieldDetector::leftOut(const std::vector<ParquetField>& fields,
                                                       std::string_view names) const {
  constexpr std::size_t kMostNamed = 20;
  std::vector<std::string> texts;
  std::size_t more = 0;
  for (std::size_t c = 0; c < m_columns.size(); ++c) {
    if (std::ranges::any_of(fields, [&](const ParquetField& f) { return f.column == c; })) continue;
    const ParquetColumn& column = m_columns[c];
    if (column.name == names) continue;
    if (texts.size() == kMostNamed)
      ++more;
    else
      texts.push_back(fmt::format("{} ({})", validUtf8(column.name),
                                  column.whyNot.empty() ? column.kind : column.whyNot));
  }
  if (more > 0) texts.push_back(fmt::format("{} more", grouped(more)));
  return texts;
}

}  // namespace millrace::nodes
