// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tar/web_writer.h"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/real_labels.h"
#include "core/formats/shard_sequence.h"
#include "core/formats/tar/tar_walk.h"
#include "core/formats/tar/web_shard.h"

namespace millrace {

namespace {

constexpr std::uint64_t kNameRoom = 100;
/// Eleven octal digits.
constexpr std::uint64_t kLargestInHead = 0777'7777'7777;

std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + TarWalk::kBlock - 1) / TarWalk::kBlock * TarWalk::kBlock;
}

/// A ustar header. The name must already fit.
std::string headOf(std::string_view name, std::uint64_t size, char type) {
  std::string head(TarWalk::kBlock, '\0');
  const auto put = [&](std::size_t at, std::string_view text) {
    head.replace(at, text.size(), text);
  };
  put(0, name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", size));
  put(136, "00000000000");
  put(148, "        ");
  head[156] = type;
  put(257, std::string_view("ustar\0"
                            "00",
                            8));
  unsigned sum = 0;
  for (const char c : head) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum));
  head[154] = '\0';
  return head;
}

/// A record of a pax header: its own length, key and value.
std::string paxRecord(std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;
  std::size_t length = rest + 1;
  while (std::to_string(length).size() + rest != length)
    length = std::to_string(length).size() + rest;
  return fmt::format("{} {}={}\n", length, key, value);
}

/// The headers before a member's content.
std::string headsOf(const std::string& name, std::uint64_t size) {
  std::string pax;
  if (name.size() > kNameRoom) pax += paxRecord("path", name);
  if (size > kLargestInHead) pax += paxRecord("size", std::to_string(size));
  std::string heads;
  if (!pax.empty()) {
    heads = headOf("PaxHeaders/" + name.substr(0, 80), pax.size(), 'x') + pax;
    heads.resize(padded(heads.size()), '\0');
  }
  return heads +
         headOf(std::string_view(name).substr(0, kNameRoom), std::min(size, kLargestInHead), '0');
}

/// Written as text, like the number of a class.
bool isRealLabel(const FieldSpec& field) {
  return isQuantity(field) && (field.dtype == DType::F32 || field.dtype == DType::F64);
}

class WebWriter final : public DatasetWriter {
 public:
  WebWriter(const WriteSpec& spec, ShardSequence files) : m_spec(spec), m_files(std::move(files)) {}

  Status add(const WriteSample& sample) override {
    m_heads.clear();
    m_texts.assign(m_spec.fields.size(), {});
    std::uint64_t bytes = 0;
    for (std::size_t f = 0; f < m_spec.fields.size(); ++f) {
      const auto content = contentOf(f, sample.values[f]);
      const std::string name =
          fmt::format("{}.{}", sample.key, extensionFor(m_spec.fields[f], content));
      if (webName(name).key.empty())
        return Error{
            fmt::format("`{}` is not a valid name of a WebDataset sample", validUtf8(name))};
      m_heads.push_back(headsOf(name, content.size()));
      bytes += m_heads.back().size() + padded(content.size());
    }
    if (m_files.full(bytes)) {
      MILLRACE_TRY(endArchive());
      MILLRACE_TRY(m_files.next());
    }
    for (std::size_t f = 0; f < m_spec.fields.size(); ++f) {
      const auto content = contentOf(f, sample.values[f]);
      MILLRACE_TRY(m_files.file().append(m_heads[f]));
      MILLRACE_TRY(m_files.file().append(content));
      MILLRACE_TRY(m_files.file().appendZeros(padded(content.size()) - content.size()));
    }
    m_files.count();
    return {};
  }
  Result<WriteMark> sync() override { return m_files.sync(); }
  Status finish() override {
    MILLRACE_TRY(endArchive());
    return m_files.close();
  }
  std::uint64_t bytes() const override { return m_files.bytes(); }

  std::vector<std::string> readBack() const override {
    std::vector<std::string> entries;
    for (const FieldSpec& field : m_spec.fields) {
      std::string entry = field.name + "=";
      if (field.role == Role::Label) {
        entry += "cls";
      } else if (isRealLabel(field)) {
        entry += fmt::format("cls:{}", nameOf(field.dtype));
      } else if (field.dtype != DType::Encoded) {
        entry += fmt::format("{}.bin:{}:{}", field.name, nameOf(field.dtype), field.shape.text());
        if (isPicture(field.role)) entry += field.layout == Layout::Chw ? ":chw" : ":hwc";
      } else if (field.role == Role::Image) {
        entry += usualExtensions(";") + ";bin";
      } else if (isPicture(field.role)) {
        entry += usualExtensions(";", field.name + ".");
      } else {
        entry += field.name + ".bin";
      }
      if (field.name != nameOf(field.role) && field.role != Role::Features)
        entry += fmt::format(":{}", nameOf(field.role));
      entries.push_back(std::move(entry));
    }
    return entries;
  }

 private:
  static std::string extensionFor(const FieldSpec& field, std::span<const std::byte> content) {
    if (field.role == Role::Label || isRealLabel(field)) return "cls";
    if (field.dtype != DType::Encoded || !isPicture(field.role)) return field.name + ".bin";
    const std::string extension(usualExtension(content));
    return field.role == Role::Image ? extension : field.name + "." + extension;
  }

  /// A label as text, otherwise the value's bytes.
  std::span<const std::byte> contentOf(std::size_t f, const TensorView& value) {
    const FieldSpec& field = m_spec.fields[f];
    if (field.role != Role::Label && !isRealLabel(field)) return value.content();
    m_texts[f] = field.role == Role::Label   ? std::to_string(*value.as<std::int64_t>())
                 : field.dtype == DType::F32 ? fmt::format("{}", *value.as<float>())
                                             : fmt::format("{}", *value.as<double>());
    return std::as_bytes(std::span(m_texts[f].data(), m_texts[f].size()));
  }

  Status endArchive() { return m_files.file().appendZeros(2 * TarWalk::kBlock); }

  const WriteSpec m_spec;
  ShardSequence m_files;
  std::vector<std::string> m_heads;
  std::vector<std::string> m_texts;
};

}  // namespace

OpenWriter openWebWriter(const WriteSpec& spec, const WriteMark& from) {
  MILLRACE_ASSIGN_OR_RETURN(auto files, ShardSequence::open(spec, "tar", from));
  return std::unique_ptr<DatasetWriter>(std::make_unique<WebWriter>(spec, std::move(files)));
}

}  // namespace millrace
