// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>

#include "core/base/mutex.h"
#include "core/loader/loader.h"

/// What the C interface calls a loader.
struct millrace_loader {
  std::unique_ptr<millrace::Loader> loader;
  pid_t process = 0;  ///< the one that opened it
};

namespace millrace::capi {

/// The loaders that are open, so that those which a program forgot end before the statics that
/// their threads use. Monitor.
class OpenLoaders {
 public:
  static OpenLoaders& instance();
  ~OpenLoaders();

  millrace_loader* add(std::unique_ptr<Loader> loader);
  /// nullptr for one that is not open. It lives at least as long as what is given.
  std::shared_ptr<const millrace_loader> find(const millrace_loader* loader);
  /// What waits for its batches is woken and fails.
  void close(const millrace_loader* loader);

 private:
  Mutex m_mutex;
  std::map<const millrace_loader*, std::shared_ptr<millrace_loader>> m_open
      MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace::capi
