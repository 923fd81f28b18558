// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/plugins/plugin_signature.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/node_parts/own_code.h"
#include "core/plugins/plugin_call.h"
#include "core/plugins/plugin_types.h"

namespace millrace {

namespace {

const TextList& namedIn(const Values& values) {
  static const TextList none;
  const auto found = values.find("fields");
  const auto* const named = found == values.end() ? nullptr : std::get_if<TextList>(&found->second);
  return named == nullptr ? none : *named;
}

/// The place of the output in the stream, which gets it.
Result<std::size_t> addOutput(const millrace_node_type& type, StreamType& stream) {
  const auto there = std::ranges::find(stream.fields, nameIn(type), &FieldSpec::name);
  const FieldSpec* const before = there == stream.fields.end() ? nullptr : &*there;
  MILLRACE_ASSIGN_OR_RETURN(FieldSpec field, fieldOf(type, before));
  const auto place = static_cast<std::size_t>(there - stream.fields.begin());
  if (before == nullptr)
    stream.fields.push_back(std::move(field));
  else
    stream.fields[place] = std::move(field);
  return place;
}

/// In host memory the fields of a batch are changed where they are.
Status checkInPlace(const PluginSignature& signature, const StreamType& before) {
  if (signature.inputs != signature.outputs)
    return Error{"the plug-in works on whole batches, so it cannot make other fields than it gets"};
  for (std::size_t i = 0; i < signature.inputs.size(); ++i)
    if (before.fields[signature.inputs[i]] != signature.results[i])
      return Error{fmt::format("the plug-in works on whole batches, so `{}` has to stay {}",
                               signature.results[i].name,
                               before.fields[signature.inputs[i]].text())};
  return {};
}

bool checkInputs(const PluginKind& kind, const Values& values, const StreamType& in,
                 InferContext& context) {
  if (!namedIn(values).empty()) return checkFields(in, namedIn(values), {}, context);
  if (!fieldsOf(kind, values, in).empty()) return true;
  std::vector<std::string> wanted;
  for (const Role role : kind.roles) wanted.emplace_back(nameOf(role));
  context.error("", fmt::format("there is no field to act on: none is {}", join(wanted, " or ")),
                "name the fields in `fields` or remove the node");
  return false;
}

}  // namespace

bool PluginSignature::fixed() const {
  const auto isOpen = [](const millrace_node_type& type) { return shapeIn(type).elements() < 0; };
  return std::ranges::none_of(inputTypes, isOpen) && std::ranges::none_of(outputTypes, isOpen);
}

std::vector<std::size_t> fieldsOf(const PluginKind& kind, const Values& values,
                                  const StreamType& stream) {
  if (!namedIn(values).empty()) return actedFields(stream, namedIn(values), {});
  std::vector<std::size_t> fields;
  for (std::size_t i = 0; i < stream.fields.size(); ++i)
    if (std::ranges::find(kind.roles, stream.fields[i].role) != kind.roles.end())
      fields.push_back(i);
  return fields;
}

OutputQuestion::OutputQuestion(const PluginKind& kind, const Values& values)
    : m_kind(kind), m_params(kind.params, values), m_outputs(MILLRACE_NODE_MAX_FIELDS) {}

Result<std::span<const millrace_node_type>> OutputQuestion::ask(
    const std::vector<millrace_node_type>& inputs) {
  if (inputs.size() > m_outputs.size())
    return Error{fmt::format("a plug-in takes at most {} fields", m_outputs.size())};
  std::ranges::copy(inputs, m_outputs.begin());
  millrace_node_types types{inputs.size(), inputs.data(), inputs.size(), m_outputs.data()};
  if (m_kind.calls.infer != nullptr)
    MILLRACE_TRY(callPlugin([&](char* error, std::size_t size) {
      return m_kind.calls.infer(m_params.data(), &types, error, size);
    }));
  if (types.output_count > m_outputs.size())
    return Error{fmt::format("the plug-in makes {} fields, and {} is the limit", types.output_count,
                             m_outputs.size())};
  return std::span<const millrace_node_type>(m_outputs.data(), types.output_count);
}

Status checkSizes(const std::vector<FieldSpec>& results,
                  std::span<const millrace_node_type> outputs) {
  const auto same = [](const millrace_node_type& output, const FieldSpec& said) {
    return nameIn(output) == said.name && output.dtype == static_cast<std::int32_t>(said.dtype) &&
           isPossible(output) && nodes::fits(shapeIn(output), said.shape);
  };
  if (!std::ranges::equal(outputs, results, same))
    return Error{
        "the plug-in says that this sample becomes other fields than it said of the stream"};
  for (std::size_t i = 0; i < results.size(); ++i)
    if (shapeIn(outputs[i]).elements() < 0)
      return Error{fmt::format("the plug-in does not say how large `{}` is for this sample",
                               results[i].name)};
  return {};
}

Result<PluginSignature> signatureOf(const PluginKind& kind, const Values& values,
                                    StreamType& stream) {
  PluginSignature signature;
  signature.inputs = fieldsOf(kind, values, stream);
  for (const std::size_t i : signature.inputs) {
    MILLRACE_ASSIGN_OR_RETURN(const millrace_node_type type, pluginType(stream.fields[i]));
    signature.inputTypes.push_back(type);
  }
  OutputQuestion question(kind, values);
  MILLRACE_ASSIGN_OR_RETURN(const auto outputs, question.ask(signature.inputTypes));
  signature.outputTypes.assign(outputs.begin(), outputs.end());
  const StreamType before = stream;
  for (const millrace_node_type& type : signature.outputTypes) {
    MILLRACE_ASSIGN_OR_RETURN(const std::size_t place, addOutput(type, stream));
    if (std::ranges::find(signature.outputs, place) != signature.outputs.end())
      return Error{fmt::format("the plug-in makes `{}` twice", stream.fields[place].name)};
    signature.outputs.push_back(place);
    signature.results.push_back(stream.fields[place]);
  }
  if (kind.batch) MILLRACE_TRY(checkInPlace(signature, before));
  return signature;
}

StreamType inferPlugin(const PluginKind& kind, const Values& values, const StreamType& in,
                       InferContext& context) {
  if (!checkInputs(kind, values, in, context)) return in;
  StreamType out = in;
  if (const auto signature = signatureOf(kind, values, out); !signature) {
    context.error("", signature.error().message,
                  "change the parameters of this node, or its place in the pipeline");
    return in;
  }
  if (kind.random) out.randomFrom = context.node();
  return out;
}

}  // namespace millrace
