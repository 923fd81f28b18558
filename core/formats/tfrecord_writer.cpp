// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tfrecord_writer.h"

#include <cstring>

#include <fmt/format.h>

#include "core/base/crc32c.h"
#include "core/base/text.h"
#include "core/formats/example_fields.h"
#include "core/formats/shard_sequence.h"
#include "core/formats/tfrecord.h"

namespace millrace {

namespace {

/// Numbers of protobuf fields that have a length, as they lie in front of it.
constexpr char tagOf(int field) { return static_cast<char>(field << 3 | 2); }

std::size_t varintSize(std::uint64_t value) {
  std::size_t size = 1;
  for (; value > 127; value >>= 7U) ++size;
  return size;
}

void putVarint(std::string& to, std::uint64_t value) {
  for (; value > 127; value >>= 7U) to += static_cast<char>((value & 127U) | 128U);
  to += static_cast<char>(value);
}

void putHead(std::string& to, int field, std::size_t size) {
  to += tagOf(field);
  putVarint(to, size);
}

std::size_t fieldSize(std::size_t content) { return 1 + varintSize(content) + content; }

/// An entry of the map from key to feature, whose list of kind `kind` holds one run of bytes.
void putFeature(std::string& to, std::string_view key, FeatureKind kind, std::string_view value) {
  const std::size_t list = fieldSize(value.size());
  const std::size_t feature = fieldSize(list);
  putHead(to, 1, fieldSize(key.size()) + fieldSize(feature));
  putHead(to, 1, key.size());
  to += key;
  putHead(to, 2, feature);
  putHead(to, static_cast<int>(kind), list);
  putHead(to, 1, value.size());
  to += value;
}

void putLabel(std::string& to, std::string_view key, std::int64_t value) {
  std::string packed;
  putVarint(packed, static_cast<std::uint64_t>(value));
  putFeature(to, key, FeatureKind::Int64, packed);
}

std::string keyOf(const FieldSpec& field) {
  if (field.role == Role::Label) return field.name == "label" ? "image/class/label" : field.name;
  return field.name + (field.dtype == DType::Encoded ? "/encoded" : "/raw");
}

class TfRecordWriter final : public DatasetWriter {
 public:
  TfRecordWriter(const WriteSpec& spec, ShardSequence files)
      : m_spec(spec), m_files(std::move(files)) {}

  Status add(const WriteSample& sample) override {
    encode(sample);
    const auto payload = std::as_bytes(std::span(m_example.data(), m_example.size()));
    if (payload.size() > RangeReader::kLargest)
      return Error{fmt::format("`{}` has {}, more than a record may have", validUtf8(sample.key),
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
    for (const FieldSpec& field : m_spec.fields) {
      ExampleField entry{keyOf(field), field, true};
      std::string text = textOf(entry);
      if (field.layout == Layout::Chw) text += ":chw";
      entries.push_back(std::move(text));
    }
    return entries;
  }

 private:
  void encode(const WriteSample& sample) {
    m_features.clear();
    for (std::size_t f = 0; f < m_spec.fields.size(); ++f) {
      const FieldSpec& field = m_spec.fields[f];
      const TensorView& value = sample.values[f];
      const std::string key = keyOf(field);
      if (field.role == Role::Label && field.dtype == DType::I64) {
        const std::int64_t label = *value.as<std::int64_t>();
        putLabel(m_features, key, label);
        if (label >= 0 && static_cast<std::size_t>(label) < m_spec.classes.size())
          putFeature(m_features, "image/class/text", FeatureKind::Bytes,
                     m_spec.classes[static_cast<std::size_t>(label)]);
        continue;
      }
      putFeature(m_features, key, FeatureKind::Bytes,
                 {reinterpret_cast<const char*>(value.data), value.bytes});
    }
    putFeature(m_features, "image/filename", FeatureKind::Bytes, sample.key);
    m_example.clear();
    putHead(m_example, 1, m_features.size());
    m_example += m_features;
  }

  Status summed(std::span<const std::byte> bytes) {
    const std::uint32_t sum = maskedCrc(crc32c(bytes));
    MILLRACE_TRY(m_files.file().append(bytes));
    return m_files.file().append(std::as_bytes(std::span(&sum, 1)));
  }

  const WriteSpec m_spec;
  ShardSequence m_files;
  std::string m_features;
  std::string m_example;
};

}  // namespace

OpenWriter openTfRecordWriter(const WriteSpec& spec, const WriteMark& from) {
  auto files = ShardSequence::open(spec, "tfrecord", from);
  if (!files) return files.error();
  return std::unique_ptr<DatasetWriter>(std::make_unique<TfRecordWriter>(spec, files.take()));
}

}  // namespace millrace
