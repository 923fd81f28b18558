// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/plugins/plugin_kind.h"
#include "core/spec/infer_context.h"

namespace millrace {

/// The fields that a node of a plug-in's kind takes and makes.
struct PluginSignature {
  std::vector<std::size_t> inputs;              ///< indices into the stream before
  std::vector<std::size_t> outputs;             ///< indices into the stream after
  std::vector<FieldSpec> results;               ///< one for each output
  std::vector<millrace_node_type> inputTypes;   ///< one for each input
  std::vector<millrace_node_type> outputTypes;  ///< one for each output

  /// Whether the sizes of the results are known before a sample is.
  bool fixed() const;
};

/// The fields that the node gets: those that its parameter `fields` names, otherwise those of the
/// kind's roles.
std::vector<std::size_t> fieldsOf(const PluginKind& kind, const Values& values,
                                  const StreamType& stream);

/// Asks the plug-in what it makes of these inputs.
Result<std::vector<millrace_node_type>> askForOutputs(
    const PluginKind& kind, const Values& values, const std::vector<millrace_node_type>& inputs);

/// `stream`, the one before the node, becomes the one after it.
Result<PluginSignature> signatureOf(const PluginKind& kind, const Values& values,
                                    StreamType& stream);

/// NodeSpec::infer of such a kind.
StreamType inferPlugin(const PluginKind& kind, const Values& values, const StreamType& in,
                       InferContext& context);

}  // namespace millrace
