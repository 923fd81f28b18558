// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/data/buffer.h"
#include "core/data/field_words.h"
#include "core/kernels/bits.h"
#include "core/kernels/convert.h"
#include "core/nodes/field_places.h"
#include "core/nodes/record_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes {

namespace {

struct Params {
  std::string field = "bits";
  TextList parts{"flags=0:8"};
};

/// A run of bits and the field that it becomes.
struct Part {
  FieldSpec spec;
  std::size_t first = 0;
  std::size_t count = 0;
};

Error wrong(const std::string& entry, const std::string& what) {
  return {fmt::format("`{}`: {}", validUtf8(entry), what)};
}

/// NAME=FIRST:SHAPE with an element type and a role behind it.
Result<Part> partOf(const std::string& entry) {
  const std::size_t equals = entry.find('=');
  Part part;
  part.spec.name = entry.substr(0, equals);
  if (equals == std::string::npos || !isFieldName(part.spec.name))
    return wrong(entry, "write NAME=FIRST:SHAPE, the name of small letters, digits and _");
  const std::vector<std::string> words = split(std::string_view(entry).substr(equals + 1), ':');
  const char* end = words[0].data() + words[0].size();
  const auto [stop, error] = std::from_chars(words[0].data(), end, part.first);
  if (error != std::errc() || stop != end || part.first > std::size_t{1} << 31)
    return wrong(entry, "FIRST is the number of the first bit, counted from 0");
  FieldWords said;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (!said.take(words[i])) return wrong(entry, fmt::format("`{}` says nothing", words[i]));
  if (!said.shape || !said.shape->known())
    return wrong(entry, "a shape such as 8x8x24, 10 or scalar says how many bits it takes");
  part.spec.shape = *said.shape;
  part.spec.dtype = said.dtype.value_or(DType::U8);
  if (converter(DType::U8, part.spec.dtype, U8Range::Plain) == nullptr)
    return wrong(entry, "bits become u8, f16, bf16, f32 or f64");
  part.spec.role = said.role.value_or(roleNamed(part.spec.name).value_or(Role::Features));
  if (isPicture(part.spec.role) && part.spec.shape.rank() == 3)
    part.spec.layout = said.layout.value_or(Layout::Hwc);
  part.count = static_cast<std::size_t>(part.spec.shape.elements());
  return part;
}

Result<std::vector<Part>> partsOf(const TextList& entries) {
  std::vector<Part> parts;
  for (const std::string& entry : entries) {
    auto part = partOf(entry);
    if (!part) return part.error();
    parts.push_back(part.take());
  }
  if (parts.empty()) return Error{"no part is given"};
  return parts;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const auto parts = partsOf(p.parts);
  if (!parts)
    context.error("parts", parts.error().message, "write for instance board=0:8x8x24:f32");
  const std::optional<std::size_t> field = fieldIndex(in, p.field);
  if (!field)
    context.error("field", fmt::format("there is no field `{}` here", p.field),
                  "name the one that holds the bytes");
  if (!parts || !field) return in;
  const FieldSpec& spec = in.fields[*field];
  if (spec.dtype != DType::Encoded && spec.dtype != DType::U8)
    context.error("field", fmt::format("`{}` is {}, not bytes", p.field, nameOf(spec.dtype)),
                  "name a field of u8 or of encoded bytes");
  std::vector<FieldSpec> made;
  for (const Part& part : *parts) {
    made.push_back(part.spec);
    if (spec.dtype == DType::U8 && spec.shape.known() &&
        part.first + part.count > 8 * static_cast<std::size_t>(spec.shape.elements()))
      context.error("parts",
                    fmt::format("`{}` ends at bit {}, `{}` has {}", part.spec.name,
                                part.first + part.count, p.field, 8 * spec.shape.elements()),
                    "count bits from 0, the most significant of each byte first");
  }
  return spliced(in, *field, made, "parts", context);
}

class BitUnpack final : public SampleOp {
 public:
  BitUnpack(std::vector<Part> parts, std::size_t field, std::size_t fieldsIn)
      : m_parts(std::move(parts)), m_field(field), m_fieldsIn(fieldsIn) {
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
      m_places.push_back(field + i);
      m_needed = std::max(m_needed, m_parts[i].first + m_parts[i].count);
      m_converters.push_back(m_parts[i].spec.dtype == DType::U8
                                 ? nullptr
                                 : converter(DType::U8, m_parts[i].spec.dtype, U8Range::Plain));
    }
  }

  Status process(Sample& sample, const OpContext&) override {
    const TensorView bytes = sample[m_field];
    if (bytes.bytes * 8 < m_needed)
      return Error{fmt::format("has {} bits, the parts take {}", bytes.bytes * 8, m_needed)};
    openPlaces(sample, m_field, m_fieldsIn, m_parts.size());
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
      const Part& part = m_parts[i];
      const TensorView to =
          sample.replace(m_places[i], part.spec.dtype, part.spec.shape, part.spec.layout);
      if (m_converters[i] == nullptr) {
        unpackBits(bytes.data, part.first, part.count, to.as<std::uint8_t>());
        continue;
      }
      std::byte* plain = m_plain.reserve(part.count);
      unpackBits(bytes.data, part.first, part.count, reinterpret_cast<std::uint8_t*>(plain));
      m_converters[i](plain, to.data, part.count);
    }
    clearPlaces(sample, m_fieldsIn - 1 + m_parts.size());
    return {};
  }
  std::vector<std::size_t> replaces() const override { return m_places; }
  bool rearranges() const override { return true; }

 private:
  std::vector<Part> m_parts;
  std::vector<Converter> m_converters;
  const std::size_t m_field;
  const std::size_t m_fieldsIn;
  std::size_t m_needed = 0;
  std::vector<std::size_t> m_places;
  Buffer m_plain;
};

Result<std::unique_ptr<SampleOp>> make(const Params& p, const BuildContext& context) {
  auto parts = partsOf(p.parts);
  if (!parts) return parts.error();
  const std::optional<std::size_t> field = fieldIndex(context.in, p.field);
  if (!field) return Error{"there is no field `" + p.field + "`"};
  return std::unique_ptr<SampleOp>(
      std::make_unique<BitUnpack>(parts.take(), *field, context.in.fields.size()));
}

ExportText exported(const Params& p, const ExportContext&, std::string_view target) {
  std::vector<std::string> items;
  if (const auto parts = partsOf(p.parts))
    for (const Part& part : *parts)
      items.push_back(pythonText(part.spec.name) + ": " +
                      fieldLiteral(std::to_string(part.first), part.spec));
  ExportText text;
  return text.needs("unpack_bits")
      .step(fmt::format("{}{}, {{{}}})",
                        target == "pytorch" ? "UnpackBits(" : "unpack_bits(sample, ",
                        pythonText(p.field), join(items, ", ")));
}

}  // namespace

NodeSpec bit_unpack() {
  Describe<Params> d("bit_unpack", Category::Decode, NodeRole::Sample);
  d.label("Unpack bits")
      .help(
          "Makes fields of 0 and 1 from packed bits, before the batch or behind it. Bits are "
          "counted "
          "from 0, the most significant of each byte first, as NumPy's unpackbits does.");
  d.example(
      R"({"field": "d", "parts": ["board=0:8x8x24:f32", "flags=1536:10", "mate=1546:scalar"]})");
  d.tags({"unpackbits", "packed", "binary", "bitboard", "tf.io.decode_raw"});
  d.text("field", &Params::field).label("Field").help("Which field holds the bytes.");
  d.texts("parts", &Params::parts)
      .label("Parts")
      .help(
          "The fields and where their bits are: NAME=FIRST:SHAPE, then, each behind a colon, an "
          "element type (u8 unless given) and a role: board=0:8x8x24:f32. They take the field's "
          "place; bits that no part names are dropped.");
  d.infer(infer);
  d.sample(make);
  d.exporters({"pytorch", "tfdata"}, exported);
  d.exporter("dali", notTranslated<Params>);
  return d.take();
}

}  // namespace millrace::nodes
