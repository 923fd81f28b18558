// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/plugins/plugin_batch_ops.h"
#include "core/plugins/plugin_call.h"
#include "core/plugins/plugin_tables.h"

namespace millrace {

namespace {

class PluginBatchOp final : public BatchOp {
 public:
  explicit PluginBatchOp(PluginWork work)
      : m_instance(std::move(work.instance)),
        m_tables(m_instance->kind(), std::move(work.signature)) {}

  Status process(Batch& batch, const BatchContext& context) override {
    m_tables.begin(batch, context);
    m_tables.setFields(batch, batch);
    return callPlugin([this](char* error, std::size_t size) {
      return m_instance->kind().calls.process_batch(m_instance->get(), &m_tables.get(), error,
                                                    size);
    });
  }

 private:
  const std::shared_ptr<PluginInstance> m_instance;
  PluginTables m_tables;
};

}  // namespace

Result<std::unique_ptr<BatchOp>> makePluginBatchOp(PluginInstances& instances, const Values& values,
                                                   const BuildContext& context) {
  MILLRACE_ASSIGN_OR_RETURN(PluginWork work, instances.make(values, context.in));
  return std::unique_ptr<BatchOp>(std::make_unique<PluginBatchOp>(std::move(work)));
}

}  // namespace millrace
