// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/data/stream_type.h"
#include "core/pass/colour_change.h"
#include "core/spec/device_op.h"
#include "core/spec/image_steps.h"

namespace millrace {

struct DevicePassField;

/// One node of a device's pixel pass: an image step or a colour change.
struct DevicePassStep {
  ImageStep image;
  std::shared_ptr<const ColourChange> colour;
  std::vector<std::size_t> fields;  ///< the fields that the node acts on
};

/// Geometry, colours, normalise, type and layout of a batch on a device: the counterpart of
/// makeImagePass() and the colour nodes after it. One launch per field, and one more for each
/// contrast. For use by one thread.
class DevicePassOp final : public DeviceOp {
 public:
  /// `in`: the fields of the stream before the first step.
  DevicePassOp(std::vector<DevicePassStep> steps, std::vector<FieldSpec> in);
  ~DevicePassOp() override;

  const std::vector<DevicePassStep>& steps() const { return m_steps; }
  const std::vector<FieldSpec>& inFields() const { return m_in; }
  /// Whether `next`, which follows directly, can be executed in the same pass. The grammar is
  ///   window* colour* [normalise] [precision]
  /// with windows joined as in image_pass.h; windows act on the fields of the first step.
  bool takes(const DevicePassStep& next) const;

  std::vector<std::size_t> replaces() const override;
  std::size_t paramBytes(std::size_t rows) const override;
  std::size_t scratchBytes(const Batch& in) const override;
  void neededRegions(const DeviceWork& work, std::size_t field, std::span<Rect> regions) override;
  Status shape(const DeviceWork& work) override;
  Status prepare(const DeviceWork& work) override;
  Status launch(Stream& stream, const DeviceWork& work) override;

 private:
  struct Row;
  struct Geometry;

  Status drawWindow(const DeviceWork& work, std::size_t row);
  Status drawColours(const DeviceWork& work, std::size_t row);
  Geometry geometryOf(const DevicePassField& field, const Row& row) const;
  void placeRow(const DeviceWork& work, DevicePassField& field, std::size_t row);
  void placeActs(const DeviceWork& work, const DevicePassField& field, std::size_t row);
  Error failure(const DevicePassField& field, const Error& error) const;

  std::vector<DevicePassStep> m_steps;
  std::vector<FieldSpec> m_in;
  bool m_hasWindow = false;
  std::size_t m_reference = 0;  ///< the field in whose pixels parameters are measured
  std::vector<DevicePassField> m_fields;
  // For the batch between `shape` and `launch`; host only.
  std::vector<Row> m_rows;
  std::vector<std::size_t> m_used;  ///< scratch memory
};

/// The DeviceOp of one node, which its neighbours can join. The error names a field whose pictures
/// a device cannot process in this way, and what to do.
Result<std::unique_ptr<DeviceOp>> makeDevicePass(DevicePassStep step, const StreamType& in);

}  // namespace millrace
