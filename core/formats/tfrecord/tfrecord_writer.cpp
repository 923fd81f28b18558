// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tfrecord/tfrecord_writer.h"

#include <fmt/format.h>

#include "core/base/crc32c.h"
#include "core/base/text/text.h"
#include "core/data/example_bytes.h"
#include "core/formats/shard_sequence.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/formats/tfrecord/tfrecord.h"

namespace millrace {

namespace {

std::string keyOf(const FieldSpec& field) {
  if (field.role == Role::Label) return field.name == "label" ? "image/class/label" : field.name;
  return field.name + (field.dtype == DType::Encoded ? "/encoded" : "/raw");
}

/// Whether a reader recognises the field by its key and its bytes.
bool isUsual(const FieldSpec& field) {
  if (field.role == Role::Label) return field.name == "label";
  return field.dtype == DType::Encoded && isPicture(field.role) && field.name == nameOf(field.role);
}

std::string entryOf(const FieldSpec& field) {
  std::string text = textOf(ExampleField{keyOf(field), field, true});
  if (field.layout == Layout::Chw) text += ":chw";
  return text;
}

class TfRecordWriter final : public DatasetWriter {
 public:
  TfRecordWriter(const WriteSpec& spec, ShardSequence files)
      : m_spec(spec), m_files(std::move(files)) {}

  Status add(const WriteSample& sample) override {
    const auto payload = std::as_bytes(std::span(encoded(sample)));
    if (payload.size() > RangeReader::kLargest)
      return Error{fmt::format("`{}` has {}, which exceeds a record", validUtf8(sample.key),
                               humanBytes(static_cast<double>(payload.size())))};
    if (m_files.full(payload.size() + kTfRecordFrame)) MILLRACE_TRY(m_files.next());
    const std::uint64_t length = payload.size();
    MILLRACE_TRY(summed(std::as_bytes(std::span(&length, 1))));
    MILLRACE_TRY(summed(payload));
    m_files.count();
    return {};
  }
  Result<WriteMark> sync() override { return m_files.sync(); }
  Status finish() override { return m_files.close(); }
  std::uint64_t bytes() const override { return m_files.bytes(); }

  std::vector<std::string> readBack() const override {
    std::vector<std::string> entries;
    for (const FieldSpec& field : m_spec.fields) entries.push_back(entryOf(field));
    return entries;
  }

 private:
  std::string_view encoded(const WriteSample& sample) {
    m_example.clear();
    for (std::size_t f = 0; f < m_spec.fields.size(); ++f) {
      const FieldSpec& field = m_spec.fields[f];
      const TensorView& value = sample.values[f];
      const std::string key = keyOf(field);
      if (!isUsual(field))
        m_example.addBytes(field.name + std::string(kFieldEntry), entryOf(field));
      if (field.role == Role::Label && field.dtype == DType::I64) {
        const std::int64_t label = *value.as<std::int64_t>();
        m_example.addNumber(key, label);
        if (label >= 0 && static_cast<std::size_t>(label) < m_spec.classes.size())
          m_example.addBytes("image/class/text", m_spec.classes[static_cast<std::size_t>(label)]);
        continue;
      }
      m_example.addBytes(key, {value.as<const char>(), value.bytes});
    }
    m_example.addBytes("image/filename", sample.key);
    return m_example.finish();
  }

  Status summed(std::span<const std::byte> bytes) {
    const std::uint32_t sum = maskedCrc(crc32c(bytes));
    MILLRACE_TRY(m_files.file().append(bytes));
    return m_files.file().append(std::as_bytes(std::span(&sum, 1)));
  }

  const WriteSpec m_spec;
  ShardSequence m_files;
  ExampleBytes m_example;
};

}  // namespace

OpenWriter openTfRecordWriter(const WriteSpec& spec, const WriteMark& from) {
  MILLRACE_ASSIGN_OR_RETURN(auto files, ShardSequence::open(spec, "tfrecord", from));
  return std::unique_ptr<DatasetWriter>(std::make_unique<TfRecordWriter>(spec, std::move(files)));
}

}  // namespace millrace
