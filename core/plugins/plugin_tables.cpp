// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/plugins/plugin_tables.h"

#include <algorithm>
#include <utility>

#include "core/node_parts/own_code.h"

namespace millrace {

PluginTables::PluginTables(const PluginKind& kind, PluginSignature signature)
    : m_random(kind.random),
      m_signature(std::move(signature)),
      m_inputRows(m_signature.inputs.size()),
      m_outputRows(m_signature.outputs.size()),
      m_inputs(m_signature.inputs.size()),
      m_outputs(m_signature.outputs.size()) {}

void PluginTables::begin(const Batch& batch, const BatchContext& context) {
  m_batch = {};
  if (m_random) m_batch.seed = nodes::seedOf(context.draw(batch)).value_or(0);
  m_batch.epoch = batch.epoch;
  m_batch.index = batch.indexInEpoch;
  m_batch.centre = context.noRandom ? 1 : 0;
  m_batch.rows = batch.rows;
  m_samples.resize(batch.rows);
  m_seeds.assign(batch.rows, 0);
  const OpContext sample{context.seed, context.node, context.noRandom};
  for (std::size_t r = 0; r < batch.rows; ++r) {
    m_samples[r] = batch.keys[r].index;
    if (m_random) m_seeds[r] = nodes::seedOf(sample.draw(batch.keys[r])).value_or(0);
  }
  m_batch.samples = m_samples.data();
  m_batch.seeds = m_seeds.data();
}

void PluginTables::setFields(const Batch& in, const Batch& out) {
  for (std::size_t i = 0; i < m_inputs.size(); ++i)
    fill(in.fields[m_signature.inputs[i]], in.rows, m_signature.inputTypes[i], m_inputRows[i],
         m_inputs[i]);
  for (std::size_t i = 0; i < m_outputs.size(); ++i)
    fill(out.fields[m_signature.outputs[i]], in.rows, m_signature.outputTypes[i], m_outputRows[i],
         m_outputs[i]);
  m_batch.input_count = m_inputs.size();
  m_batch.inputs = m_inputs.data();
  m_batch.output_count = m_outputs.size();
  m_batch.outputs = m_outputs.data();
}

void PluginTables::fill(const BatchField& field, std::size_t rows, const millrace_node_type& type,
                        Rows& table, millrace_node_rows& to) {
  table.data.resize(rows);
  table.bytes.resize(rows);
  table.shapes.assign(rows * MILLRACE_NODE_MAX_DIMS, 0);
  for (std::size_t r = 0; r < rows; ++r) {
    const TensorView& row = field.rows[r];
    table.data[r] = row.data;
    table.bytes[r] = row.bytes;
    std::copy(row.shape.begin(), row.shape.end(), table.shapes.data() + r * MILLRACE_NODE_MAX_DIMS);
  }
  const bool dense = !field.ragged && rows > 0;
  to = {&type,
        dense ? table.data.front() : nullptr,
        dense ? table.bytes.front() : 0,
        table.data.data(),
        table.shapes.data(),
        table.bytes.data(),
        nullptr};
}

}  // namespace millrace
