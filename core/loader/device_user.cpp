// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/device_user.h"

#include <map>
#include <utility>

#include "core/base/mutex.h"

namespace millrace {

namespace {

struct Users {
  Mutex mutex;
  std::map<const Device*, std::size_t> of MILLRACE_GUARDED_BY(mutex);
};

/// Never destroyed: forgotten loaders end during destruction of the program's static objects.
Users& users() {
  static Users& all = *new Users;
  return all;
}

}  // namespace

DeviceUser::DeviceUser(std::shared_ptr<Device> device) : m_device(std::move(device)) {
  const MutexLock lock(users().mutex);
  ++users().of[m_device.get()];
}

DeviceUser::~DeviceUser() {
  {
    const MutexLock lock(users().mutex);
    if (--users().of[m_device.get()] > 0) return;
    users().of.erase(m_device.get());
  }
  const auto scope = m_device->enter();
  m_device->giveBackFree();
}

}  // namespace millrace
