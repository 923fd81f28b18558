// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/kernels/device/device_mix.h"
#include "core/pass/batch_mix.h"
#include "core/spec/device_op.h"

namespace millrace {

/// What mixup and cutmix share on a device. Every mixed field gets new memory, because all rows are
/// mixed in parallel and each one is also another row's partner. For use by one thread.
class DeviceMixOp : public DeviceOp {
 public:
  explicit DeviceMixOp(MixedFields fields) : m_fields(std::move(fields)) {}

  std::vector<std::size_t> replaces() const override;
  std::size_t paramBytes(std::size_t) const override { return 0; }
  Status launch(Stream& stream, const DeviceWork& work) override;

 protected:
  const MixedFields& fields() const { return m_fields; }
  /// The batch's random draws, equal to those of BatchContext::draw.
  static Draw batchDraw(const DeviceWork& work);

 private:
  virtual Status mixPictures(Stream& stream, const DeviceMix& mix, const FieldSpec& field) = 0;
  virtual Status mixLabels(Stream& stream, const DeviceMix& mix) = 0;

  MixedFields m_fields;
};

}  // namespace millrace
