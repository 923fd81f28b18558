// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/example_keys.h"
#include "core/node_parts/fields/field_places.h"
#include "core/node_parts/record_text.h"
#include "core/node_parts/short_text.h"
#include "core/spec/describe.h"

namespace millrace::nodes::example_parse {

namespace {

struct Params {
  std::string field = "record";
  TextList keys{"image=image/encoded", "label=image/class/label"};
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const auto parsed = parseExampleKeys(p.keys);
  if (!parsed)
    context.error("keys", parsed.error().message,
                  "use NAME=KEY, see `millrace nodes example_parse`");
  const std::optional<std::size_t> record = fieldIndex(in, p.field);
  if (!record)
    context.error("field", fmt::format("there is no field `{}` here", p.field),
                  "put it after a tfrecord node with content bytes");
  if (!parsed || !record) return in;
  if (in.fields[*record].dtype != DType::Encoded)
    context.error("field", fmt::format("`{}` does not hold bytes", p.field),
                  "select another field");
  if (parsed->empty()) context.error("keys", "there are no keys", "list the keys that you need");
  std::vector<FieldSpec> made;
  for (const ExampleField& field : *parsed) {
    made.push_back(field.spec);
    if (!field.typed)
      context.error("keys", fmt::format("`{}` has no type", field.spec.name),
                    "add one, as in `board=d:u8:194`");
  }
  return spliced(in, *record, made, "keys", context);
}

class ExampleParse final : public SampleOp {
 public:
  ExampleParse(std::vector<ExampleField> fields, std::size_t record, std::size_t fieldsIn)
      : m_parser(std::move(fields)), m_record(record), m_fieldsIn(fieldsIn) {
    for (std::size_t i = 0; i < m_parser.fields().size(); ++i) m_places.push_back(record + i);
  }

  Status process(Sample& sample, const OpContext&) override {
    const TensorView record = sample[m_record];
    openPlaces(sample, m_record, m_fieldsIn, m_places.size());
    MILLRACE_TRY(m_parser.parse(record.content(), sample, m_places));
    clearPlaces(sample, m_fieldsIn - 1 + m_places.size());
    return {};
  }
  std::vector<std::size_t> replaces() const override { return m_places; }
  bool rearranges() const override { return true; }

 private:
  ExampleParser m_parser;
  const std::size_t m_record;
  const std::size_t m_fieldsIn;
  std::vector<std::size_t> m_places;
};

Result<std::unique_ptr<SampleOp>> make(const Params& p, const BuildContext& context) {
  MILLRACE_ASSIGN_OR_RETURN(auto fields, parseExampleKeys(p.keys));
  const std::optional<std::size_t> record = fieldIndex(context.in, p.field);
  if (!record) return Error{"there is no field `" + p.field + "`"};
  return std::unique_ptr<SampleOp>(
      std::make_unique<ExampleParse>(std::move(fields), *record, context.in.fields.size()));
}

ExportText exported(const Params& p, const ExportContext&, std::string_view target) {
  const auto fields = parseExampleKeys(p.keys);
  ExportText text;
  if (target == "dali" || target == "grain") {
    text.missing =
        "There is no operator for a tf.train.Example within this target's pipeline: name the keys "
        "in the "
        "tfrecord node, whose reader unpacks records, and remove this node.";
    return text;
  }
  if (fields) addExampleStep(target, p.field, *fields, text);
  return text;
}

ExportText shortTf(const Params& p, bool batch) {
  ExportText text;
  const auto fields = parseExampleKeys(p.keys);
  if (!fields) return longForm("its fields are not known");
  addShortExample(p.field, *fields, batch, text);
  return text;
}

ExportText rowsTorch(const Params& p, const ExportContext&) {
  ExportText text;
  const auto fields = parseExampleKeys(p.keys);
  if (!fields) return longForm("its fields are not known");
  addTorchExamples(p.field, *fields, text);
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("example_parse", Category::Decode, NodeRole::Sample);
  d.label("Parse example")
      .help(
          "Unpacks a tf.train.Example to fields, before or after the batch node. Pictures stay "
          "encoded files, for decode. A record that lacks a key, or has a different number of "
          "values, fails its sample only.");
  d.example(R"({"keys": ["board=d:u8:194", "score=s:i64:scalar"]})");
  d.tags({"tensorflow", "tfrecord", "protobuf", "features", "parse_example"});
  d.text("field", &Params::field).label("Field").help("Field that holds the record.");
  ParamBuilder keys = d.texts("keys", &Params::keys);
  describeKeys(keys);
  d.infer(infer);
  d.sample(make);
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, exported);
  d.exporter("tfdata.short",
             [](const Params& p, const ExportContext&) { return shortTf(p, false); });
  d.exporter("tfdata.rows", [](const Params& p, const ExportContext&) { return shortTf(p, true); });
  d.exporter("pytorch.rows", rowsTorch);
  return d.take();
}

}  // namespace millrace::nodes::example_parse
