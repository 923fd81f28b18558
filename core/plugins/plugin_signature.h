// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/plugins/plugin_kind.h"
#include "core/plugins/plugin_params.h"
#include "core/spec/infer_context.h"

namespace millrace {

/// The fields that a node of a plug-in's kind takes and makes.
struct PluginSignature {
  std::vector<std::size_t> inputs;              ///< indices into the stream before
  std::vector<std::size_t> outputs;             ///< indices into the stream after
  std::vector<FieldSpec> results;               ///< one for each output
  std::vector<millrace_node_type> inputTypes;   ///< one for each input
  std::vector<millrace_node_type> outputTypes;  ///< one for each output

  /// Whether all sizes are known before a sample is.
  bool fixed() const;
};

/// The fields that the node gets: those that its parameter `fields` names, otherwise those of the
/// kind's roles.
std::vector<std::size_t> fieldsOf(const PluginKind& kind, const Values& values,
                                  const StreamType& stream);

/// Asks the plug-in what it makes of inputs. It keeps the memory of the answer. Borrows kind and
/// values. For use by one thread.
class OutputQuestion {
 public:
  OutputQuestion(const PluginKind& kind, const Values& values);
  /// The answer is valid until the next question.
  Result<std::span<const millrace_node_type>> ask(const std::vector<millrace_node_type>& inputs);

 private:
  const PluginKind& m_kind;
  const PluginParams m_params;
  std::vector<millrace_node_type> m_outputs;
};

/// Whether these are the results, with a size for each dimension that `results` leaves open.
Status checkSizes(const std::vector<FieldSpec>& results,
                  std::span<const millrace_node_type> outputs);

/// `stream`, the one before the node, becomes the one after it.
Result<PluginSignature> signatureOf(const PluginKind& kind, const Values& values,
                                    StreamType& stream);

/// NodeSpec::infer of such a kind.
StreamType inferPlugin(const PluginKind& kind, const Values& values, const StreamType& in,
                       InferContext& context);

}  // namespace millrace
