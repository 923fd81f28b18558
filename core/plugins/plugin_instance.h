// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/base/mutex.h"
#include "core/plugins/plugin_signature.h"

namespace millrace {

/// What the `create` of a kind has made. Destroyed by its `destroy`. Any thread.
class PluginInstance {
 public:
  static Result<std::shared_ptr<PluginInstance>> make(std::shared_ptr<const PluginKind> kind,
                                                      const Values& values,
                                                      const PluginSignature& signature);
  PluginInstance(const PluginInstance&) = delete;
  PluginInstance& operator=(const PluginInstance&) = delete;
  ~PluginInstance();

  const PluginKind& kind() const { return *m_kind; }
  /// The instance as its functions take it.
  void* get() const { return m_instance; }

 private:
  explicit PluginInstance(std::shared_ptr<const PluginKind> kind) : m_kind(std::move(kind)) {}

  std::shared_ptr<const PluginKind> m_kind;
  void* m_instance = nullptr;
};

/// What an operation of such a kind needs.
struct PluginWork {
  std::shared_ptr<PluginInstance> instance;
  PluginSignature signature;
};

/// Makes the instances of one kind: one for each caller, or one for all with the same values and
/// inputs if the kind is shared. Any thread.
class PluginInstances {
 public:
  explicit PluginInstances(std::shared_ptr<const PluginKind> kind) : m_kind(std::move(kind)) {}
  /// `in`: the stream before the node.
  Result<PluginWork> make(const Values& values, StreamType in);

 private:
  Result<std::shared_ptr<PluginInstance>> instance(const Values& values,
                                                   const PluginSignature& signature);

  const std::shared_ptr<const PluginKind> m_kind;
  Mutex m_mutex;
  std::map<std::string, std::weak_ptr<PluginInstance>> m_shared MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
