// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/data/stream_type.h"
#include "core/nodes/colour_change.h"
#include "core/spec/device_op.h"
#include "core/spec/image_steps.h"

namespace millrace {

/// One node of a device's pixel pass: an image step, or a change of colours.
struct DevicePassStep {
  ImageStep image;
  std::shared_ptr<const ColourChange> colour;
  std::vector<std::size_t> fields;  ///< what the node acts on
};

/// Geometry, colours, normalise, type and layout of a batch on a device: the counterpart of
/// makeImagePass and of the colour nodes behind it. Each field is one launch, and one more for each
/// change of contrast. One thread.
class DevicePassOp final : public DeviceOp {
 public:
  /// `in`: the fields of the stream in front of the first step.
  DevicePassOp(std::vector<DevicePassStep> steps, std::vector<FieldSpec> in);
  ~DevicePassOp() override;

  const std::vector<DevicePassStep>& steps() const { return m_steps; }
  const std::vector<FieldSpec>& inFields() const { return m_in; }
  /// Whether `next`, directly behind, can be done in the same pass. The grammar is
  ///   window* colour* [normalise] [precision]
  /// with windows as image_pass.h joins them; windows act on the fields of the first step.
  bool takes(const DevicePassStep& next) const;

  std::vector<std::size_t> replaces() const override;
  std::size_t paramBytes(std::size_t rows) const override;
  std::size_t scratchBytes(const Batch& in) const override;
  void lookedAt(const DeviceWork& work, std::size_t field, std::span<Rect> regions) override;
  Status shape(const DeviceWork& work) override;
  Status prepare(const DeviceWork& work) override;
  Status launch(Stream& stream, const DeviceWork& work) override;

 private:
  struct Field;
  struct Row;
  struct Geometry;

  Status drawWindow(const DeviceWork& work, std::size_t row);
  Status drawColours(const DeviceWork& work, std::size_t row);
  Geometry geometryOf(const Field& field, const Row& row) const;
  void placeRow(const DeviceWork& work, Field& field, std::size_t row);
  void placeActs(const DeviceWork& work, const Field& field, std::size_t row);
  Error failure(const Field& field, const Error& error) const;
  Status launchFloats(Stream& stream, const DeviceWork& work, const Field& field) const;
  Status launchField(Stream& stream, const DeviceWork& work, const Field& field) const;

  std::vector<DevicePassStep> m_steps;
  std::vector<FieldSpec> m_in;
  bool m_hasWindow = false;
  std::size_t m_reference = 0;  ///< the field whose pixels parameters count
  std::vector<Field> m_fields;
  // Of the batch between `shape` and `launch`; the host's alone.
  std::vector<Row> m_rows;
  std::vector<std::size_t> m_used;  ///< scratch
};

/// The DeviceOp of one node, which joins its neighbours. The error names a field whose pictures a
/// device cannot do that to, and what to do.
Result<std::unique_ptr<DeviceOp>> makeDevicePass(DevicePassStep step, const StreamType& in);

}  // namespace millrace
