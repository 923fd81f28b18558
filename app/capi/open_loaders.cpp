// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/capi/open_loaders.h"

#include <unistd.h>

#include <new>
#include <utility>

namespace millrace::capi {

/// Created with the first loader, after the engine's statics, and therefore destroyed before them.
OpenLoaders& OpenLoaders::instance() {
  static OpenLoaders loaders;
  return loaders;
}

OpenLoaders::~OpenLoaders() {
  const MutexLock lock(m_mutex);
  // A forked child has none of the threads that would have to be joined: there the loaders leak.
  for (auto& [key, loader] : m_open)
    if (loader->process != getpid())
      new (std::nothrow) std::shared_ptr<millrace_loader>(std::move(loader));
}

millrace_loader* OpenLoaders::add(std::unique_ptr<Loader> loader) {
  auto opened = std::make_shared<millrace_loader>(millrace_loader{std::move(loader), getpid()});
  millrace_loader* key = opened.get();
  const MutexLock lock(m_mutex);
  m_open.emplace(key, std::move(opened));
  return key;
}

std::shared_ptr<const millrace_loader> OpenLoaders::find(const millrace_loader* loader) {
  const MutexLock lock(m_mutex);
  const auto found = m_open.find(loader);
  return found == m_open.end() ? nullptr : found->second;
}

void OpenLoaders::close(const millrace_loader* loader) {
  std::shared_ptr<millrace_loader> closed;
  {
    const MutexLock lock(m_mutex);
    const auto found = m_open.find(loader);
    if (found == m_open.end() || found->second->process != getpid()) return;
    closed = std::move(found->second);
    m_open.erase(found);
  }
  closed->loader->close();
}

}  // namespace millrace::capi
