// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/record_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/node_parts/short_text.h"
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

std::vector<ExampleField> fieldsFound(const ExportContext& context) {
  std::vector<ExampleField> fields;
  if (context.keys.size() != context.out.fields.size()) return fields;
  for (std::size_t i = 0; i < context.keys.size(); ++i)
    fields.push_back({context.keys[i], context.out.fields[i], true});
  return fields;
}

std::optional<std::vector<ExampleField>> fieldsSaid(const TextList& entries,
                                                    const ExportContext& context) {
  auto fields = parseExampleKeys(entries);
  if (!fields) return std::nullopt;
  if (fields->empty()) *fields = fieldsFound(context);
  if (fields->empty()) return std::nullopt;
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

namespace {

bool isList(const FieldSpec& spec) { return spec.dtype == DType::I64 || spec.dtype == DType::F32; }

/// `sample["packed"] = tf.io.decode_raw(fields["d"], tf.uint8, 194)`; empty: not in the short form.
std::string shortField(const ExampleField& field, bool batch) {
  const FieldSpec& spec = field.spec;
  const std::string shape = shapeText(spec, batch);
  const bool encoded = spec.dtype == DType::Encoded;
  if (!encoded && (shape.empty() || spec.layout != Layout::Plain || spec.dtype == DType::BF16))
    return {};
  std::string value = fmt::format("fields[{}]", pythonText(field.key));
  if (!encoded && !isList(spec)) {
    const std::int64_t bytes =
        spec.shape.elements() * static_cast<std::int64_t>(sizeOf(spec.dtype));
    value = fmt::format("tf.io.decode_raw({}, tf.{}, fixed_length={})", value,
                        arrayTypeName(spec.dtype), bytes);
    if (spec.shape.rank() != 1) value = fmt::format("tf.reshape({}, {})", value, shape);
  }
  return fmt::format("sample[{}] = {}", pythonText(spec.name), value);
}

}  // namespace

void addShortExample(const std::string& field, const std::vector<ExampleField>& fields, bool batch,
                     ExportText& text) {
  std::vector<std::string> features;
  std::vector<std::string> statements;
  for (const ExampleField& wanted : fields) {
    const char* type = wanted.spec.dtype == DType::I64 ? "int64" : "float32";
    features.push_back(
        isList(wanted.spec)
            ? fmt::format("{}: tf.io.FixedLenFeature({}, tf.{})", pythonText(wanted.key),
                          shapeText(wanted.spec, false), type)
            : fmt::format("{}: tf.io.FixedLenFeature([], tf.string)", pythonText(wanted.key)));
    statements.push_back(shortField(wanted, batch));
    if (statements.back().empty())
      text.missing = "a field of its records is a picture of numbers, or of no known size";
  }
  text.step(fmt::format("features = {{{}}}", join(features, ", ")))
      .step(fmt::format("fields = tf.io.{}(sample.pop({}), features)",
                        batch ? "parse_example" : "parse_single_example", pythonText(field)));
  for (std::string& statement : statements) text.step(std::move(statement));
}

namespace {

/// Statements that make a field of a batch from `features`, a list with those of each record.
void addTorchField(const ExampleField& field, ExportText& text) {
  const FieldSpec& spec = field.spec;
  const std::string shape = shapeText(spec, true);
  if (spec.dtype == DType::Encoded || spec.dtype == DType::BF16 || shape.empty() ||
      spec.layout != Layout::Plain) {
    text.missing = "a field of its records is a picture, or of no known size";
    return;
  }
  const std::string feature = fmt::format("feature[{}]", pythonText(field.key));
  const std::string view =
      fmt::format(".reshape({})", std::string_view(shape).substr(1, shape.size() - 2));
  const std::string target = fmt::format("sample[{}] = ", pythonText(spec.name));
  if (isList(spec)) {
    const bool isNumber = spec.shape.rank() == 0;
    text.step(fmt::format("values = [{}.{}_list.value{} for feature in features]", feature,
                          spec.dtype == DType::I64 ? "int64" : "float", isNumber ? "[0]" : ""))
        .step(fmt::format("{}np.array(values, np.{}){}", target, arrayTypeName(spec.dtype),
                          isNumber ? "" : view));
    return;
  }
  text.step(
          fmt::format("raw = b\"\".join({}.bytes_list.value[0] for feature in features)", feature))
      .step(fmt::format("{}np.frombuffer(bytearray(raw), np.{}){}", target,
                        arrayTypeName(spec.dtype), view));
}

}  // namespace

void addTorchExamples(const std::string& field, const std::vector<ExampleField>& fields,
                      ExportText& text) {
  text.import("import numpy as np")
      .import("from tfrecord.example_pb2 import Example")
      .step(fmt::format("features = [Example.FromString(record).features.feature for record in "
                        "sample.pop({})]",
                        pythonText(field)));
  for (const ExampleField& wanted : fields) addTorchField(wanted, text);
}

}  // namespace millrace::nodes
