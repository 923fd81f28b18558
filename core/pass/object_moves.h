// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/data/image_view.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"
#include "core/spec/image_steps.h"

namespace millrace {

/// Where geometry moves the points of a picture: x' = xx x + xy y + x0, y' = yx x + yy y + y0, in
/// coordinates where pixel i covers [i, i + 1). With a perspective, both are divided by
/// wx x + wy y + 1.
struct PointMap {
  double xx = 1, xy = 0, x0 = 0;
  double yx = 0, yy = 1, y0 = 0;
  Box shown;  ///< the part of the result that shows the picture, not what pads it
  /// Where the centre of a box must be before it moves, or the box is treated as outside.
  std::optional<Box> centres = {};

  double wx = 0, wy = 0;

  bool mirrors() const { return xx * yy - xy * yx < 0; }
};

/// The smallest box around the four moved corners, not clipped.
Box movedBox(const PointMap& map, const Box& box);
/// The box that becomes `box`, by a map that does not turn.
Box unmoved(const PointMap& map, const Box& box);

/// What the whole window does to a field whose pictures are `ratio` times as large as the coarsest
/// field's.
PointMap pointMapOf(const Window& window, int ratio);

/// Moves the boxes and keypoints of a sample with its picture, as torchvision.transforms.v2 does:
///
/// - A box becomes the smallest one around its four corners, clipped to the part of the result that
///   shows the picture. A box that is outside has no area then.
/// - A keypoint outside becomes 0, 0, 0. If the map mirrors, keypoints change places with
///   FieldSpec::mirrored.
/// - `visible` (kVisibleField) decreases by the share of the box's area that is clipped.
///
/// Constant after construction; any thread.
class ObjectMoves {
 public:
  /// Of a stream with these fields. Nothing moves if the geometry does not act on the image field,
  /// whose indices are `acted`.
  ObjectMoves(const std::vector<FieldSpec>& fields, const std::vector<std::size_t>& acted);

  bool empty() const { return !m_boxes && m_points.empty(); }
  /// The field in whose pixels they are.
  std::size_t image() const { return m_image; }
  void apply(const PointMap& map, Sample& sample) const;

  /// The boxes of a sample in the order of its objects; none if the stream has no boxes.
  void boxesOf(const Sample& sample, std::vector<Box>& into) const;

 private:
  struct Points {
    std::size_t field;
    std::vector<std::uint16_t> mirrored;
  };
  void moveBoxes(const PointMap& map, Sample& sample) const;

  std::size_t m_image = 0;
  std::optional<std::size_t> m_boxes;
  std::optional<std::size_t> m_visible;
  std::vector<Points> m_points;
};

/// The part of `box` in `in`; without area at the nearest edge if it is outside.
Box clipped(const Box& box, const Box& in);
double areaOf(const Box& box);

}  // namespace millrace
