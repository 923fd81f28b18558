// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>

#include "core/base/mutex.h"
#include "core/loader/loader.h"

/// The loader of the C interface.
struct millrace_loader {
  std::unique_ptr<millrace::Loader> loader;
  pid_t process = 0;  ///< the process that opened it
};

namespace millrace::capi {

/// All open loaders. Loaders that a program forgot are closed before the statics that their threads
/// use are destroyed. Monitor.
class OpenLoaders {
 public:
  static OpenLoaders& instance();
  ~OpenLoaders();

  millrace_loader* add(std::unique_ptr<Loader> loader);
  /// nullptr for a loader that is not open. The loader lives at least as long as the returned
  /// pointer.
  std::shared_ptr<const millrace_loader> find(const millrace_loader* loader);
  /// A thread that waits for its batches is woken and gets an error.
  void close(const millrace_loader* loader);

 private:
  Mutex m_mutex;
  std::map<const millrace_loader*, std::shared_ptr<millrace_loader>> m_open
      MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace::capi
