// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/object_moves.h"

#include <algorithm>
#include <array>

#include "core/data/object_fields.h"

namespace millrace {

namespace {

constexpr std::size_t kBoxValues = 4;
constexpr std::size_t kPointValues = 3;

struct Point {
  double x = 0;
  double y = 0;
};

Point moved(const PointMap& map, Point from) {
  const double scale = map.wx * from.x + map.wy * from.y + 1;
  return {(map.xx * from.x + map.xy * from.y + map.x0) / scale,
          (map.yx * from.x + map.yy * from.y + map.y0) / scale};
}

Box boxAt(const float* values) { return {values[0], values[1], values[2], values[3]}; }

Point centreOf(const Box& box) { return {(box.left + box.right) / 2, (box.top + box.bottom) / 2}; }

void put(const Box& box, float* values) {
  values[0] = static_cast<float>(box.left);
  values[1] = static_cast<float>(box.top);
  values[2] = static_cast<float>(box.right);
  values[3] = static_cast<float>(box.bottom);
}

bool isIn(const Box& box, Point point) {
  return point.x >= box.left && point.x <= box.right && point.y >= box.top && point.y <= box.bottom;
}

void movePoint(const PointMap& map, float* values) {
  if (values[2] <= 0) return;
  const Point to = moved(map, Point{values[0], values[1]});
  if (!isIn(map.shown, to)) {
    std::fill_n(values, kPointValues, 0.0F);
    return;
  }
  values[0] = static_cast<float>(to.x);
  values[1] = static_cast<float>(to.y);
}

/// Exchanges the keypoints of one object with their mirror images.
void exchange(const std::vector<std::uint16_t>& mirrored, float* values) {
  for (std::size_t k = 0; k < mirrored.size(); ++k)
    if (mirrored[k] > k)
      std::swap_ranges(values + k * kPointValues, values + (k + 1) * kPointValues,
                       values + mirrored[k] * kPointValues);
}

std::size_t rowsOf(const TensorView& value) { return static_cast<std::size_t>(value.shape[0]); }

}  // namespace

Box clipped(const Box& box, const Box& in) {
  return {std::clamp(box.left, in.left, in.right), std::clamp(box.top, in.top, in.bottom),
          std::clamp(box.right, in.left, in.right), std::clamp(box.bottom, in.top, in.bottom)};
}

Box movedBox(const PointMap& map, const Box& box) {
  const Point first = moved(map, Point{box.left, box.top});
  Box around{first.x, first.y, first.x, first.y};
  for (const Point corner :
       {Point{box.right, box.top}, Point{box.left, box.bottom}, Point{box.right, box.bottom}}) {
    const auto [x, y] = moved(map, corner);
    around = {std::min(around.left, x), std::min(around.top, y), std::max(around.right, x),
              std::max(around.bottom, y)};
  }
  return around;
}

Box unmoved(const PointMap& map, const Box& box) {
  const double left = (box.left - map.x0) / map.xx;
  const double right = (box.right - map.x0) / map.xx;
  const double top = (box.top - map.y0) / map.yy;
  const double bottom = (box.bottom - map.y0) / map.yy;
  return {std::min(left, right), std::min(top, bottom), std::max(left, right),
          std::max(top, bottom)};
}

double areaOf(const Box& box) { return (box.right - box.left) * (box.bottom - box.top); }

PointMap pointMapOf(const Window& window, int ratio) {
  const double k = ratio;
  const Rect source = window.source();
  const Size resized = window.resizedTo();
  const Rect cut = window.cut();
  PointMap map;
  map.centres = window.centres();
  map.xx = static_cast<double>(resized.width) / source.width;
  map.yy = static_cast<double>(resized.height) / source.height;
  map.x0 = -k * (source.x * map.xx + cut.x);
  map.y0 = -k * (source.y * map.yy + cut.y);
  map.shown = {0, 0, k * cut.width, k * cut.height};
  Size whole = cut.size();
  if (window.padded()) {
    const Rect view = window.view();
    const double right = k * (window.placed().x - view.x);
    const double down = k * (window.placed().y - view.y);
    map.x0 += right;
    map.y0 += down;
    whole = view.size();
    map.shown = clipped({right, down, right + k * cut.width, down + k * cut.height},
                        {0, 0, k * whole.width, k * whole.height});
  }
  if (window.flippedX()) {
    map.xx = -map.xx;
    map.x0 = k * whole.width - map.x0;
    map.shown = {k * whole.width - map.shown.right, map.shown.top, k * whole.width - map.shown.left,
                 map.shown.bottom};
  }
  if (window.flippedY()) {
    map.yy = -map.yy;
    map.y0 = k * whole.height - map.y0;
    map.shown = {map.shown.left, k * whole.height - map.shown.bottom, map.shown.right,
                 k * whole.height - map.shown.top};
  }
  return map;
}

ObjectMoves::ObjectMoves(const std::vector<FieldSpec>& fields,
                         const std::vector<std::size_t>& acted) {
  const auto image =
      std::ranges::find_if(acted, [&](std::size_t i) { return fields[i].role == Role::Image; });
  if (image == acted.end()) return;
  m_image = *image;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const FieldSpec& field = fields[i];
    if (field.role == Role::Boxes && !m_boxes) m_boxes = i;
    if (field.role == Role::Objects && field.name == kVisibleField) m_visible = i;
    if (field.role == Role::Keypoints) m_points.push_back({i, field.mirrored});
  }
}

void ObjectMoves::apply(const PointMap& map, Sample& sample) const {
  if (m_boxes) moveBoxes(map, sample);
  for (const Points& points : m_points) {
    const TensorView value = sample.writable(points.field);
    const auto perObject = static_cast<std::size_t>(value.shape[1]);
    auto* const values = value.as<float>();
    for (std::size_t k = 0; k < rowsOf(value) * perObject; ++k)
      movePoint(map, values + k * kPointValues);
    if (!map.mirrors() || points.mirrored.empty()) continue;
    for (std::size_t i = 0; i < rowsOf(value); ++i)
      exchange(points.mirrored, values + i * perObject * kPointValues);
  }
}

void ObjectMoves::moveBoxes(const PointMap& map, Sample& sample) const {
  const TensorView value = sample.writable(*m_boxes);
  float* const visible = m_visible ? sample.writable(*m_visible).as<float>() : nullptr;
  auto* const values = value.as<float>();
  for (std::size_t i = 0; i < rowsOf(value); ++i) {
    const Box from = boxAt(values + i * kBoxValues);
    const Box to = movedBox(map, from);
    Box kept = clipped(to, map.shown);
    if (map.centres && !isIn(*map.centres, centreOf(from)))
      kept = {kept.left, kept.top, kept.left, kept.top};
    put(kept, values + i * kBoxValues);
    if (visible != nullptr && areaOf(to) > 0)
      visible[i] *= static_cast<float>(areaOf(kept) / areaOf(to));
  }
}

void ObjectMoves::boxesOf(const Sample& sample, std::vector<Box>& into) const {
  into.clear();
  if (!m_boxes) return;
  const TensorView& value = sample[*m_boxes];
  for (std::size_t i = 0; i < rowsOf(value); ++i)
    into.push_back(boxAt(value.as<const float>() + i * kBoxValues));
}

}  // namespace millrace
