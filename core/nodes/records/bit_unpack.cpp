// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/buffer.h"
#include "core/data/field_text.h"
#include "core/kernels/bits.h"
#include "core/kernels/convert.h"
#include "core/node_parts/fields/field_places.h"
#include "core/node_parts/record_text.h"
#include "core/node_parts/short_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::bit_unpack {

namespace {

struct Params {
  std::string field = "bits";
  TextList parts{"flags=0:8"};
};

/// A range of bits and the field that it becomes.
struct Part {
  FieldSpec spec;
  std::size_t first = 0;
  std::size_t count = 0;
};

Error wrong(const std::string& entry, const std::string& what) {
  return {fmt::format("`{}`: {}", validUtf8(entry), what)};
}

/// Parses NAME=FIRST:SHAPE, followed by an element type and a role.
Result<Part> partOf(const std::string& entry) {
  const std::size_t equals = entry.find('=');
  Part part;
  part.spec.name = entry.substr(0, equals);
  if (equals == std::string::npos || !isFieldName(part.spec.name))
    return wrong(entry, "use NAME=FIRST:SHAPE with a name of lower-case letters, digits and _");
  const std::vector<std::string> words =
      millrace::split(std::string_view(entry).substr(equals + 1), ':');
  const char* end = words[0].data() + words[0].size();
  const auto [stop, error] = std::from_chars(words[0].data(), end, part.first);
  if (error != std::errc() || stop != end || part.first > std::size_t{1} << 31)
    return wrong(entry, "FIRST must be the number of the first bit, counted from 0");
  FieldDescription said;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (!said.take(words[i]))
      return wrong(entry, fmt::format("`{}` is neither a type, a shape nor a role", words[i]));
  if (!said.shape || !said.shape->known())
    return wrong(entry,
                 "add a shape such as 8x8x24, 10 or scalar, which determines the number of bits");
  part.spec.shape = *said.shape;
  part.spec.dtype = said.dtype.value_or(DType::U8);
  if (converter(DType::U8, part.spec.dtype, U8Range::Plain) == nullptr)
    return wrong(entry, "the type must be u8, f16, bf16, f32 or f64");
  part.spec.role = said.role.value_or(roleNamed(part.spec.name).value_or(Role::Features));
  if (isPicture(part.spec.role) && part.spec.shape.rank() == 3)
    part.spec.layout = said.layout.value_or(Layout::Hwc);
  part.count = static_cast<std::size_t>(part.spec.shape.elements());
  return part;
}

Result<std::vector<Part>> partsOf(const TextList& entries) {
  std::vector<Part> parts;
  for (const std::string& entry : entries) {
    MILLRACE_ASSIGN_OR_RETURN(auto part, partOf(entry));
    parts.push_back(std::move(part));
  }
  if (parts.empty()) return Error{"there are no parts"};
  return parts;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const auto parts = partsOf(p.parts);
  if (!parts) context.error("parts", parts.error().message, "use for example board=0:8x8x24:f32");
  const std::optional<std::size_t> field = fieldIndex(in, p.field);
  if (!field)
    context.error("field", fmt::format("there is no field `{}` here", p.field),
                  "select the field that holds the bytes");
  if (!parts || !field) return in;
  const FieldSpec& spec = in.fields[*field];
  if (spec.dtype != DType::Encoded && spec.dtype != DType::U8)
    context.error("field", fmt::format("`{}` is {}, not bytes", p.field, nameOf(spec.dtype)),
                  "select a field of u8 or encoded bytes");
  std::vector<FieldSpec> made;
  for (const Part& part : *parts) {
    made.push_back(part.spec);
    if (spec.dtype == DType::U8 && spec.shape.known() &&
        part.first + part.count > 8 * static_cast<std::size_t>(spec.shape.elements()))
      context.error("parts",
                    fmt::format("`{}` ends at bit {}, but `{}` has {} bits", part.spec.name,
                                part.first + part.count, p.field, 8 * spec.shape.elements()),
                    "count bits from 0; the most significant bit of each byte comes first");
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
      return Error{fmt::format("has {} bits, but the parts need {}", bytes.bytes * 8, m_needed)};
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
  MILLRACE_ASSIGN_OR_RETURN(auto parts, partsOf(p.parts));
  const std::optional<std::size_t> field = fieldIndex(context.in, p.field);
  if (!field) return Error{"there is no field `" + p.field + "`"};
  return std::unique_ptr<SampleOp>(
      std::make_unique<BitUnpack>(std::move(parts), *field, context.in.fields.size()));
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

bool hasKnownSize(const FieldSpec* packed) {
  return packed != nullptr && packed->dtype == DType::U8 && packed->shape.rank() == 1 &&
         packed->shape[0] != Shape::kUnknown;
}

ExportText rowsTorch(const Params& p, const ExportContext& context) {
  const auto parts = partsOf(p.parts);
  if (!parts || !hasKnownSize(context.in.field(p.field)))
    return longForm("its bytes have no known number");
  ExportText text;
  text.import("import numpy as np")
      .step(fmt::format("bits = np.unpackbits(sample.pop({}), axis=-1)", pythonText(p.field)),
            {p.field})
      .traits({});
  for (const Part& part : *parts) {
    if (part.spec.layout != Layout::Plain) return longForm("a part is a picture");
    if (part.spec.dtype == DType::BF16) return longForm("NumPy has no bf16");
    std::string value = fmt::format("bits[:, {}:{}]", part.first, part.first + part.count);
    if (part.spec.shape.rank() == 0) value = fmt::format("bits[:, {}]", part.first);
    const std::string shape = shapeText(part.spec, true);
    if (part.spec.shape.rank() > 1)
      value += fmt::format(".reshape({})", std::string_view(shape).substr(1, shape.size() - 2));
    // A view would take all bits along to the main process.
    if (part.spec.dtype == DType::U8) value += ".copy()";
    text.value({part.spec.name}, value, {.computed = DType::U8, .stored = part.spec.dtype});
  }
  return text;
}

ExportText shortTf(const Params& p, const ExportContext& context, bool batch) {
  const auto parts = partsOf(p.parts);
  if (!parts || !hasKnownSize(context.in.field(p.field)))
    return longForm("its bytes have no known number");
  ExportText text;
  text.needs("bits")
      .step(fmt::format("bits = unpacked_bits(sample.pop({}))", pythonText(p.field)), {p.field})
      .traits({});
  for (const Part& part : *parts) {
    if (part.spec.layout != Layout::Plain) return longForm("a part is a picture");
    std::string value = fmt::format("bits[..., {}:{}]", part.first, part.first + part.count);
    if (part.spec.shape.rank() == 0) value = fmt::format("bits[..., {}]", part.first);
    if (part.spec.shape.rank() > 1)
      value = fmt::format("tf.reshape({}, {})", value, shapeText(part.spec, batch));
    text.value({part.spec.name}, value, {.computed = DType::U8, .stored = part.spec.dtype});
  }
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("bit_unpack", Category::Decode, NodeRole::Sample);
  d.label("Unpack bits")
      .help(
          "Unpacks bits to fields of 0 and 1, before or after the batch node. Bits are counted "
          "from 0, with the most significant bit of each byte first, like NumPy's unpackbits.");
  d.example(
      R"({"field": "d", "parts": ["board=0:8x8x24:f32", "flags=1536:10", "mate=1546:scalar"]})");
  d.tags({"unpackbits", "packed", "binary", "bitboard", "tf.io.decode_raw"});
  d.text("field", &Params::field).label("Field").help("Field that holds the bytes.");
  d.texts("parts", &Params::parts)
      .label("Parts")
      .help(
          "The fields and their bits, as NAME=FIRST:SHAPE, optionally followed by an element type "
          "(default u8) and a role, each after a colon: board=0:8x8x24:f32. They replace the "
          "field; bits that are in no part are dropped.");
  d.infer(infer);
  d.sample(make);
  d.exporters({"pytorch", "tfdata"}, exported);
  d.exporter("dali", notTranslated<Params>);
  d.exporter("grain", notTranslated<Params>);
  d.exporter("tfdata.short", [](const Params& p, const ExportContext& context) {
    return shortTf(p, context, false);
  });
  d.exporter("tfdata.rows", [](const Params& p, const ExportContext& context) {
    return shortTf(p, context, true);
  });
  d.exporter("pytorch.rows", rowsTorch);
  return d.take();
}

}  // namespace millrace::nodes::bit_unpack
