// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/plugins/plugin_instance.h"

#include <utility>

#include <fmt/format.h>

#include "core/plugins/plugin_call.h"
#include "core/plugins/plugin_params.h"

namespace millrace {

namespace {

/// What two nodes must have in common to share an instance.
std::string sharingKey(const Values& values, const PluginSignature& signature) {
  std::string key;
  const auto add = [&key](const std::string& text) {
    key += fmt::format("{}:{}", text.size(), text);
  };
  for (const auto& [name, value] : values) {
    add(name);
    add(textOf(value));
  }
  for (const millrace_node_type& type : signature.inputTypes)
    key.append(reinterpret_cast<const char*>(&type), sizeof(type));
  return key;
}

}  // namespace

Result<std::shared_ptr<PluginInstance>> PluginInstance::make(std::shared_ptr<const PluginKind> kind,
                                                             const Values& values,
                                                             const PluginSignature& signature) {
  std::shared_ptr<PluginInstance> made(new PluginInstance(std::move(kind)));
  const PluginKind& its = *made->m_kind;
  if (its.calls.create == nullptr) return made;
  const PluginParams params(its.params, values);
  std::vector<millrace_node_type> outputs = signature.outputTypes;
  const millrace_node_types types{signature.inputTypes.size(), signature.inputTypes.data(),
                                  outputs.size(), outputs.data()};
  void* instance = nullptr;
  MILLRACE_TRY(callPlugin([&](char* error, std::size_t size) {
    return its.calls.create(params.data(), &types, &instance, error, size);
  }));
  made->m_instance = instance;
  return made;
}

PluginInstance::~PluginInstance() {
  if (m_kind->calls.destroy == nullptr || m_instance == nullptr) return;
  // No caller is left for what it throws.
  (void)callPlugin([this](char*, std::size_t) {
    m_kind->calls.destroy(m_instance);
    return 0;
  }).ok();
}

Result<PluginWork> PluginInstances::make(const Values& values, StreamType in) {
  PluginWork work;
  MILLRACE_ASSIGN_OR_RETURN(work.signature, signatureOf(*m_kind, values, in));
  MILLRACE_ASSIGN_OR_RETURN(work.instance, instance(values, work.signature));
  return work;
}

Result<std::shared_ptr<PluginInstance>> PluginInstances::instance(
    const Values& values, const PluginSignature& signature) {
  if (!m_kind->shared) return PluginInstance::make(m_kind, values, signature);
  const MutexLock lock(m_mutex);
  std::weak_ptr<PluginInstance>& kept = m_shared[sharingKey(values, signature)];
  if (auto there = kept.lock()) return there;
  MILLRACE_ASSIGN_OR_RETURN(auto made, PluginInstance::make(m_kind, values, signature));
  kept = made;
  return made;
}

}  // namespace millrace
