// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/data/image_view.h"

namespace millrace {

/// An object in a picture. Value.
struct AnnotatedObject {
  std::array<float, 4> box{};  ///< left, top, right, bottom; AnnotationTable::relative has the unit
  std::int32_t label = 0;
  float area = 0;      ///< in square pixels; of the outline if the annotation has one, else the box
  bool crowd = false;  ///< one box around a group
};

/// What is known of a picture without opening it. Value.
struct AnnotatedPicture {
  std::string path;  ///< relative to AnnotationTable::folder, or absolute
  Size size;         ///< as the annotation states it; 0 x 0: unknown
  std::size_t first = 0;
  std::size_t count = 0;  ///< its objects are first, first + 1, ...
};

/// The pictures of a detection data set with their objects, from any format of annotations.
/// Constant after it is built; any thread.
struct AnnotationTable {
  std::string folder;                      ///< where the paths of pictures start
  std::vector<AnnotatedPicture> pictures;  ///< in the order of the annotations
  std::vector<AnnotatedObject> objects;    ///< those of a picture are together
  bool relative = false;                ///< boxes and keypoints are fractions of the picture's size
  std::vector<std::string> classes;     ///< by label
  std::vector<std::string> pointNames;  ///< of the keypoints of every object; empty: there are none
  std::vector<float> points;            ///< x, y, visibility of every point of every object
  std::vector<std::string> notes;       ///< what was left out or changed, in sentences

  std::span<const AnnotatedObject> objectsOf(const AnnotatedPicture& picture) const {
    return {objects.data() + picture.first, picture.count};
  }
  std::span<const float> pointsOf(std::size_t object) const {
    const std::size_t values = pointNames.size() * 3;
    return {points.data() + object * values, values};
  }
};

/// For each keypoint the one whose name has left and right exchanged ("left_eye" and "right_eye");
/// empty if there is no such pair.
std::vector<std::uint16_t> mirroredPoints(const std::vector<std::string>& names);

/// Builds a table from annotations in any order, and leaves out what is not a box, with a count.
class AnnotationBuilder {
 public:
  /// `where`: the file or folder, for notes.
  AnnotationBuilder(std::string folder, std::string where) : m_where(std::move(where)) {
    m_table.folder = std::move(folder);
  }

  /// Boxes and keypoints are fractions of the picture's size.
  void setRelative() { m_table.relative = true; }
  void setFolder(std::string folder) { m_table.folder = std::move(folder); }
  void setClasses(std::vector<std::string> names) { m_table.classes = std::move(names); }
  /// Must be called before the first object.
  void setPoints(std::vector<std::string> names) { m_table.pointNames = std::move(names); }

  /// Returns the picture's number.
  std::size_t addPicture(std::string path, Size size = {});
  const std::string& pathOf(std::size_t picture) const { return m_table.pictures[picture].path; }
  /// `points`: x, y and visibility of each keypoint, or empty. A box that is beyond its picture is
  /// clipped; one without area there, or a label that is not a class, is left out.
  void addObject(std::size_t picture, const AnnotatedObject& object,
                 std::span<const float> points = {});
  /// Counts something that is left out: leaveOut("box", "without area", ...) becomes "3 boxes
  /// without area are left out". `first`: the first one, for users to find it.
  void leaveOut(std::string_view noun, std::string_view which, std::string_view first);
  void note(std::string text) { m_table.notes.push_back(std::move(text)); }

  AnnotationTable take();

 private:
  struct Placed {
    std::uint32_t picture;
    AnnotatedObject object;
  };
  struct LeftOut {
    std::size_t count = 0;
    std::string first;
  };

  std::string m_where;
  AnnotationTable m_table;
  std::vector<Placed> m_placed;
  std::vector<float> m_points;
  std::map<std::pair<std::string, std::string>, LeftOut> m_leftOut;  ///< by noun and which
};

}  // namespace millrace
