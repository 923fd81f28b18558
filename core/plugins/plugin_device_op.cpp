// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <utility>

#include "core/cuda/stream.h"
#include "core/plugins/plugin_batch_ops.h"
#include "core/plugins/plugin_call.h"
#include "core/plugins/plugin_tables.h"
#include "core/plugins/plugin_types.h"

namespace millrace {

namespace {

/// The parameter block has a table of eight bytes for each row: the seeds, then the addresses of
/// each input and of each output.
class PluginDeviceOp final : public DeviceOp {
 public:
  PluginDeviceOp(PluginWork work, Values values)
      : m_instance(std::move(work.instance)),
        m_values(std::move(values)),
        m_question(m_instance->kind(), m_values),
        m_tables(m_instance->kind(), std::move(work.signature)) {}

  std::vector<std::size_t> replaces() const override { return m_tables.signature().outputs; }

  std::size_t paramBytes(std::size_t rows) const override {
    const PluginSignature& its = m_tables.signature();
    return (1 + its.inputs.size() + its.outputs.size()) * tableBytes(rows);
  }

  Status shape(const DeviceWork& work) override {
    if (m_tables.signature().fixed()) return {};
    for (std::size_t r = 0; r < work.in.rows; ++r)
      if (const Status sized = shapeRow(work, r); !sized) work.fail(r, sized.error().message);
    return {};
  }

  Status prepare(const DeviceWork& work) override {
    const OpContext& node = work.nodes.front();
    m_tables.begin(work.in, {node.seed, node.node, node.noRandom});
    m_tables.setFields(work.in, work.out);
    std::byte* to = work.hostParams;
    const auto put = [&](const void* table) {
      std::memcpy(to, table, tableBytes(work.in.rows));
      to += tableBytes(work.in.rows);
    };
    if (work.in.rows == 0) return {};
    put(m_tables.seeds().data());
    for (const millrace_node_rows& field : m_tables.inputs()) put(field.rows);
    for (const millrace_node_rows& field : m_tables.outputs()) put(field.rows);
    return {};
  }

  Status launch(Stream& stream, const DeviceWork& work) override {
    if (work.in.rows == 0) return {};
    placeTables(work);
    millrace_node_batch& batch = m_tables.get();
    batch.emulated = stream.emulated() ? 1 : 0;
    batch.stream = stream.native();
    // An emulated stream has no queue that a plug-in could put its work on.
    if (stream.emulated()) MILLRACE_TRY(stream.synchronise());
    MILLRACE_TRY(stream.enter());
    const PluginKind& kind = m_instance->kind();
    MILLRACE_TRY(callPlugin([&](char* error, std::size_t size) {
      return kind.calls.process_device(m_instance->get(), &batch, error, size);
    }));
    return stream.launched(kind.name.c_str());
  }

 private:
  static std::size_t tableBytes(std::size_t rows) { return rows * sizeof(std::uint64_t); }

  void placeTables(const DeviceWork& work) {
    const std::byte* at = work.deviceParams;
    const auto next = [&] { return std::exchange(at, at + tableBytes(work.in.rows)); };
    m_tables.get().device_seeds = reinterpret_cast<const std::uint64_t*>(next());
    for (millrace_node_rows& field : m_tables.inputs())
      field.device_rows = reinterpret_cast<void* const*>(next());
    for (millrace_node_rows& field : m_tables.outputs())
      field.device_rows = reinterpret_cast<void* const*>(next());
  }

  Status shapeRow(const DeviceWork& work, std::size_t r) {
    const PluginSignature& its = m_tables.signature();
    std::vector<millrace_node_type> inputs = its.inputTypes;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      setShape(inputs[i], work.in.fields[its.inputs[i]].rows[r].shape);
    MILLRACE_ASSIGN_OR_RETURN(const auto types, m_question.ask(inputs));
    MILLRACE_TRY(checkSizes(its.results, types));
    for (std::size_t i = 0; i < its.outputs.size(); ++i) {
      BatchField& out = work.out.fields[its.outputs[i]];
      if (!out.ragged) continue;
      const FieldSpec& said = its.results[i];
      const Shape shape = shapeIn(types[i]);
      out.rows[r] = {said.dtype, said.layout, shape, nullptr,
                     static_cast<std::size_t>(shape.elements()) * sizeOf(said.dtype)};
    }
    return {};
  }

  const std::shared_ptr<PluginInstance> m_instance;
  const Values m_values;
  OutputQuestion m_question;
  PluginTables m_tables;
};

}  // namespace

Result<std::unique_ptr<DeviceOp>> makePluginDeviceOp(PluginInstances& instances,
                                                     const Values& values,
                                                     const BuildContext& context) {
  MILLRACE_ASSIGN_OR_RETURN(PluginWork work, instances.make(values, context.in));
  return std::unique_ptr<DeviceOp>(std::make_unique<PluginDeviceOp>(std::move(work), values));
}

}  // namespace millrace
