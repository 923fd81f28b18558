// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/plugins/plugin_kind.h"

#include <utility>

#include <fmt/format.h>

#include "core/plugins/plugin_batch_ops.h"
#include "core/plugins/plugin_instance.h"
#include "core/plugins/plugin_sample_op.h"

namespace millrace {

namespace {

/// As Describe's `fields` of our own kinds.
ParamSpec fieldsParam() {
  ParamSpec spec;
  spec.name = "fields";
  spec.label = "Fields";
  spec.help = "Names of the fields to act on. Empty: every field with a suitable role.";
  spec.type = ParamType::TextList;
  spec.defaultValue = TextList{};
  spec.optional = true;
  return spec;
}

void addExporters(NodeSpec& spec) {
  for (const char* target : {"pytorch", "tfdata", "dali", "grain"})
    spec.exporters[target] = [kind = spec.kind, plugin = spec.plugin](const Values&,
                                                                      const ExportContext&) {
      ExportText text;
      text.missing = fmt::format(
          "The kind `{}` comes from the plug-in `{}`, which has no counterpart in this target: "
          "insert "
          "a step of yours.",
          kind, plugin);
      return text;
    };
}

}  // namespace

NodeSpec nodeSpecOf(KindDescription description, const millrace_node_kind& calls) {
  NodeSpec spec = std::move(description.spec);
  const auto kind = std::make_shared<const PluginKind>(
      PluginKind{spec.kind, spec.params, std::move(description.roles), description.batch,
                 description.random, description.shared, calls});
  spec.params.push_back(fieldsParam());
  spec.infer = [kind](const Values& values, const StreamType& in, InferContext& context) {
    return inferPlugin(*kind, values, in, context);
  };
  const auto instances = std::make_shared<PluginInstances>(kind);
  if (kind->batch)
    spec.batchOp = [instances](const Values& values, const BuildContext& context) {
      return makePluginBatchOp(*instances, values, context);
    };
  else
    spec.sample = [instances](const Values& values, const BuildContext& context) {
      return makePluginSampleOp(*instances, values, context);
    };
  if (calls.process_device != nullptr)
    spec.deviceOp = [instances](const Values& values, const BuildContext& context) {
      return makePluginDeviceOp(*instances, values, context);
    };
  addExporters(spec);
  return spec;
}

}  // namespace millrace
