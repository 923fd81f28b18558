// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/formats/example_fields.h"
#include "core/nodes/example_keys.h"
#include "core/spec/describe.h"

namespace millrace::nodes {

namespace {

struct Params {
  std::string field = "record";
  TextList keys{"image=image/encoded", "label=image/class/label"};
};

/// The fields in front of the record, those that were parsed, then the rest.
std::vector<FieldSpec> spliced(const std::vector<FieldSpec>& in, std::size_t record,
                               const std::vector<ExampleField>& parsed) {
  std::vector<FieldSpec> out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i != record) out.push_back(in[i]);
    if (i == record)
      for (const ExampleField& field : parsed) out.push_back(field.spec);
  }
  return out;
}

std::size_t recordIn(const StreamType& in, const std::string& name) {
  const auto found = std::find_if(in.fields.begin(), in.fields.end(),
                                  [&](const FieldSpec& field) { return field.name == name; });
  return static_cast<std::size_t>(found - in.fields.begin());
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  const auto parsed = parseExampleKeys(p.keys);
  if (!parsed) context.error("keys", parsed.error().message, "write NAME=KEY, as `nodes` explains");
  const std::size_t record = recordIn(in, p.field);
  if (record == in.fields.size())
    context.error("field", fmt::format("there is no field `{}` here", p.field),
                  "put it behind a tfrecord whose content is bytes");
  if (!parsed || record == in.fields.size()) return out;
  if (in.fields[record].dtype != DType::Encoded)
    context.error("field", fmt::format("`{}` is no run of bytes", p.field), "name another field");
  if (parsed->empty()) context.error("keys", "no key is given", "name those that you want");
  for (const ExampleField& field : *parsed)
    if (!field.typed)
      context.error("keys", fmt::format("`{}` has no type", field.spec.name),
                    "add it, as in `board=d:u8:194`; `millrace inspect` shows what keys hold");
  for (const ExampleField& field : *parsed)
    if (field.spec.name != p.field && in.field(field.spec.name) != nullptr)
      context.error("keys", fmt::format("there is a field `{}` already", field.spec.name),
                    "give it another name");
  StreamType spread = in;
  spread.fields = spliced(in.fields, record, *parsed);
  for (std::size_t i = 0; i < spread.fields.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (spread.fields[i].name == spread.fields[k].name) return out;
  return spread;
}

class ExampleParse final : public SampleOp {
 public:
  ExampleParse(std::vector<ExampleField> fields, std::size_t record, std::size_t fieldsIn)
      : m_parser(std::move(fields)), m_record(record), m_fieldsIn(fieldsIn) {
    for (std::size_t i = 0; i < m_parser.fields().size(); ++i) m_places.push_back(record + i);
  }

  Status process(Sample& sample, const OpContext&) override {
    const TensorView record = sample[m_record];
    const std::size_t parsed = m_places.size();
    const std::size_t fieldsOut = m_fieldsIn - 1 + parsed;
    // What stands behind the record moves first, from the end where there is more of it then.
    m_behind.clear();
    for (std::size_t i = m_record + 1; i < m_fieldsIn; ++i) m_behind.push_back(sample[i]);
    for (std::size_t i = 0; i < m_behind.size(); ++i)
      sample.borrow(m_record + parsed + i, m_behind[i]);
    MILLRACE_TRY(m_parser.parse(record.content(), sample, m_places));
    for (std::size_t i = fieldsOut; i < sample.fields(); ++i) sample[i] = TensorView{};
    return {};
  }
  std::vector<std::size_t> replaces() const override { return m_places; }

 private:
  ExampleParser m_parser;
  const std::size_t m_record;
  const std::size_t m_fieldsIn;
  std::vector<std::size_t> m_places;
  std::vector<TensorView> m_behind;
};

Result<std::unique_ptr<SampleOp>> make(const Params& p, const BuildContext& context) {
  auto fields = parseExampleKeys(p.keys);
  if (!fields) return fields.error();
  const std::size_t record = recordIn(context.in, p.field);
  if (record == context.in.fields.size()) return Error{"there is no field `" + p.field + "`"};
  return std::unique_ptr<SampleOp>(
      std::make_unique<ExampleParse>(fields.take(), record, context.in.fields.size()));
}

ExportText missing(const Params&, const ExportContext&) {
  ExportText text;
  text.missing =
      "Millrace writes no parser of tf.train.Example for this target yet: put in your own, which "
      "makes the same fields of the same keys.";
  return text;
}

}  // namespace

NodeSpec example_parse() {
  Describe<Params> d("example_parse", Category::Decode, NodeRole::Sample);
  d.label("Parse example")
      .help(
          "Makes fields of a tf.train.Example, before the batch or behind it. Pictures stay files, "
          "for decode. A record that lacks a key, or has another number of values, fails alone.");
  d.example(R"({"keys": ["board=d:u8:194", "score=s:i64:scalar"]})");
  d.tags({"tensorflow", "tfrecord", "protobuf", "features", "parse_example"});
  d.text("field", &Params::field).label("Field").help("Which field holds the record.");
  ParamBuilder keys = d.texts("keys", &Params::keys);
  describeKeys(keys);
  d.infer(infer);
  d.sample(make);
  d.exporter("pytorch", missing);
  d.exporter("tfdata", missing);
  d.exporter("dali", missing);
  return d.take();
}

}  // namespace millrace::nodes
