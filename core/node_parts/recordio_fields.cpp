// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/recordio_fields.h"

#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/dataset_writer.h"
#include "core/formats/recordio/record_io.h"

namespace millrace::nodes {

namespace {

/// Integers up to this value are exact in a float.
constexpr float kLargestClass = 16777216.0F;

FieldSpec bytesField(std::string name, Role role) {
  return {std::move(name), DType::Encoded, {Shape::kUnknown}, Layout::Plain, role};
}

FieldSpec classField() { return {"label", DType::I64, {}, Layout::Plain, Role::Label}; }

/// `count`: numbers per record, kUnknown if they differ.
FieldSpec numbersField(std::int64_t count) {
  const Shape shape = count == 1 ? Shape{} : Shape{count};
  return {count == 1 ? "label" : "labels", DType::F32, shape, Layout::Plain, Role::Features};
}

bool isClass(float label) {
  return label >= -1 && label <= kLargestClass && label == std::floor(label);
}

void lend(std::span<const std::byte> bytes, Sample& sample) {
  sample.borrow(0, {DType::Encoded,
                    Layout::Plain,
                    {static_cast<std::int64_t>(bytes.size())},
                    const_cast<std::byte*>(bytes.data()),
                    bytes.size()});
}

Status putClass(const RecordIoImage& image, Sample& sample) {
  const std::size_t count = image.labelCount();
  if (count != 1)
    return Error{fmt::format("{} labels are not a class; set labels to numbers", grouped(count))};
  if (!isClass(image.label(0)))
    return Error{fmt::format("label {} is not a class; set labels to numbers", image.label(0))};
  *sample.replace(1, DType::I64, {}, Layout::Plain).as<std::int64_t>() =
      static_cast<std::int64_t>(image.label(0));
  return {};
}

Status putNumbers(const RecordIoImage& image, const FieldSpec& spec, Sample& sample) {
  const auto found = static_cast<std::int64_t>(image.labelCount());
  const std::int64_t wanted = spec.shape.elements();
  if (wanted != Shape::kUnknown && wanted != found)
    return Error{fmt::format("it has {} labels, but the first records have {}", found, wanted)};
  const Shape shape = spec.shape.rank() == 0 ? Shape{} : Shape{found};
  const TensorView to = sample.replace(1, DType::F32, shape, Layout::Plain);
  if (found > 0) std::memcpy(to.data, image.labels.data(), image.labels.size());
  return {};
}

}  // namespace

std::vector<FieldSpec> expectedRecordIoFields(RecordIoContent content, RecordIoLabels labels) {
  if (content == RecordIoContent::Bytes) return {bytesField("record", Role::Features)};
  std::vector<FieldSpec> fields{bytesField("image", Role::Image)};
  if (labels == RecordIoLabels::Numbers)
    fields.push_back(numbersField(Shape::kUnknown));
  else if (labels != RecordIoLabels::None)
    fields.push_back(classField());
  return fields;
}

void RecordIoFieldDetector::add(std::span<const std::byte> record) {
  ++m_records;
  const auto image = parseRecordIoImage(record);
  if (!image || image->content.empty()) return;
  const auto labels = static_cast<std::int64_t>(image->labelCount());
  m_labels = m_images++ == 0 || m_labels == labels ? labels : Shape::kUnknown;
  m_classes = m_classes && labels == 1 && isClass(image->label(0));
  if (usualExtension(image->content) != "bin") ++m_pictures;
}

std::vector<FieldSpec> RecordIoFieldDetector::fields(RecordIoContent content,
                                                     RecordIoLabels labels) const {
  const bool asImages = content == RecordIoContent::Images ||
                        (content == RecordIoContent::Auto && 2 * m_pictures > m_records);
  if (!asImages) return {bytesField("record", Role::Features)};
  const bool files = m_images == 0 || 2 * m_pictures > m_images;
  std::vector<FieldSpec> fields{files ? bytesField("image", Role::Image)
                                      : bytesField("content", Role::Features)};
  if (labels == RecordIoLabels::None) return fields;
  const bool classes = labels == RecordIoLabels::Classes ||
                       (labels == RecordIoLabels::Auto && m_classes && m_labels == 1);
  fields.push_back(classes ? classField() : numbersField(m_labels));
  return fields;
}

Status putRecordIo(std::span<const std::byte> record, const std::vector<FieldSpec>& fields,
                   Sample& sample) {
  if (fields.front().name == "record") return lend(record, sample), Status();
  MILLRACE_ASSIGN_OR_RETURN(const auto image, parseRecordIoImage(record));
  if (image.content.empty()) return Error{"it holds a label but no picture"};
  lend(image.content, sample);
  if (fields.size() == 1) return {};
  return fields[1].role == Role::Label ? putClass(image, sample)
                                       : putNumbers(image, fields[1], sample);
}

}  // namespace millrace::nodes
