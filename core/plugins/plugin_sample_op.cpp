// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/plugins/plugin_sample_op.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/node_parts/own_code.h"
#include "core/plugins/guarded_memory.h"
#include "core/plugins/plugin_call.h"
#include "core/plugins/plugin_types.h"

namespace millrace {

namespace {

/// Writes usually go straight to their destination. The first sample of each operation, and one of
/// this many later ones, goes to guarded memory first.
constexpr std::uint32_t kGuardedOneIn = 1024;

class PluginSampleOp final : public SampleOp {
 public:
  PluginSampleOp(PluginWork work, Values values)
      : m_instance(std::move(work.instance)),
        m_values(std::move(values)),
        m_signature(std::move(work.signature)),
        m_fixed(m_signature.fixed()),
        m_question(m_instance->kind(), m_values),
        m_inputTypes(m_signature.inputTypes),
        m_outputTypes(m_signature.outputTypes),
        m_inputs(m_inputTypes.size()),
        m_outputs(m_outputTypes.size()),
        m_guarded(m_outputTypes.size()) {
    for (std::size_t i = 0; i < m_inputs.size(); ++i) m_inputs[i].type = &m_inputTypes[i];
    m_sample.input_count = m_inputs.size();
    m_sample.inputs = m_inputs.data();
    m_sample.output_count = m_outputs.size();
    m_sample.outputs = m_outputs.data();
  }

  std::vector<std::size_t> replaces() const override { return m_signature.outputs; }

  Status process(Sample& sample, const OpContext& context) override {
    if (m_distrusted) return *m_distrusted;
    const bool otherSizes = takeInputs(sample);
    if (!m_fixed && otherSizes) MILLRACE_TRY(renewOutputTypes());
    takeKey(sample.key(), context);
    const bool guarded = m_untilGuarded == 0;
    m_untilGuarded = guarded ? kGuardedOneIn - 1 : m_untilGuarded - 1;
    placeOutputs(sample, guarded);
    const PluginKind& kind = m_instance->kind();
    Status done = callPlugin([&](char* error, std::size_t size) {
      return kind.calls.process(m_instance->get(), &m_sample, error, size);
    });
    if (guarded) MILLRACE_TRY(checkGuards());
    if (!done) return done;
    return finishOutputs(sample, guarded);
  }

 private:
  /// Whether a size differs from that of the sample before.
  bool takeInputs(const Sample& sample) {
    bool differ = false;
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
      const TensorView& value = sample[m_signature.inputs[i]];
      m_inputs[i].data = value.data;
      m_inputs[i].bytes = value.bytes;
      if (isShape(m_inputTypes[i], value.shape)) continue;
      setShape(m_inputTypes[i], value.shape);
      differ = true;
    }
    return differ;
  }

  /// The types with the sizes of this sample.
  Status renewOutputTypes() {
    const Status renewed = askForSizes();
    // Then the next sample asks again.
    if (!renewed) m_inputTypes = m_signature.inputTypes;
    return renewed;
  }

  Status askForSizes() {
    MILLRACE_ASSIGN_OR_RETURN(const auto outputs, m_question.ask(m_inputTypes));
    MILLRACE_TRY(checkSizes(m_signature.results, outputs));
    std::ranges::copy(outputs, m_outputTypes.begin());
    return {};
  }

  void takeKey(const SampleKey& key, const OpContext& context) {
    if (m_instance->kind().random) m_sample.seed = nodes::seedOf(context.draw(key)).value_or(0);
    m_sample.epoch = key.epoch;
    m_sample.index = key.index;
    m_sample.copy = key.copy;
    m_sample.centre = context.noRandom ? 1 : 0;
  }

  void placeOutputs(Sample& sample, bool guarded) {
    for (std::size_t i = 0; i < m_outputs.size(); ++i) {
      const FieldSpec& field = m_signature.results[i];
      const Shape shape = shapeIn(m_outputTypes[i]);
      const TensorView to =
          field.dtype == DType::Encoded
              ? sample.replaceBytes(m_signature.outputs[i],
                                    static_cast<std::size_t>(shape.elements()))
              : sample.replace(m_signature.outputs[i], field.dtype, shape, field.layout);
      m_outputs[i] = {guarded ? m_guarded[i].take(to.bytes) : to.data, to.bytes, &m_outputTypes[i]};
    }
  }

  Status checkGuards() {
    for (std::size_t i = 0; i < m_guarded.size(); ++i)
      if (!m_guarded[i].whole()) {
        m_distrusted =
            Error{fmt::format("the plug-in has written outside of the memory that it was given for "
                              "`{}`, so it gets no "
                              "more samples",
                              m_signature.results[i].name)};
        return *m_distrusted;
      }
    return {};
  }

  Status finishOutputs(Sample& sample, bool guarded) {
    for (std::size_t i = 0; i < m_outputs.size(); ++i) {
      TensorView& to = sample[m_signature.outputs[i]];
      const std::size_t bytes = m_outputs[i].bytes;
      const bool encoded = to.dtype == DType::Encoded;
      if (encoded ? bytes > to.bytes : bytes != to.bytes)
        return Error{fmt::format("the plug-in says that it wrote {} bytes of `{}`, which has {}",
                                 bytes, m_signature.results[i].name, to.bytes)};
      if (guarded && bytes > 0) std::memcpy(to.data, m_guarded[i].last(), bytes);
      if (!encoded) continue;
      to.bytes = bytes;
      to.shape = Shape{static_cast<std::int64_t>(bytes)};
    }
    return {};
  }

  const std::shared_ptr<PluginInstance> m_instance;
  const Values m_values;
  const PluginSignature m_signature;
  const bool m_fixed;
  OutputQuestion m_question;
  std::vector<millrace_node_type> m_inputTypes;
  std::vector<millrace_node_type> m_outputTypes;
  std::vector<millrace_node_input> m_inputs;
  std::vector<millrace_node_output> m_outputs;
  std::vector<GuardedMemory> m_guarded;
  millrace_node_sample m_sample{};
  std::uint32_t m_untilGuarded = 0;
  std::optional<Error> m_distrusted;
};

}  // namespace

Result<std::unique_ptr<SampleOp>> makePluginSampleOp(PluginInstances& instances,
                                                     const Values& values,
                                                     const BuildContext& context) {
  MILLRACE_ASSIGN_OR_RETURN(PluginWork work, instances.make(values, context.in));
  return std::unique_ptr<SampleOp>(std::make_unique<PluginSampleOp>(std::move(work), values));
}

}  // namespace millrace
