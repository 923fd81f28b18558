// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/recordio_fields.h"

#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/dataset_writer.h"
#include "core/formats/real_labels.h"
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
  if (count == 1) return quantityField(DType::F32);
  return {"labels", DType::F32, {count}, Layout::Plain, Role::Features};
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
    return Error{fmt::format("it has {} labels, but most records have {}", found, wanted)};
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
  ++m_images;
  ++m_counts[labels];
  if (labels == 1 && isClass(image->label(0))) ++m_classes;
  if (labels == 1 && !isClass(image->label(0))) m_fractions = true;
  if (usualExtension(image->content) != "bin") ++m_pictures;
}

std::int64_t RecordIoFieldDetector::usualCount() const {
  if (m_images == 0) return 1;
  for (const auto& [count, images] : m_counts)
    if (10 * images >= 9 * m_images) return count;
  return Shape::kUnknown;
}

std::string RecordIoFieldDetector::others(const std::vector<FieldSpec>& fields) const {
  if (fields.size() < 2) return {};
  const FieldSpec& spec = fields[1];
  const bool classes = spec.role == Role::Label;
  const auto same = m_counts.find(spec.shape.elements());
  const std::uint32_t fit = classes                  ? m_classes
                            : !spec.shape.known()    ? m_images
                            : same == m_counts.end() ? 0
                                                     : same->second;
  if (fit == m_images) return {};
  return fmt::format("{} of the {} pictures examined {} {} and will fail", grouped(m_images - fit),
                     grouped(m_images), m_images - fit == 1 ? "has" : "have",
                     classes
                         ? "labels that are not one class"
                         : fmt::format("another number of labels than {}", spec.shape.elements()));
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
  const bool mostly = m_images == 0 || (2 * m_classes > m_images && !m_fractions);
  const bool classes =
      labels == RecordIoLabels::Classes || (labels == RecordIoLabels::Auto && mostly);
  fields.push_back(classes ? classField() : numbersField(usualCount()));
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
