// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/mds_fields.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/data/field_text.h"
#include "core/formats/dataset_writer.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/array_fields.h"
#include "core/node_parts/fields/label_text.h"

namespace millrace::nodes {

namespace {

using Kind = MdsColumn::Kind;

std::string nameFor(std::string_view column) {
  const std::size_t begin = column.find_first_not_of('_');
  return fieldNameOf(begin == std::string_view::npos ? column : column.substr(begin), "column_");
}

bool mentionsMask(std::string_view name) {
  return name.find("mask") != std::string_view::npos || name.find("seg") == 0 ||
         name.find("annot") != std::string_view::npos;
}

/// Whether a value of shape `found` matches `wanted`.
bool fits(const Shape& wanted, const Shape& found) {
  bool same = wanted.rank() == found.rank();
  for (std::size_t i = 0; same && i < wanted.rank(); ++i)
    same = wanted[i] == Shape::kUnknown || wanted[i] == found[i];
  return same;
}

TensorView borrowed(const FieldSpec& spec, const Shape& shape, std::span<const std::byte> bytes) {
  return {spec.dtype, spec.layout, shape, const_cast<std::byte*>(bytes.data()), bytes.size()};
}

/// Reads bytes as numbers of a type that the user has given.
Status putRaw(const FieldSpec& spec, std::span<const std::byte> bytes, Sample& sample,
              std::size_t place) {
  const std::size_t elements = bytes.size() / sizeOf(spec.dtype);
  const auto shape = fitted(spec.shape, elements);
  if (!shape || bytes.size() % sizeOf(spec.dtype) != 0)
    return Error{fmt::format("{} bytes are not {} {}", grouped(bytes.size()), spec.shape.text(),
                             nameOf(spec.dtype))};
  if (sizeOf(spec.dtype) == 1) {
    sample.borrow(place, borrowed(spec, *shape, bytes));
    return {};
  }
  const TensorView to = sample.replace(place, spec.dtype, *shape, spec.layout);
  if (!bytes.empty()) std::memcpy(to.data, bytes.data(), bytes.size());
  return {};
}

bool isText(const MdsColumn& column) {
  return column.encoding == "str" || column.encoding == "json";
}

/// Adds a list of integers, or a text with one; anything else is another value.
void addClasses(const MdsColumn& column, const MdsValue& value, ClassListDetector& classes) {
  if (isText(column)) {
    const auto numbers = classListIn(value.bytes);
    return numbers ? classes.add(*numbers) : classes.addOther();
  }
  constexpr std::uint64_t kMost = 65536;
  const bool list = column.kind == Kind::Array && value.shape.rank() == 1;
  if (!list || !isInteger(value.dtype) || value.elements() > kMost) return classes.addOther();
  const std::size_t width = sizeOf(value.dtype);
  std::vector<std::byte> elements(value.elements() * width);
  if (!copyMdsElements(value, elements.data())) return classes.addOther();
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < elements.size(); i += width)
    numbers.push_back(integerAt(elements.data() + i, value.dtype));
  classes.add(numbers);
}

/// Adds the value if it is one real number.
void addReal(const MdsValue& value, RealLabels& numbers) {
  std::array<std::byte, 8> number{};
  if (value.elements() == 1 && storesLabels(value.dtype) && !isInteger(value.dtype) &&
      copyMdsElements(value, number.data()))
    numbers.add(realAt(number.data(), value.dtype));
}

/// The class that the value is: one whole number from 0.
Result<std::int64_t> classOf(const MdsValue& value) {
  std::array<std::byte, 8> number{};
  if (value.elements() != 1 || !storesLabels(value.dtype))
    return Error{fmt::format("{} {} is not a class", value.shape.text(), nameOf(value.dtype))};
  MILLRACE_TRY(copyMdsElements(value, number.data()));
  const auto label = labelAt(number.data(), value.dtype);
  if (!label) return Error{"its number is not a class"};
  return *label;
}

Status putLabel(Result<std::int64_t> label, Sample& sample, std::size_t place) {
  if (!label) return label.error();
  *sample.replace(place, DType::I64, {}, Layout::Plain).as<std::int64_t>() = *label;
  return {};
}

Status putValue(const MdsColumn& column, const FieldSpec& spec, std::span<const std::byte> bytes,
                const TextClasses& classes, Sample& sample, std::size_t place) {
  if (hasTextClasses(column, spec)) return putLabel(classes.numberOf(bytes), sample, place);
  if (isText(column) && isLabelList(spec)) return putLabelText(bytes, spec, sample, place);
  if (column.kind == Kind::Bytes && spec.dtype != DType::Encoded)
    return putRaw(spec, bytes, sample, place);
  MILLRACE_ASSIGN_OR_RETURN(const auto value, mdsValue(column, bytes));
  if (spec.dtype == DType::Encoded) {
    sample.borrow(place, borrowed(spec, value.shape, value.bytes));
    return {};
  }
  if (spec.role == Role::Label && spec.shape.rank() == 0)
    return putLabel(classOf(value), sample, place);
  const auto shape = fits(spec.shape, value.shape)
                         ? value.shape
                         : fitted(spec.shape, static_cast<std::size_t>(value.elements()));
  if (value.dtype != spec.dtype || !shape)
    return Error{fmt::format("{} {} is not {} {}", value.shape.text(), nameOf(value.dtype),
                             spec.shape.text(), nameOf(spec.dtype))};
  if (sizeOf(spec.dtype) == 1) {
    sample.borrow(place, borrowed(spec, *shape, value.bytes));
    return {};
  }
  return copyMdsElements(value, sample.replace(place, spec.dtype, *shape, spec.layout).data);
}

}  // namespace

bool hasTextClasses(const MdsColumn& column, const FieldSpec& spec) {
  return column.encoding == "str" && isClassNumber(spec);
}

Status putMdsValue(const MdsColumn& column, const FieldSpec& spec, std::span<const std::byte> bytes,
                   const TextClasses& classes, Sample& sample, std::size_t place) {
  Status put = putValue(column, spec, bytes, classes, sample, place);
  if (put) return put;
  return Error{fmt::format("column `{}`: {}", validUtf8(column.name), put.error().message)};
}

void MdsFieldDetector::add(const std::vector<std::span<const std::byte>>& values) {
  for (std::size_t c = 0; c < m_columns.size(); ++c) examine(m_columns[c], values[c], m_seen[c]);
}

void MdsFieldDetector::examine(const MdsColumn& column, std::span<const std::byte> bytes,
                               Seen& seen) const {
  const auto value = mdsValue(column, bytes);
  if (!value) return;
  if (isLabelName(nameFor(column.name))) addClasses(column, *value, seen.classes);
  if (usualExtension(bytes) != "bin") ++seen.pictures;
  addReal(*value, seen.numbers);
  if (seen.values++ == 0) {
    seen.bytes = bytes.size();
    seen.dtype = value->dtype;
    seen.shape = value->shape;
    return;
  }
  seen.sameBytes = seen.sameBytes && seen.bytes == bytes.size();
  seen.mixed = seen.mixed || seen.dtype != value->dtype || seen.shape.rank() != value->shape.rank();
  for (std::size_t i = 0; !seen.mixed && i < seen.shape.rank(); ++i)
    if (seen.shape[i] != value->shape[i]) seen.shape[i] = Shape::kUnknown;
}

bool MdsFieldDetector::isReadable(std::size_t c) const {
  const MdsColumn& column = m_columns[c];
  const bool said = column.dtype && column.shape;
  return column.kind != Kind::Pickle && (said || (m_seen[c].values > 0 && !m_seen[c].mixed));
}

bool MdsFieldDetector::isPictureColumn(std::size_t c) const {
  const Seen& seen = m_seen[c];
  switch (m_columns[c].kind) {
    case Kind::Picture:
    case Kind::Pixels: return true;
    case Kind::Bytes: return seen.values > 0 && seen.pictures == seen.values;
    case Kind::Array:
      return isReadable(c) &&
             pictureLayoutOf(m_columns[c].shape.value_or(seen.shape)) != Layout::Plain;
    default: return false;
  }
}

bool MdsFieldDetector::isLabelColumn(std::size_t c) const {
  const MdsColumn& column = m_columns[c];
  const bool number = column.kind == Kind::Number || column.kind == Kind::Digits ||
                      (column.kind == Kind::Array && isReadable(c) && !isNumberArray(c));
  return number && isLabelName(nameFor(column.name)) &&
         (isInteger(column.dtype.value_or(m_seen[c].dtype)) || m_seen[c].numbers.areClasses());
}

bool MdsFieldDetector::isQuantityColumn(std::size_t c) const {
  return isReadable(c) && isLabelName(nameFor(m_columns[c].name)) &&
         m_seen[c].numbers.areQuantities();
}

bool MdsFieldDetector::isLabelText(std::size_t c) const {
  const Seen& seen = m_seen[c];
  return m_columns[c].encoding == "str" && isLabelName(nameFor(m_columns[c].name)) &&
         seen.values > 0 && seen.pictures == 0 && !seen.classes.isList();
}

bool MdsFieldDetector::isLabelVector(std::size_t c) const {
  const Shape& shape = m_columns[c].shape.value_or(m_seen[c].shape);
  const DType dtype = m_columns[c].dtype.value_or(m_seen[c].dtype);
  const bool weights = isFloat(dtype) && shape.rank() == 1 && shape.known();
  return isNumberArray(c) && isLabelName(nameFor(m_columns[c].name)) &&
         (weights || m_seen[c].classes.isVector());
}

/// Whether values are arrays of several numbers.
bool MdsFieldDetector::isNumberArray(std::size_t c) const {
  const Shape& shape = m_columns[c].shape.value_or(m_seen[c].shape);
  return m_columns[c].kind == Kind::Array && !(shape.known() && shape.elements() == 1);
}

FieldSpec MdsFieldDetector::specOf(std::size_t c, std::string name, Role role) const {
  const MdsColumn& column = m_columns[c];
  const Seen& seen = m_seen[c];
  FieldSpec spec{std::move(name), DType::Encoded, {Shape::kUnknown}, Layout::Plain, role};
  const bool file = column.kind == Kind::Bytes || column.kind == Kind::Picture;
  if (role == Role::Label && !isNumberArray(c)) {
    spec.dtype = DType::I64;
    spec.shape = {};
  } else if (!file) {
    spec.dtype = column.dtype.value_or(column.kind == Kind::Pixels ? DType::U8 : seen.dtype);
    spec.shape = column.shape.value_or(seen.shape);
    if (isPicture(role))
      spec.layout = column.kind == Kind::Pixels ? Layout::Hwc : pictureLayoutOf(spec.shape);
  } else if (column.kind == Kind::Bytes && seen.values > 0 && seen.sameBytes && seen.bytes > 0 &&
             seen.pictures == 0) {
    spec.dtype = DType::U8;
    spec.shape = {static_cast<std::int64_t>(seen.bytes)};
  }
  return spec;
}

std::vector<MdsField> MdsFieldDetector::guess() const {
  std::vector<MdsField> fields;
  const auto add = [&](std::size_t column, const std::string& wanted, Role role) {
    std::string name = wanted;
    for (int i = 2; std::any_of(fields.begin(), fields.end(),
                                [&](const MdsField& f) { return f.spec.name == name; });
         ++i)
      name = fmt::format("{}_{}", wanted, i);
    fields.push_back({column, specOf(column, name, role)});
  };
  bool image = false;
  for (std::size_t c = 0; c < m_columns.size(); ++c) {
    if (!isPictureColumn(c) || !isReadable(c)) continue;
    if (mentionsMask(nameFor(m_columns[c].name))) {
      add(c, "mask", Role::Mask);
      continue;
    }
    add(c, image ? "target" : "image", image ? Role::Target : Role::Image);
    image = true;
  }
  const bool pictures = !fields.empty();
  bool label = false;
  for (std::size_t c = 0; c < m_columns.size(); ++c) {
    if (isPictureColumn(c) || !isReadable(c)) continue;
    if ((isLabelColumn(c) || (pictures && isLabelVector(c))) && !label) {
      add(c, "label", Role::Label);
      label = true;
    } else if (isQuantityColumn(c) && !label) {
      fields.push_back({c, quantityField(m_seen[c].dtype)});
      label = true;
    } else if (!pictures && specOf(c, "", Role::Features).shape.known()) {
      add(c, nameFor(m_columns[c].name), Role::Features);
    }
  }
  for (std::size_t c = 0; c < m_columns.size() && !label; ++c) {
    label = isLabelText(c);
    if (label) add(c, "label", Role::Label);
  }
  for (std::size_t c = 0; c < m_columns.size() && !pictures && fields.empty(); ++c)
    if (m_columns[c].kind == Kind::Bytes) add(c, nameFor(m_columns[c].name), Role::Features);
  putQuantityLast(fields);
  return fields;
}

/// Uses what the data has, unless `asked` is more specific.
Status MdsFieldDetector::fit(MdsField& field, const FieldSpec& asked, bool typed) const {
  const MdsColumn& column = m_columns[field.column];
  if (isClassNumber(asked) && m_seen[field.column].numbers.areQuantities()) {
    field.spec = quantityField(m_seen[field.column].dtype, asked.name);
    return {};
  }
  const FieldSpec found = specOf(field.column, asked.name, asked.role);
  field.spec = found;
  if (!typed || asked == found) return {};
  const bool file = column.kind == Kind::Bytes || column.kind == Kind::Picture;
  const bool label = asked.role == Role::Label && !isLabelList(asked);
  const bool may = label && column.kind == Kind::Bytes ? isText(column)
                   : label                             ? isInteger(asked.dtype)
                   : column.kind == Kind::Bytes        ? true
                   : asked.dtype == DType::Encoded     ? isPicture(asked.role)
                   : isLabelList(asked)                ? isInteger(found.dtype)
                                                       : asked.dtype == found.dtype;
  if (!may)
    return Error{fmt::format("column `{}` holds {}, not {}", validUtf8(column.name),
                             validUtf8(column.encoding), nameOf(asked.dtype))};
  // `image` alone requests a file; if the column has pixels, the field has pixels.
  if (file ? !label : asked.dtype != DType::Encoded && !label) field.spec = asked;
  if (!file && isLabelList(asked)) field.spec.dtype = found.dtype;
  return {};
}

Result<std::vector<MdsField>> MdsFieldDetector::chosen(
    const std::vector<std::string>& entries) const {
  MILLRACE_ASSIGN_OR_RETURN(const auto keys, parseExampleKeys(entries));
  std::vector<MdsField> fields;
  for (const ExampleField& key : keys) {
    const auto at = std::find_if(m_columns.begin(), m_columns.end(),
                                 [&](const MdsColumn& column) { return column.name == key.key; });
    if (at == m_columns.end())
      return Error{fmt::format("there is no column `{}`; there are {}", validUtf8(key.key),
                               join(leftOut({}), ", "))};
    MdsField field{static_cast<std::size_t>(at - m_columns.begin()), {}};
    if (at->kind == Kind::Pickle)
      return Error{
          fmt::format("column `{}` holds Python objects (pkl), which are not supported; write it "
                      "as ndarray or bytes",
                      validUtf8(at->name))};
    MILLRACE_TRY(fit(field, key.spec, key.typed));
    fields.push_back(std::move(field));
  }
  return fields;
}

std::ptrdiff_t MdsFieldDetector::listOfClasses(const std::vector<MdsField>& fields) const {
  if (std::ranges::any_of(fields, [](const MdsField& f) { return f.spec.role == Role::Label; }))
    return -1;
  const auto found = std::ranges::find_if(m_seen, [](const Seen& s) { return s.classes.isList(); });
  return found == m_seen.end() ? -1 : found - m_seen.begin();
}

std::vector<std::string> MdsFieldDetector::leftOut(const std::vector<MdsField>& fields) const {
  std::vector<std::string> texts;
  for (std::size_t c = 0; c < m_columns.size(); ++c)
    if (std::none_of(fields.begin(), fields.end(),
                     [&](const MdsField& field) { return field.column == c; }))
      texts.push_back(
          fmt::format("{} ({})", validUtf8(m_columns[c].name), validUtf8(m_columns[c].encoding)));
  return texts;
}

}  // namespace millrace::nodes
