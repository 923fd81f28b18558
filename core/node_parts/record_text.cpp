// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/record_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes {

namespace {

std::string shapeLiteral(const Shape& shape) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : shape)
    sizes.push_back(size == Shape::kUnknown ? "None" : std::to_string(size));
  return sizes.size() == 1 ? "(" + sizes.front() + ",)" : "(" + join(sizes, ", ") + ")";
}

}  // namespace

std::string arrayTypeName(DType type) {
  switch (type) {
    case DType::U8: return "uint8";
    case DType::I8: return "int8";
    case DType::U16: return "uint16";
    case DType::I16: return "int16";
    case DType::I32: return "int32";
    case DType::I64: return "int64";
    case DType::F16: return "float16";
    case DType::BF16: return "bfloat16";
    case DType::F32: return "float32";
    case DType::F64: return "float64";
    case DType::Encoded: break;
  }
  return "";
}

std::string fieldLiteral(const std::string& key, const FieldSpec& spec) {
  if (spec.dtype == DType::Encoded) return fmt::format("Field({})", key);
  std::string text =
      fmt::format("Field({}, \"{}\", {}", key, arrayTypeName(spec.dtype), shapeLiteral(spec.shape));
  if (spec.layout != Layout::Plain) text += spec.layout == Layout::Hwc ? ", \"hwc\"" : ", \"chw\"";
  if (spec.layout != Layout::Plain && spec.role == Role::Mask) text += ", mask=True";
  return text + ")";
}

std::string fieldLiterals(const std::vector<ExampleField>& fields) {
  std::vector<std::string> items;
  for (const ExampleField& field : fields)
    items.push_back(pythonText(field.spec.name) + ": " +
                    fieldLiteral(pythonText(field.key), field.spec));
  return "{" + join(items, ", ") + "}";
}

std::optional<std::vector<ExampleField>> fieldsSaid(const TextList& entries,
                                                    const ExportContext& context) {
  auto fields = parseExampleKeys(entries);
  if (!fields || fields->empty()) return std::nullopt;
  const bool seen = context.dataKnown && context.out.fields.size() == fields->size();
  for (std::size_t i = 0; i < fields->size(); ++i) {
    ExampleField& field = (*fields)[i];
    if (!field.typed && !seen) return std::nullopt;
    if (seen) field.spec = context.out.fields[i];
    if (field.spec.dtype == DType::BF16) return std::nullopt;
  }
  return fields.take();
}

ExportText fieldsNotSaid(std::string_view param) {
  ExportText text;
  text.missing = fmt::format(
      "The exported code does not detect fields from the data: name the fields in `{}`, with type "
      "and shape if the names do not determine them.",
      param);
  return text;
}

ExportText recordSource(std::string_view target, const std::string& reader,
                        const std::string& call) {
  ExportText text;
  if (target == "pytorch") return text.needs("tensors").needs(reader).step("Tensors(" + call + ")");
  return text.needs("records").needs(reader).step(call);
}

void addExampleStep(std::string_view target, const std::string& field,
                    const std::vector<ExampleField>& fields, ExportText& text) {
  const std::string arguments = pythonText(field) + ", " + fieldLiterals(fields) + ")";
  text.needs("parse_example");
  if (target == "pytorch") {
    text.step("ParseExample(" + arguments);
    return;
  }
  text.step("parse_example(sample, " + arguments);
  const auto isList = [](const ExampleField& taken) {
    return taken.spec.dtype == DType::I64 || taken.spec.dtype == DType::F32;
  };
  if (std::any_of(fields.begin(), fields.end(), isList))
    text.limit(
        "Fields of the types i64 and f32 are only read from lists of numbers. Millrace also "
        "reads them from bytes.");
}

}  // namespace millrace::nodes
