// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/base/text/text.h"
#include "core/data/field_text.h"
#include "core/node_parts/own_code.h"
#include "core/own_python/python_worker.h"
#include "core/spec/describe.h"
#include "core/spec/source.h"
#include "core/spec/untracked_data.h"

namespace millrace::nodes::python_dataset {

namespace {

struct Params : OwnCode {
  TextList items{"image", "label"};
};

/// NAME or NAME=ROLE. The type and the shape of pictures and labels are the usual ones until the
/// first sample is known.
Result<FieldSpec> fieldOf(const std::string& entry) {
  const std::size_t equals = std::min(entry.find('='), entry.size());
  FieldSpec spec;
  spec.name = entry.substr(0, equals);
  std::optional<Role> role = roleNamed(spec.name);
  if (equals < entry.size()) role = roleNamed(entry.substr(equals + 1));
  if (!isFieldName(spec.name) || (equals < entry.size() && !role))
    return Error{
        fmt::format("`{}` is neither NAME nor NAME=ROLE, with a name of lower-case letters, "
                    "digits and _",
                    validUtf8(entry))};
  spec.role = role.value_or(Role::Features);
  if (spec.role == Role::Label) {
    spec.dtype = DType::I64;
  } else if (isPicture(spec.role)) {
    spec.shape = {Shape::kUnknown, Shape::kUnknown, Shape::kUnknown};
    spec.layout = Layout::Hwc;
  } else {
    spec.dtype = DType::F32;
    spec.shape = {Shape::kUnknown};
  }
  return spec;
}

Result<std::vector<FieldSpec>> fieldsOf(const Params& p) {
  std::vector<FieldSpec> fields;
  for (const std::string& entry : p.items) {
    MILLRACE_ASSIGN_OR_RETURN(auto field, fieldOf(entry));
    if (std::ranges::any_of(fields, [&](const auto& other) { return other.name == field.name; }))
      return Error{fmt::format("`{}` is there twice", field.name)};
    fields.push_back(std::move(field));
  }
  if (fields.empty()) return Error{"a sample has at least one field"};
  return fields;
}

Result<std::vector<TensorView>> readItem(PythonWorker& worker, std::int64_t index,
                                         const SampleKey& key) {
  const TensorView number{
      DType::I64, Layout::Plain, {}, reinterpret_cast<std::byte*>(&index), sizeof index};
  return worker.call({&number, 1}, seedOfItem(static_cast<std::uint32_t>(index), key),
                     [] { return true; });
}

/// What the first sample has in place of a field whose type is not known: everything but the height
/// and width of a picture is the same in all samples.
FieldSpec learned(FieldSpec spec, const TensorView& first) {
  spec.dtype = first.dtype;
  spec.shape = first.shape;
  if (spec.layout == Layout::Hwc && first.shape.rank() == 3)
    spec.shape[0] = spec.shape[1] = Shape::kUnknown;
  else
    spec.layout = Layout::Plain;
  return spec;
}

class Reader final : public SourceReader {
 public:
  Reader(std::shared_ptr<PythonProgram> program, const std::vector<FieldSpec>& fields)
      : m_worker(std::move(program)), m_fields(fields) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters&) override {
    MILLRACE_ASSIGN_OR_RETURN(const auto values, readItem(m_worker, index, sample.key()));
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
      const FieldSpec& field = m_fields[i];
      const TensorView& value = values[i];
      if (value.dtype != field.dtype || !fits(value.shape, field.shape))
        return Error{fmt::format("`{}` is {} {}, but {} {} in the first sample", field.name,
                                 nameOf(value.dtype), value.shape.text(), nameOf(field.dtype),
                                 field.shape.text())};
      const TensorView to = sample.replace(i, value.dtype, value.shape, field.layout);
      if (value.bytes > 0) std::memcpy(to.data, value.data, value.bytes);
    }
    return {};
  }

 private:
  PythonWorker m_worker;
  const std::vector<FieldSpec>& m_fields;
};

class PythonDataset final : public Source, public UntrackedData {
 public:
  PythonDataset(std::shared_ptr<PythonProgram> program, std::vector<FieldSpec> fields)
      : m_program(std::move(program)), m_fields(std::move(fields)) {}

  std::uint32_t size() const override { return static_cast<std::uint32_t>(m_program->samples()); }
  std::vector<FieldSpec> fields() const override { return m_fields; }
  std::string name(std::uint32_t index) const override {
    return fmt::format("{}[{}]", m_program->function().shown(), index);
  }
  std::unique_ptr<SourceReader> reader() const override {
    return std::make_unique<Reader>(m_program, m_fields);
  }

 private:
  const std::shared_ptr<PythonProgram> m_program;
  const std::vector<FieldSpec> m_fields;
};

Result<std::shared_ptr<const Source>> open(const Params& p, const BuildContext& context) {
  MILLRACE_ASSIGN_OR_RETURN(auto fields, fieldsOf(p));
  MILLRACE_ASSIGN_OR_RETURN(auto function, ownFunction(p, context.base));
  MILLRACE_TRY(findOnDisk(p, function));
  function.dataset = true;
  function.inputs = {"index"};
  for (const FieldSpec& field : fields)
    function.results.push_back({field.name, field.layout == Layout::Hwc});
  MILLRACE_ASSIGN_OR_RETURN(auto program, PythonProgram::of(function));
  if (program->samples() > std::numeric_limits<std::uint32_t>::max())
    return Error{fmt::format("{} has {} samples; 4 294 967 295 are the most", function.shown(),
                             grouped(static_cast<std::uint64_t>(program->samples())))};
  if (program->samples() > 0) {
    PythonWorker worker(program);
    MILLRACE_ASSIGN_OR_RETURN(const auto first, readItem(worker, 0, {}));
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = learned(fields[i], first[i]);
  }
  return std::shared_ptr<const Source>(
      std::make_shared<PythonDataset>(std::move(program), std::move(fields)));
}

StreamType infer(const Params& p, const StreamType&, InferContext& context) {
  StreamType out;
  if (const Status named = checkOwnName(p); !named)
    context.error("dataset", named.error().message,
                  "name a dataset in `file`, or MODULE:NAME without a file");
  auto fields = fieldsOf(p);
  if (!fields) {
    context.error("items", fields.error().message,
                  "use for example image, mask or length=features");
    fields = fieldsOf({});
  }
  out.fields = fields.take();
  if (p.random) out.randomFrom = context.node();
  return out;
}

ExportText notRead(const Params&, const ExportContext&) {
  ExportText text;
  text.missing = "Millrace does not write code that reads a dataset of yours: insert it here.";
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("python_dataset", Category::Source, NodeRole::Source);
  d.label("Python dataset")
      .help(
          "Reads the samples of a dataset of yours: an object with `__len__` and `__getitem__`, "
          "such "
          "as a torch Dataset, or a function that returns one. Each worker has its own process, "
          "which your file is imported into once. A pipeline with this node runs the code in that "
          "file.");
  d.example(R"({"file": "train.py", "dataset": "dataset", "items": ["image", "label"]})");
  d.tags({"torch", "Dataset", "own", "custom", "map-style", "py_function", "external_source",
          "from_generator"});
  describeOwnCode(d, "dataset", "Dataset", "The name of the dataset in the file.");
  d.texts("items", &Params::items)
      .label("Items")
      .help(
          "The names of what a sample consists of, in order or as in its dict: NAME, or NAME=ROLE "
          "with one of the roles image, target, mask, label and features.");
  describeOwnLimits(d);
  d.infer(infer);
  d.source(open);
  d.exporters({"pytorch", "tfdata", "dali", "grain"},
              [](const Params& p, const ExportContext& context, std::string_view) {
                return notRead(p, context);
              });
  return d.take();
}

}  // namespace millrace::nodes::python_dataset
