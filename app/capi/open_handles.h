// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <new>
#include <utility>

#include "app/capi/job_handle.h"
#include "core/base/mutex.h"
#include "core/loader/loader.h"

/// The loader of the C interface.
struct millrace_loader {
  std::unique_ptr<millrace::Loader> loader;
  pid_t process = 0;  ///< the process that opened it

  void close() const { loader->close(); }
};

/// The job of the C interface.
struct millrace_job {
  std::unique_ptr<millrace::capi::JobHandle> job;
  pid_t process = 0;  ///< the process that started it

  void close() const { job->close(); }
};

namespace millrace::capi {

/// All open loaders, or all open jobs. Those that a program forgot are closed before the statics
/// that their threads use are destroyed. Monitor.
template <class Handle>
class OpenHandles {
 public:
  /// Created with the first handle, after the engine's statics, and therefore destroyed before
  /// them.
  static OpenHandles& instance() {
    static OpenHandles handles;
    return handles;
  }

  ~OpenHandles() {
    const MutexLock lock(m_mutex);
    // A forked child has none of the threads that would have to be joined: there the handles leak.
    for (auto& [key, handle] : m_open)
      if (handle->process != getpid())
        new (std::nothrow) std::shared_ptr<Handle>(std::move(handle));
  }

  Handle* add(Handle handle) {
    auto opened = std::make_shared<Handle>(std::move(handle));
    Handle* key = opened.get();
    const MutexLock lock(m_mutex);
    m_open.emplace(key, std::move(opened));
    return key;
  }

  /// nullptr for a handle that is not open. The handle lives at least as long as the returned
  /// pointer.
  std::shared_ptr<const Handle> find(const Handle* handle) {
    const MutexLock lock(m_mutex);
    const auto found = m_open.find(handle);
    return found == m_open.end() ? nullptr : found->second;
  }

  /// A thread that waits for it is woken and gets an error.
  void close(const Handle* handle) {
    std::shared_ptr<Handle> closed;
    {
      const MutexLock lock(m_mutex);
      const auto found = m_open.find(handle);
      if (found == m_open.end() || found->second->process != getpid()) return;
      closed = std::move(found->second);
      m_open.erase(found);
    }
    closed->close();
  }

 private:
  Mutex m_mutex;
  std::map<const Handle*, std::shared_ptr<Handle>> m_open MILLRACE_GUARDED_BY(m_mutex);
};

using OpenLoaders = OpenHandles<millrace_loader>;
using OpenJobs = OpenHandles<millrace_job>;

}  // namespace millrace::capi
