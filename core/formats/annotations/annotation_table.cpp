// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/annotations/annotation_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

/// The name with `from` replaced by `to`, whatever its case; empty if it does
/// not contain it.
std::string exchanged(const std::string& name, std::string_view from, std::string_view to) {
  const std::size_t at = lowerCase(name).find(from);
  if (at == std::string::npos) return {};
  return lowerCase(name).replace(at, from.size(), to);
}

bool isFinite(const std::array<float, 4>& box) {
  return std::ranges::all_of(box, [](float edge) { return std::isfinite(edge); });
}

/// The part of the box in a picture of this size.
std::array<float, 4> inside(std::array<float, 4> box, float width, float height) {
  box[0] = std::clamp(box[0], 0.0F, width);
  box[1] = std::clamp(box[1], 0.0F, height);
  box[2] = std::clamp(box[2], 0.0F, width);
  box[3] = std::clamp(box[3], 0.0F, height);
  return box;
}

}  // namespace

std::vector<std::uint16_t> mirroredPoints(const std::vector<std::string>& names) {
  std::vector<std::uint16_t> mirrored(names.size());
  std::iota(mirrored.begin(), mirrored.end(), std::uint16_t{0});
  bool any = false;
  for (std::size_t left = 0; left < names.size(); ++left) {
    const std::string other = exchanged(names[left], "left", "right");
    if (other.empty()) continue;
    for (std::size_t right = 0; right < names.size(); ++right) {
      if (lowerCase(names[right]) != other) continue;
      mirrored[left] = static_cast<std::uint16_t>(right);
      mirrored[right] = static_cast<std::uint16_t>(left);
      any = true;
    }
  }
  return any ? mirrored : std::vector<std::uint16_t>{};
}

std::size_t AnnotationBuilder::addPicture(std::string path, Size size) {
  std::ranges::replace(path, '\\', '/');
  m_table.pictures.push_back({std::move(path), size});
  return m_table.pictures.size() - 1;
}

void AnnotationBuilder::leaveOut(std::string_view noun, std::string_view which,
                                 std::string_view first) {
  LeftOut& entry = m_leftOut[{std::string(noun), std::string(which)}];
  if (entry.count++ == 0) entry.first = first;
}

void AnnotationBuilder::addObject(std::size_t picture, const AnnotatedObject& object,
                                  std::span<const float> points) {
  const AnnotatedPicture& of = m_table.pictures[picture];
  if (object.label < 0 || static_cast<std::size_t>(object.label) >= m_table.classes.size())
    return leaveOut("box", "of a class that is not listed", of.path);
  if (!isFinite(object.box)) return leaveOut("box", "with an edge that is not a number", of.path);
  AnnotatedObject kept = object;
  const bool isSized = m_table.relative || of.size.width > 0;
  const float width = m_table.relative ? 1.0F : static_cast<float>(of.size.width);
  const float height = m_table.relative ? 1.0F : static_cast<float>(of.size.height);
  if (isSized) kept.box = inside(object.box, width, height);
  if (object.box[2] <= object.box[0] || object.box[3] <= object.box[1])
    return leaveOut("box", "without area", of.path);
  if (kept.box[2] <= kept.box[0] || kept.box[3] <= kept.box[1])
    return leaveOut("box", "outside its picture", of.path);
  m_placed.push_back({static_cast<std::uint32_t>(picture), kept});
  const std::size_t values = m_table.pointNames.size() * 3;
  const std::size_t given = std::min(values, points.size());
  m_points.insert(m_points.end(), points.begin(),
                  points.begin() + static_cast<std::ptrdiff_t>(given));
  m_points.resize(m_placed.size() * values, 0.0F);
}

AnnotationTable AnnotationBuilder::take() {
  for (const Placed& placed : m_placed) ++m_table.pictures[placed.picture].count;
  std::size_t next = 0;
  std::vector<std::size_t> to;
  for (AnnotatedPicture& picture : m_table.pictures) {
    picture.first = next;
    to.push_back(next);
    next += picture.count;
  }
  const std::size_t values = m_table.pointNames.size() * 3;
  m_table.objects.resize(next);
  m_table.points.resize(next * values);
  for (std::size_t i = 0; i < m_placed.size(); ++i) {
    const std::size_t place = to[m_placed[i].picture]++;
    m_table.objects[place] = m_placed[i].object;
    std::copy_n(m_points.begin() + static_cast<std::ptrdiff_t>(i * values), values,
                m_table.points.begin() + static_cast<std::ptrdiff_t>(place * values));
  }
  for (const auto& [what, entry] : m_leftOut) {
    const bool isOne = entry.count == 1;
    const std::string_view ending = isOne ? "" : what.first.ends_with('x') ? "es" : "s";
    m_table.notes.push_back(fmt::format("`{}`: {} {}{} {} {} left out; first: {}", m_where,
                                        grouped(entry.count), what.first, ending, what.second,
                                        isOne ? "is" : "are", singleLine(entry.first)));
  }
  return std::move(m_table);
}

}  // namespace millrace
