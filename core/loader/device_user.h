// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/cuda/device.h"

namespace millrace {

/// One of the loaders that have memory on a device: the loader itself and all that its batches lie
/// in share it. The last of the process to go gives back what the device's pools have free, which a
/// program's other library of the same GPU may need. Ends on any thread.
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
