// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/data/field_text.h"
#include "core/kernels/numbers.h"
#include "core/node_parts/fields/field_places.h"
#include "core/node_parts/formula.h"
#include "core/node_parts/formula_text.h"
#include "core/node_parts/short_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::expression {

namespace {

struct Params {
  TextList results{"score=tanh(score / 400)"};
  DType dtype = DType::F32;
};

/// One result: how it is computed, and where it goes.
struct Step {
  Formula formula;
  std::vector<std::size_t> fields;  ///< fields of the sample, one per variable of the formula
  std::size_t to = 0;
  FieldSpec spec;
};

bool isSingle(const Shape& shape) { return shape.elements() == 1; }

/// All used fields must have one shape, or a single element that is used for all: the shape of the
/// result.
Result<Shape> commonShape(const StreamType& stream, const std::vector<std::size_t>& fields) {
  Shape common;
  const FieldSpec* first = nullptr;
  for (const std::size_t i : fields) {
    const FieldSpec& field = stream.fields[i];
    if (isSingle(field.shape)) {
      if (first == nullptr && field.shape.rank() > common.rank()) common = field.shape;
    } else if (first == nullptr) {
      first = &field;
      common = field.shape;
    } else if (!(common == field.shape)) {
      return Error{fmt::format("`{}` is {} and `{}` is {}", first->name, common.text(), field.name,
                               field.shape.text())};
    }
  }
  return common;
}

/// Parses NAME=FORMULA for the current stream, and adds the result to the stream.
Result<Step> stepOf(const std::string& entry, DType dtype, StreamType& stream) {
  const std::size_t equals = entry.find('=');
  const std::string name = entry.substr(0, equals);
  if (equals == std::string::npos || !isFieldName(name) || entry.substr(equals, 2) == "==")
    return Error{
        fmt::format("`{}`: use NAME=FORMULA with a name of lower-case letters, digits and _",
                    validUtf8(entry))};
  std::vector<std::string> names;
  std::vector<std::size_t> numeric;
  for (std::size_t i = 0; i < stream.fields.size(); ++i)
    if (stream.fields[i].dtype != DType::Encoded) {
      names.push_back(stream.fields[i].name);
      numeric.push_back(i);
    }
  auto formula = Formula::make(entry.substr(equals + 1), names);
  if (!formula) return Error{fmt::format("`{}`: {}", validUtf8(entry), formula.error().message)};
  Step step{formula.take(), numeric, 0, {}};
  std::vector<std::size_t> used;
  for (const std::size_t variable : step.formula.uses()) used.push_back(numeric[variable]);
  const auto shape = commonShape(stream, used);
  if (!shape) return Error{fmt::format("`{}`: {}", validUtf8(entry), shape.error().message)};
  const std::optional<std::size_t> there = fieldIndex(stream, name);
  step.to = there.value_or(stream.fields.size());
  if (there)
    step.spec = stream.fields[*there];
  else
    step.spec.role = roleNamed(name).value_or(Role::Features);
  step.spec.name = name;
  step.spec.dtype = dtype;
  step.spec.shape = *shape;
  if (shape->rank() != 3) step.spec.layout = Layout::Plain;
  if (there)
    stream.fields[*there] = step.spec;
  else
    stream.fields.push_back(step.spec);
  return step;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  for (const std::string& entry : p.results)
    if (const auto step = stepOf(entry, p.dtype, out); !step)
      context.error("results", step.error().message, "an example is score=tanh(score / 400)");
  if (p.results.empty())
    context.error("results", "there are no results", "add NAME=FORMULA, or remove this node");
  return out;
}

class Expression final : public SampleOp {
 public:
  explicit Expression(std::vector<Step> steps) : m_steps(std::move(steps)) {}

  Status process(Sample& sample, const OpContext&) override {
    for (Step& step : m_steps) MILLRACE_TRY(work(step, sample));
    return {};
  }
  std::vector<std::size_t> replaces() const override {
    std::vector<std::size_t> fields;
    for (const Step& step : m_steps) fields.push_back(step.to);
    return fields;
  }

 private:
  struct Operand {
    std::size_t variable = 0;
    std::size_t first = 0;  ///< of its values in m_values
    bool single = false;
  };

  Status work(Step& step, Sample& sample) {
    Shape shape;
    std::size_t count = 1;
    MILLRACE_TRY(take(step, sample, shape, count));
    m_results.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (const Operand& operand : m_operands)
        if (i == 0 || !operand.single)
          step.formula.variable(operand.variable) = m_values[operand.first + i];
      m_results[i] = step.formula.value();
    }
    const TensorView to = sample.replace(step.to, step.spec.dtype, shape, step.spec.layout);
    fromDoubles(m_results.data(), count, step.spec.dtype, to.data);
    return {};
  }

  /// Reads the values of the fields that the formula uses, as f64.
  Status take(const Step& step, const Sample& sample, Shape& shape, std::size_t& count) {
    m_operands.clear();
    m_values.clear();
    for (const std::size_t variable : step.formula.uses()) {
      const TensorView& view = sample[step.fields[variable]];
      const auto elements = static_cast<std::size_t>(view.shape.elements());
      m_operands.push_back({variable, m_values.size(), elements == 1});
      if (count == 1 && (elements != 1 || view.shape.rank() > shape.rank())) {
        shape = view.shape;
        count = elements;
      } else if (elements != 1 && elements != count) {
        return Error{
            fmt::format("{}: fields of {} and {} elements", step.spec.name, count, elements)};
      }
      m_values.resize(m_values.size() + elements);
      toDoubles(view.dtype, view.data, elements, m_values.data() + m_operands.back().first);
    }
    return {};
  }

  std::vector<Step> m_steps;
  std::vector<Operand> m_operands;
  std::vector<double> m_values;
  std::vector<double> m_results;
};

Result<std::unique_ptr<SampleOp>> make(const Params& p, const BuildContext& context) {
  StreamType stream = context.in;
  std::vector<Step> steps;
  for (const std::string& entry : p.results) {
    MILLRACE_ASSIGN_OR_RETURN(auto step, stepOf(entry, p.dtype, stream));
    steps.push_back(std::move(step));
  }
  return std::unique_ptr<SampleOp>(std::make_unique<Expression>(std::move(steps)));
}

ExportText notWritten(const std::string& entry, std::string_view why) {
  ExportText text;
  text.missing = fmt::format("`{}` {}: insert your own code.", validUtf8(entry), why);
  return text;
}

/// Whether the arrays of the used fields have the result's layout: targets keep pictures in other
/// layouts.
bool liesAlike(const Step& step, const StreamType& stream) {
  const auto& uses = step.formula.uses();
  return std::all_of(uses.begin(), uses.end(), [&](std::size_t variable) {
    const FieldSpec& field = stream.fields[step.fields[variable]];
    return isSingle(field.shape) || field.layout == step.spec.layout;
  });
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  const bool torch = target == "pytorch";
  const std::string type =
      fmt::format("{}.{}", torch ? "torch" : "tf", p.dtype == DType::F32 ? "float32" : "float64");
  StreamType stream = context.in;
  ExportText text;
  for (const std::string& entry : p.results) {
    const StreamType before = stream;
    const auto step = stepOf(entry, p.dtype, stream);
    if (!step) return notWritten(entry, step.error().message);
    if (!liesAlike(*step, before)) return notWritten(entry, "mixes pictures with other arrays");
    const auto value = formulaText(std::string_view(entry).substr(entry.find('=') + 1), target);
    if (!value)
      return notWritten(entry, "has what Millrace writes in no other language than its own");
    std::string shape;
    if (const std::size_t rank = step->spec.shape.rank(); isSingle(step->spec.shape) && rank > 0)
      shape = ", [" + join(std::vector<std::string>(rank, "1"), ", ") + "]";
    text.needs("computed")
        .step(fmt::format("{}computed(sample, {}, {}, {}{})", torch ? "lambda sample: " : "",
                          pythonText(step->spec.name), *value, type, shape));
  }
  return text;
}

/// Whether a formula over whole batches needs no broadcasting: all shapes are equal.
bool allShapesEqual(const Step& step, const StreamType& stream) {
  const auto& uses = step.formula.uses();
  return std::all_of(uses.begin(), uses.end(), [&](std::size_t variable) {
    return stream.fields[step.fields[variable]].shape == step.spec.shape;
  });
}

/// `real(sample["a"])` as `sample["a"].astype(float)`: on whole batches nothing else is needed.
std::string withDoubles(std::string code) {
  constexpr std::string_view kReal = "real(";
  constexpr std::string_view kDouble = ".astype(float";
  for (std::size_t at = code.find(kReal); at != std::string::npos; at = code.find(kReal, at)) {
    code.erase(at, kReal.size());
    at = code.find(')', at);
    code.insert(at, kDouble);
  }
  return code;
}

ExportText shortText(const Params& p, const ExportContext& context, std::string_view form) {
  const bool arrays = form.starts_with("pytorch");
  StreamType stream = context.in;
  ExportText text;
  for (const std::string& entry : p.results) {
    const StreamType before = stream;
    const auto step = stepOf(entry, p.dtype, stream);
    if (!step || !liesAlike(*step, before) || !allShapesEqual(*step, before))
      return longForm("a formula mixes fields of several shapes");
    auto value = formulaText(std::string_view(entry).substr(entry.find('=') + 1),
                             arrays ? "numpy" : "tfdata");
    if (!value) return longForm("a formula cannot be translated");
    if (arrays) value = withDoubles(*value);
    if (p.dtype == DType::F32)
      value =
          arrays ? "(" + *value + ").astype(np.float32)" : "tf.cast(" + *value + ", tf.float32)";
    std::string code = fmt::format("sample[{}] = {}", pythonText(step->spec.name), *value);
    // Of what is infinite or no number NumPy warns, unlike the others.
    if (arrays) code.insert(0, "with np.errstate(all=\"ignore\"):\n    ");
    if (arrays) text.import("import numpy as np");
    if (!arrays) text.needs("real");
    text.step(std::move(code));
  }
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("expression", Category::Tensor, NodeRole::Sample);
  d.label("Expression")
      .help(
          "Computes numbers from the fields of a sample, element by element, in f64: + - * / ^, "
          "comparisons, &&, ||, `a ? b : c`, and functions such as tanh, exp, ln, sqrt, abs, sign, "
          "min and max. A field with a single element is combined with every element of the "
          "others. Works before and after the batch node.");
  d.part("muparser");
  d.example(R"json({"results": ["score=mate > 0 ? sign(score) : tanh(score / 400)"]})json");
  d.cpuOnly();
  d.tags({"formula", "map", "lambda", "arithmetic", "tanh", "sign", "compare", "muParser"});
  d.texts("results", &Params::results)
      .label("Results")
      .help(
          "The results, as NAME=FORMULA; formulas may use the fields and earlier results. An "
          "existing field is replaced, a new one is added at the end.");
  d.choice("dtype", &Params::dtype,
           {{DType::F32, "f32", "32-bit float"}, {DType::F64, "f64", "64-bit float"}})
      .label("Type")
      .help("Type of the results.");
  d.infer(infer);
  d.sample(make);
  d.exporters({"pytorch", "tfdata"}, exported);
  d.exporter("dali", notTranslated<Params>);
  d.exporter("grain", notTranslated<Params>);
  d.exporters({"tfdata.short", "tfdata.rows", "pytorch.rows"}, shortText);
  return d.take();
}

}  // namespace millrace::nodes::expression
