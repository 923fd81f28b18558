// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/batch.h"
#include "core/plugins/plugin_instance.h"
#include "core/spec/sample_op.h"

namespace millrace {

/// A batch as a plug-in gets it. The tables only grow. For use by one thread.
class PluginTables {
 public:
  PluginTables(const PluginKind& kind, PluginSignature signature);

  const PluginSignature& signature() const { return m_signature; }
  /// Draws for `batch`, whose node is `context`.
  void begin(const Batch& batch, const BatchContext& context);
  /// The memory of the fields; the same batch twice if they are changed where they are.
  void setFields(const Batch& in, const Batch& out);
  /// The seeds of the rows, from begin() on.
  std::span<const std::uint64_t> seeds() const { return m_seeds; }

  /// What setFields() has made. Valid until the next begin().
  millrace_node_batch& get() { return m_batch; }
  std::span<millrace_node_rows> inputs() { return m_inputs; }
  std::span<millrace_node_rows> outputs() { return m_outputs; }

 private:
  /// The rows of one field.
  struct Rows {
    std::vector<void*> data;
    std::vector<std::int64_t> shapes;
    std::vector<std::size_t> bytes;
  };
  static void fill(const BatchField& field, std::size_t rows, const millrace_node_type& type,
                   Rows& table, millrace_node_rows& to);

  const bool m_random;
  const PluginSignature m_signature;
  millrace_node_batch m_batch{};
  std::vector<std::uint32_t> m_samples;
  std::vector<std::uint64_t> m_seeds;
  std::vector<Rows> m_inputRows;
  std::vector<Rows> m_outputRows;
  std::vector<millrace_node_rows> m_inputs;
  std::vector<millrace_node_rows> m_outputs;
};

}  // namespace millrace
