// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/cuda/device.h"

namespace millrace {

/// Counts the loaders that use a device. A loader and everything that its batches' memory belongs
/// to share one DeviceUser. The destructor of the process's last one for a device returns the free
/// memory of the device's pools, which other GPU libraries of the program may need. Any thread.
class DeviceUser {
 public:
  explicit DeviceUser(std::shared_ptr<Device> device);
  ~DeviceUser();
  DeviceUser(const DeviceUser&) = delete;
  DeviceUser& operator=(const DeviceUser&) = delete;

 private:
  const std::shared_ptr<Device> m_device;
};

}  // namespace millrace
