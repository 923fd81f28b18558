// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/kernels/change/byte_table.h"
#include "core/kernels/device/device_form.h"
#include "core/kernels/device/device_pass.h"
#include "core/pass/image_pass_plan.h"
#include "core/spec/device_op.h"

namespace millrace {

struct DevicePassStep;

/// One field of a device's pixel pass: its launches for a batch, and where their input lies in the
/// batch's parameter block and scratch memory. One thread.
struct DevicePassField {
  DevicePassField(PassField passField, const std::vector<DevicePassStep>& steps);

  /// Forgets the rows of the last batch; the field's parameters start at `at`.
  void beginBatch(std::size_t at);
  /// Issues the field's launches for the batch whose rows were placed.
  Status launch(Stream& stream, const DeviceWork& work) const;

  /// Values are pixels of type F32, which only change their form.
  bool fromFloat() const { return plan.from == DType::F32; }
  static std::size_t aligned(std::size_t bytes);

  // The field's part of the parameter block: values, rows, acts, tables of the acts.
  std::size_t valuesAt() const { return begin; }
  std::size_t rowsAt() const { return begin + aligned(4 * 256 * sizeof(float)); }
  std::size_t actsAt(std::size_t rows) const { return rowsAt() + aligned(rows * rowBytes()); }
  std::size_t byteTablesAt(std::size_t rows) const {
    return actsAt(rows) + aligned(rows * launches * actsEach * sizeof(ColourAct));
  }
  std::size_t end(std::size_t rows) const {
    return byteTablesAt(rows) + rows * byteTablesEach * sizeof(ByteTable);
  }
  std::size_t scratchBytes(std::size_t rows) const;

  // Constant after construction.
  PassField plan;
  std::vector<std::size_t> colours;  ///< the steps that change its colours
  std::size_t launches = 1;
  std::size_t actsEach = 0;
  std::size_t byteTablesEach = 0;  ///< per row, of its acts
  PixelTable table;
  DeviceForm form;
  // For the current batch.
  std::size_t begin = 0;                 ///< of its part of the parameter block
  std::size_t halfBytes = 0;             ///< scratch for rows that wait for the next launch
  std::vector<DevicePassTables> tables;  ///< one per launch
  Size largest;

 private:
  Status launchFloats(Stream& stream, const DeviceWork& work) const;
  Status launchPixels(Stream& stream, const DeviceWork& work) const;
  std::size_t rowBytes() const;
  // Its scratch: tables, two halves, sums of greys.
  std::size_t tableBytes() const;
  std::size_t halfAt(std::size_t launch) const { return tableBytes() + launch % 2 * halfBytes; }
  std::size_t sumsAt() const { return tableBytes() + 2 * halfBytes; }
};

}  // namespace millrace
