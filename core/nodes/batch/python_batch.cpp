// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/node_parts/array_text.h"
#include "core/node_parts/own_code.h"
#include "core/own_python/python_worker.h"
#include "core/spec/describe.h"
#include "core/spec/fallible_batch_op.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::python_batch {

namespace {

enum class Form : std::uint8_t { Numpy, Torch };

struct Params : OwnCode {
  TextList fields;
  Form as = Form::Numpy;
  bool byName = false;
};

std::vector<std::size_t> fieldsOf(const Params& p, const StreamType& in) {
  return actedFields(in, p.fields, {Role::Image, Role::Target, Role::Mask});
}

void checkField(const FieldSpec& field, InferContext& context) {
  if (field.dtype == DType::BF16)
    context.error("fields", fmt::format("NumPy has no bf16, the type of `{}`", field.name),
                  "leave it out, or convert it after this node");
  else if (isRagged(field))
    context.error(
        "fields",
        fmt::format("the samples of `{}` vary in size, so they are not one array", field.name),
        "resize or pad them before the batch node, or use a python node before it");
  else if (field.shape.rank() >= Shape::kMaxRank)
    context.error("fields",
                  fmt::format("`{}` has {} dimensions, and {} is the limit for a batch", field.name,
                              field.shape.rank(), Shape::kMaxRank - 1),
                  "leave it out");
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  if (const Status named = checkOwnName(p); !named)
    context.error("function", named.error().message,
                  "name a function of `file`, or MODULE:NAME without a file");
  if (!checkFields(in, p.fields, {Role::Image, Role::Target, Role::Mask}, context)) return in;
  const auto fields = fieldsOf(p, in);
  for (const std::size_t i : fields) checkField(in.fields[i], context);
  if (fields.size() > CallMemory::kMostFields)
    context.error("fields", "a function takes and returns at most 64 fields", "name fewer");
  StreamType out = in;
  if (p.random) out.randomFrom = context.node();
  return out;
}

/// The rows of a dense field as one array.
TensorView arrayOf(const BatchField& field, std::size_t rows) {
  TensorView all = field.row(0);
  all.shape = field.shapeOf(rows);
  all.bytes = field.rowBytes * rows;
  return all;
}

class PythonBatch final : public FallibleBatchOp {
 public:
  PythonBatch(std::vector<std::size_t> fields, std::shared_ptr<PythonProgram> program)
      : m_fields(std::move(fields)), m_worker(std::move(program)) {}

  Status processOrFail(Batch& batch, const OpContext& context) override {
    m_arrays.clear();
    for (const std::size_t i : m_fields) m_arrays.push_back(arrayOf(batch.fields[i], batch.rows));
    const auto seed = seedOf(context.draw({batch.epoch, batch.indexInEpoch, 0}));
    const std::uint64_t before = m_worker.replaced();
    const auto results = m_worker.call(m_arrays, seed, [&context] { return context.wanted(); });
    context.count(0, m_worker.replaced() - before);
    if (!results) return results.error();
    for (std::size_t i = 0; i < results->size(); ++i)
      MILLRACE_TRY(take((*results)[i], m_arrays[i], batch.fields[m_fields[i]].spec.name));
    return {};
  }
  std::vector<std::string> counterNames() const override { return {"processes replaced"}; }

 private:
  static Status take(const TensorView& result, const TensorView& to, const std::string& name) {
    if (result.dtype != to.dtype || result.shape != to.shape)
      return Error{fmt::format(
          "the function returned {} {} for `{}`, which has to stay {} {}: a python node before the "
          "batch node can change type and shape",
          nameOf(result.dtype), result.shape.text(), name, nameOf(to.dtype), to.shape.text())};
    if (result.bytes > 0) std::memcpy(to.data, result.data, result.bytes);
    return {};
  }

  const std::vector<std::size_t> m_fields;
  PythonWorker m_worker;
  std::vector<TensorView> m_arrays;
};

Result<PythonFunction> functionOf(const Params& p, const StreamType& in,
                                  const std::filesystem::path& base) {
  MILLRACE_ASSIGN_OR_RETURN(auto function, ownFunction(p, base));
  for (const std::size_t i : fieldsOf(p, in)) {
    const FieldSpec& field = in.fields[i];
    function.inputs.push_back(field.name);
    function.results.push_back({field.name, field.layout == Layout::Hwc});
  }
  function.batch = true;
  function.byName = p.byName;
  function.form = p.as == Form::Torch ? "torch" : "numpy";
  return function;
}

Result<std::unique_ptr<BatchOp>> make(const Params& p, const BuildContext& context) {
  MILLRACE_ASSIGN_OR_RETURN(auto function, functionOf(p, context.in, context.base));
  MILLRACE_TRY(findOnDisk(p, function));
  MILLRACE_ASSIGN_OR_RETURN(auto program, PythonProgram::of(function));
  return std::unique_ptr<BatchOp>(
      std::make_unique<PythonBatch>(fieldsOf(p, context.in), std::move(program)));
}

constexpr const char* kOneAtATime =
    "tf.data calls your Python functions in one process, one call at a time.";

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  ExportText text;
  const auto function = functionOf(p, context.in, context.base);
  if (!function) {
    text.missing = function.error().message;
    return text;
  }
  if (target == "grain" && p.random) {
    text.missing =
        "The target has no draw for a whole batch: call your function in the training step.";
    return text;
  }
  if (pythonTextNeedsOs(function->file.string())) text.import("import os");
  if (p.random) text.limit("Your Python functions get other random numbers than in Millrace.");
  text.needs("call_own_batch");
  std::vector<std::string> channelsLast;
  for (const PythonResult& result : function->results)
    if (result.hwc) channelsLast.push_back(result.name);
  std::string more = ", " + pythonTexts(channelsLast);
  if (target == "tfdata") {
    text.limit(kOneAtATime);
    more += ", " + (p.random ? drawIn(context, text) : "None");
  }
  const bool inPytorch = target == "pytorch";
  const std::string call = fmt::format("call_own_batch({}, {})", inPytorch ? "sample" : "batch",
                                       ownCall(*function, more));
  return text.step(inPytorch ? "lambda sample: " + call : call);
}

ExportText notCalled(const Params&, const ExportContext&) {
  ExportText text;
  text.missing =
      "Millrace does not write code for this target that calls a Python function: insert a call of "
      "yours.";
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("python_batch", Category::Tensor, NodeRole::BatchOp);
  d.label("Python function on batches")
      .help(
          "Calls a Python function of yours with fields of a whole batch, as NumPy arrays of "
          "samples x ..., and puts what it returns in their place: arrays of the same type and "
          "shape. If a call fails, all samples of its batch fail. Random numbers depend on seed, "
          "epoch and the number of the batch in its epoch: random, numpy and torch are seeded "
          "before each call, or the function takes a numpy.random.Generator as `rng`. A pipeline "
          "with this node runs the code in that file.");
  d.example(R"({"file": "train.py", "function": "mix", "fields": ["image", "label"]})");
  d.cpuOnly();
  d.tags({"collate", "collate_fn", "map", "lambda", "own", "custom", "numpy", "py_function",
          "numpy_function", "python_function", "transform"});
  describeOwnCode(d, "function", "Function",
                  "The name of a function, or of an object that can be called.");
  d.fields(&Params::fields);
  d.choice<Form>(
       "as", &Params::as,
       {{Form::Numpy, "numpy", "Pictures are arrays of samples x height x width x channels."},
        {Form::Torch, "torch",
         "Fields are torch tensors, pictures of samples x channels x height x width."}})
      .label("Given as")
      .help("What the function gets.");
  d.boolean("by_name", &Params::byName)
      .label("By name")
      .help("Fields are passed as keyword arguments: f(image=...).");
  describeOwnLimits(d);
  d.infer(infer);
  d.batchOp(make);
  d.exporters({"pytorch", "tfdata", "grain"}, exported);
  d.exporter("dali", notCalled);
  return d.take();
}

}  // namespace millrace::nodes::python_batch
