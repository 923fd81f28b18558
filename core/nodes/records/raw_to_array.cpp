// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/field_text.h"
#include "core/node_parts/fields/field_places.h"
#include "core/node_parts/record_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::raw_to_array {

namespace {

enum class ByteOrder : std::uint8_t { Little, Big };

struct Params {
  std::string field = "data";
  std::string as = "f32:?";
  ByteOrder order = ByteOrder::Little;
};

Result<FieldSpec> specOf(const Params& p, const FieldSpec& from) {
  FieldDescription said;
  for (const std::string& word : millrace::split(p.as, ':'))
    if (!said.take(word))
      return Error{fmt::format("`{}` is neither a type, a shape nor a role", validUtf8(word))};
  if (!said.dtype || !said.shape) return Error{"an element type and a shape are needed"};
  if (*said.dtype == DType::Encoded) return Error{"the type must not be encoded"};
  if (std::count(said.shape->begin(), said.shape->end(), Shape::kUnknown) > 1)
    return Error{"at most one size may be unknown"};
  FieldSpec spec = from;
  spec.dtype = *said.dtype;
  spec.shape = *said.shape;
  spec.role = said.role.value_or(from.role);
  spec.layout = Layout::Plain;
  if (isPicture(spec.role) && spec.shape.rank() == 3)
    spec.layout = said.layout.value_or(Layout::Hwc);
  return spec;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const std::optional<std::size_t> field = fieldIndex(in, p.field);
  if (!field) {
    context.error("field", fmt::format("there is no field `{}` here", p.field),
                  "select the field that holds the bytes");
    return in;
  }
  const FieldSpec& from = in.fields[*field];
  if (from.dtype != DType::Encoded && from.dtype != DType::U8)
    context.error("field", fmt::format("`{}` is {}, not bytes", p.field, nameOf(from.dtype)),
                  "select a field of encoded bytes or u8");
  const auto spec = specOf(p, from);
  if (!spec) {
    context.error("as", spec.error().message, "use for example f32:3x64x64 or i16:?x2");
    return in;
  }
  StreamType out = in;
  out.fields[*field] = *spec;
  return out;
}

void reverseElements(const std::byte* from, std::byte* to, std::size_t bytes, std::size_t element) {
  for (std::size_t at = 0; at < bytes; at += element)
    std::reverse_copy(from + at, from + at + element, to + at);
}

class RawToArray final : public SampleOp {
 public:
  RawToArray(FieldSpec spec, std::size_t field, bool swap)
      : m_spec(std::move(spec)), m_field(field), m_element(sizeOf(m_spec.dtype)), m_swap(swap) {}

  Status process(Sample& sample, const OpContext&) override {
    const TensorView from = sample[m_field];
    const auto shape =
        from.bytes % m_element == 0 ? fitted(m_spec.shape, from.bytes / m_element) : std::nullopt;
    if (!shape)
      return Error{fmt::format("has {} bytes, which is not {} of {}", from.bytes,
                               m_spec.shape.text(), nameOf(m_spec.dtype))};
    if (!m_swap && reinterpret_cast<std::uintptr_t>(from.data) % m_element == 0) {
      // In place: the same memory with another type.
      TensorView& value = sample[m_field];
      value.dtype = m_spec.dtype;
      value.layout = m_spec.layout;
      value.shape = *shape;
      return {};
    }
    const TensorView to = sample.replace(m_field, m_spec.dtype, *shape, m_spec.layout);
    reverseOrCopy(from, to);
    return {};
  }

 private:
  void reverseOrCopy(const TensorView& from, const TensorView& to) const {
    if (m_swap)
      reverseElements(from.data, to.data, from.bytes, m_element);
    else
      std::copy_n(from.data, from.bytes, to.data);
  }

  const FieldSpec m_spec;
  const std::size_t m_field;
  const std::size_t m_element;
  const bool m_swap;
};

Result<std::unique_ptr<SampleOp>> make(const Params& p, const BuildContext& context) {
  const std::optional<std::size_t> field = fieldIndex(context.in, p.field);
  if (!field) return Error{"there is no field `" + p.field + "`"};
  MILLRACE_ASSIGN_OR_RETURN(auto spec, specOf(p, context.in.fields[*field]));
  const bool swap = p.order == ByteOrder::Big && sizeOf(spec.dtype) > 1;
  return std::unique_ptr<SampleOp>(std::make_unique<RawToArray>(std::move(spec), *field, swap));
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  ExportText text;
  const FieldSpec* spec = context.out.field(p.field);
  const bool torch = target == "pytorch";
  if (spec == nullptr || (torch && spec->dtype == DType::BF16)) {
    text.missing = "NumPy, which reads the bytes, has no bf16: read u16, or insert your own code.";
    return text;
  }
  return text.needs("raw_to_array")
      .step((torch ? "RawToArray(" : "raw_to_array(sample, ") +
            fieldLiteral(pythonText(p.field), *spec) +
            (p.order == ByteOrder::Big ? ", big=True)" : ")"));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("raw_to_array", Category::Decode, NodeRole::Sample);
  d.label("Raw to array")
      .help(
          "Interprets bytes as an array of numbers, before or after the batch node. Nothing is "
          "copied if the bytes are suitably aligned and ordered.");
  d.example(R"({"field": "data", "as": "f32:3x64x64"})");
  d.tags({"decode_raw", "frombuffer", "binary", "reshape", "bytes"});
  d.text("field", &Params::field).label("Field").help("Field that holds the bytes.");
  d.text("as", &Params::as)
      .label("As")
      .help(
          "Element type and shape, followed by a role and, for pictures, hwc or chw, each after a "
          "colon: f32:3x64x64:image:chw. One size may be `?`, which is computed from the number of "
          "bytes.");
  d.choice("order", &Params::order,
           {{ByteOrder::Little, "little", "least significant byte first, as on x86 and Arm"},
            {ByteOrder::Big, "big", "most significant byte first"}})
      .label("Byte order")
      .help("Order of the bytes of an element.");
  d.infer(infer);
  d.sample(make);
  d.exporters({"pytorch", "tfdata"}, exported);
  d.exporter("dali", notTranslated<Params>);
  d.exporter("grain", notTranslated<Params>);
  return d.take();
}

}  // namespace millrace::nodes::raw_to_array
