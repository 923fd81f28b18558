// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/field_text.h"
#include "core/node_parts/array_text.h"
#include "core/node_parts/fields/field_places.h"
#include "core/node_parts/own_code.h"
#include "core/node_parts/record_text.h"
#include "core/own_python/python_worker.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::python {

namespace {

/// What the function gets.
enum class Form : std::uint8_t { Numpy, Torch, Pil, Tensorflow };
constexpr const char* kForms[] = {"numpy", "torch", "pil", "tensorflow"};

struct Params : OwnCode {
  TextList fields;
  TextList results;
  Form as = Form::Numpy;
  bool byName = false;
};

/// The fields that the function takes and gives: indices into the stream, and their types.
struct Signature {
  std::vector<std::size_t> inputs;
  std::vector<std::size_t> outputs;
  std::vector<FieldSpec> results;  ///< one for each output
};

/// NAME, or NAME=TYPE:SHAPE with what differs from the field of that name. `stream` gets the field.
Result<std::size_t> addResult(const std::string& entry, StreamType& stream) {
  const std::size_t equals = std::min(entry.find('='), entry.size());
  const std::string name = entry.substr(0, equals);
  if (!isFieldName(name))
    return Error{
        fmt::format("`{}`: use NAME=TYPE:SHAPE with a name of lower-case letters, digits "
                    "and _",
                    validUtf8(entry))};
  FieldDescription said;
  if (equals < entry.size())
    for (const std::string& word : millrace::split(entry.substr(equals + 1), ':'))
      if (!said.take(word))
        return Error{fmt::format("`{}`: `{}` is neither a type, a shape, a role nor a layout",
                                 validUtf8(entry), validUtf8(word))};
  const std::optional<std::size_t> there = fieldIndex(stream, name);
  if (!there && (!said.dtype || !said.shape))
    return Error{fmt::format("`{}` is a new field: it needs a type and a shape", name)};
  FieldSpec spec;
  if (there) spec = stream.fields[*there];
  spec.name = name;
  spec.dtype = said.dtype.value_or(spec.dtype);
  if (spec.dtype == DType::BF16) return Error{fmt::format("`{}`: NumPy has no bf16", name)};
  spec.shape = said.shape.value_or(spec.shape);
  spec.role = said.role.value_or(there ? spec.role : roleNamed(name).value_or(Role::Features));
  spec.layout = said.layout.value_or(spec.layout);
  if (!isPicture(spec.role) || spec.shape.rank() != 3)
    spec.layout = Layout::Plain;
  else if (spec.layout == Layout::Plain)
    spec.layout = Layout::Hwc;
  if (there) {
    stream.fields[*there] = spec;
    return *there;
  }
  stream.fields.push_back(spec);
  return stream.fields.size() - 1;
}

Result<Signature> signatureOf(const Params& p, StreamType& stream) {
  Signature signature;
  signature.inputs = actedFields(stream, p.fields, {Role::Image, Role::Target, Role::Mask});
  for (const std::size_t i : signature.inputs)
    if (stream.fields[i].dtype == DType::BF16)
      return Error{fmt::format("NumPy has no bf16, the type of `{}`", stream.fields[i].name)};
  TextList entries = p.results;
  if (entries.empty())
    for (const std::size_t i : signature.inputs) entries.push_back(stream.fields[i].name);
  for (const std::string& entry : entries) {
    MILLRACE_ASSIGN_OR_RETURN(const std::size_t field, addResult(entry, stream));
    if (std::ranges::find(signature.outputs, field) != signature.outputs.end())
      return Error{fmt::format("`{}` is there twice", stream.fields[field].name)};
    signature.outputs.push_back(field);
    signature.results.push_back(stream.fields[field]);
  }
  return signature;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  if (const Status named = checkOwnName(p); !named)
    context.error("function", named.error().message,
                  "name a function of `file`, or MODULE:NAME without a file");
  if (!checkFields(in, p.fields, {Role::Image, Role::Target, Role::Mask}, context)) return in;
  StreamType out = in;
  const auto signature = signatureOf(p, out);
  if (!signature) {
    context.error("results", signature.error().message, "use for example image=f32:224x224x3");
    return in;
  }
  if (std::max(signature->inputs.size(), signature->outputs.size()) > CallMemory::kMostFields)
    context.error("fields", "a function takes and returns at most 64 fields", "name fewer");
  if (p.random) out.randomFrom = context.node();
  return out;
}

class Python final : public SampleOp {
 public:
  Python(Signature signature, std::shared_ptr<PythonProgram> program)
      : m_signature(std::move(signature)), m_worker(std::move(program)) {}

  Status process(Sample& sample, const OpContext& context) override {
    m_values.clear();
    for (const std::size_t i : m_signature.inputs) m_values.push_back(sample[i]);
    const auto seed = seedOf(context.draw(sample.key()));
    const std::uint64_t before = m_worker.replaced();
    const auto results = m_worker.call(m_values, seed, [&context] { return context.wanted(); });
    context.count(0, m_worker.replaced() - before);
    if (!results) return results.error();
    for (std::size_t i = 0; i < results->size(); ++i) MILLRACE_TRY(take(i, (*results)[i], sample));
    return {};
  }
  std::vector<std::size_t> replaces() const override { return m_signature.outputs; }
  std::vector<std::string> counterNames() const override { return {"processes replaced"}; }

 private:
  Status take(std::size_t i, const TensorView& result, Sample& sample) const {
    const FieldSpec& spec = m_signature.results[i];
    const bool encoded = spec.dtype == DType::Encoded;
    const bool agrees = encoded ? result.dtype == DType::U8 && result.shape.rank() == 1
                                : result.dtype == spec.dtype && fits(result.shape, spec.shape);
    if (!agrees)
      return Error{
          fmt::format("the function returned {} {} for `{}`, which is declared as {} {}: add "
                      "`{}={}:{}` to `results` if that is right",
                      nameOf(result.dtype), result.shape.text(), spec.name, nameOf(spec.dtype),
                      spec.shape.text(), spec.name, nameOf(result.dtype), result.shape.text())};
    const TensorView to =
        encoded ? sample.replaceBytes(m_signature.outputs[i], result.bytes)
                : sample.replace(m_signature.outputs[i], spec.dtype, result.shape, spec.layout);
    if (result.bytes > 0) std::memcpy(to.data, result.data, result.bytes);
    return {};
  }

  const Signature m_signature;
  PythonWorker m_worker;
  std::vector<TensorView> m_values;
};

Result<PythonFunction> functionOf(const Params& p, const Signature& signature, const StreamType& in,
                                  const std::filesystem::path& base) {
  MILLRACE_ASSIGN_OR_RETURN(auto function, ownFunction(p, base));
  for (const std::size_t i : signature.inputs) function.inputs.push_back(in.fields[i].name);
  for (const FieldSpec& spec : signature.results)
    function.results.push_back({spec.name, spec.layout == Layout::Hwc});
  function.byName = p.byName;
  function.form = kForms[static_cast<std::size_t>(p.as)];
  return function;
}

Result<std::unique_ptr<SampleOp>> make(const Params& p, const BuildContext& context) {
  StreamType stream = context.in;
  MILLRACE_ASSIGN_OR_RETURN(auto signature, signatureOf(p, stream));
  MILLRACE_ASSIGN_OR_RETURN(auto function, functionOf(p, signature, context.in, context.base));
  MILLRACE_TRY(findOnDisk(p, function));
  MILLRACE_ASSIGN_OR_RETURN(auto program, PythonProgram::of(function));
  return std::unique_ptr<SampleOp>(
      std::make_unique<Python>(std::move(signature), std::move(program)));
}

constexpr const char* kOwnDraws =
    "Your Python functions get other random numbers than in Millrace.";

/// `{"image": ("uint8", [None, None, 3])}`: what tf.data has to know before a call.
std::string declarationsOf(const Signature& signature) {
  std::vector<std::string> all;
  for (const FieldSpec& spec : signature.results) {
    std::vector<std::string> sizes;
    for (const std::int64_t size : spec.shape)
      sizes.push_back(size == Shape::kUnknown ? "None" : std::to_string(size));
    all.push_back(fmt::format("{}: (\"{}\", [{}])", pythonText(spec.name),
                              arrayTypeName(spec.dtype), join(sizes, ", ")));
  }
  return "{" + join(all, ", ") + "}";
}

ExportText calledInTfdata(const Params& p, const Signature& signature,
                          const PythonFunction& function, const ExportContext& context,
                          ExportText text) {
  const auto differs = [](const FieldSpec& spec) {
    return spec.layout == Layout::Chw || spec.dtype == DType::Encoded;
  };
  if (std::ranges::any_of(signature.results, differs) ||
      std::ranges::any_of(signature.inputs,
                          [&](std::size_t i) { return differs(context.in.fields[i]); })) {
    text.missing =
        "Functions of yours get decoded pictures with their channels last in tf.data: move the "
        "node, or insert a call of yours.";
    return text;
  }
  text.limit("tf.data calls your Python functions in one process, one call at a time.");
  const std::string draw = p.random ? drawIn(context, text) : "None";
  std::vector<std::string> channelsLast;
  for (const PythonResult& result : function.results)
    if (result.hwc) channelsLast.push_back(result.name);
  return text.step("call_own(sample, " +
                   ownCall(function, fmt::format(", {}, {}, {}", pythonTexts(channelsLast), draw,
                                                 declarationsOf(signature))) +
                   ")");
}

/// A function of TensorFlow's tensors, which tf.data calls as a part of its graph.
ExportText calledWithTensors(PythonFunction function, std::string_view target, ExportText text) {
  const bool isStage =
      function.name.starts_with('_') || function.name.find("._") != std::string::npos;
  if (isStage) {
    text.missing =
        "The function is a stage of your tf.data pipeline: use that pipeline with TensorFlow, or "
        "export this one as Python over the engine.";
  } else if (target != "tfdata") {
    text.missing = "Only tf.data calls a function of TensorFlow's tensors.";
  } else {
    function.form = kForms[0];  // It gets what tf.data has.
    text.needs("call_in_graph").step("call_in_graph(sample, " + ownCall(function, "") + ")");
  }
  return text;
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  ExportText text;
  StreamType stream = context.in;
  const auto signature = signatureOf(p, stream);
  const auto function = signature ? functionOf(p, *signature, context.in, context.base)
                                  : Result<PythonFunction>(signature.error());
  if (!function) {
    text.missing = function.error().message;
    return text;
  }
  if (pythonTextNeedsOs(function->file.string())) text.import("import os");
  if (p.random) text.limit(kOwnDraws);
  if (p.as == Form::Tensorflow) return calledWithTensors(*function, target, std::move(text));
  text.needs("call_own");
  if (target == "pytorch")
    return text.step("lambda sample: call_own(sample, " + ownCall(*function, "") + ")");
  if (target == "tfdata") return calledInTfdata(p, *signature, *function, context, text);
  return text.step("call_own(sample, " + ownCall(*function, ", " + drawIn(context, text)) + ")");
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
  Describe<Params> d("python", Category::Tensor, NodeRole::Sample);
  d.label("Python function")
      .help(
          "Calls a Python function of yours with fields of a sample as NumPy arrays, and puts what "
          "it returns in their place. Each worker has its own process, which your file is imported "
          "into once. Random numbers depend on the sample alone: random, numpy and torch are "
          "seeded before each call, or the function takes a numpy.random.Generator as `rng`. A "
          "pipeline "
          "with this node runs the code in that file.");
  d.example(R"({"file": "train.py", "function": "augment", "results": ["image=f32:224x224x3"]})");
  d.cpuOnly();
  d.tags({"map", "lambda", "own", "custom", "numpy", "torchvision", "albumentations", "py_function",
          "python_function", "transform"});
  describeOwnCode(d, "function", "Function",
                  "The name of a function, or of an object that can be called.");
  d.fields(&Params::fields);
  d.texts("results", &Params::results)
      .label("Results")
      .optional()
      .help(
          "What the function returns, in order, as NAME=TYPE:SHAPE, where TYPE and SHAPE may be "
          "left out if they stay the same. Empty: the fields that it takes, unchanged in type "
          "and shape.");
  d.choice<Form>(
       "as", &Params::as,
       {{Form::Numpy, "numpy", "Pictures are arrays of height x width x channels."},
        {Form::Torch, "torch", "Fields are torch tensors, pictures of channels x height x width."},
        {Form::Pil, "pil", "Pictures are PIL images, other fields are arrays."},
        {Form::Tensorflow, "tensorflow",
         "Fields are TensorFlow tensors, and bytes are a tensor of type string."}})
      .label("Given as")
      .help("What the function gets.");
  d.boolean("by_name", &Params::byName)
      .label("By name")
      .help("Fields are passed as keyword arguments, as Albumentations expects: f(image=...).");
  describeOwnLimits(d);
  d.infer(infer);
  d.sample(make);
  d.exporters({"pytorch", "grain", "tfdata"}, exported);
  d.exporter("dali", notCalled);
  return d.take();
}

}  // namespace millrace::nodes::python
