// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// labelme (https://github.com/wkentaro/labelme): one JSON file for each picture, next to it. Of
// polygons, circles and lines the box around them is used.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/formats/annotations/annotation_format.h"
#include "core/formats/annotations/named_objects.h"
#include "core/formats/folder/file_list.h"

namespace millrace {

namespace labelme {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A file may contain its picture.
constexpr std::size_t kLargestFile = std::size_t{256} << 20U;

struct PictureFile {
  NamedPicture picture;    ///< its path is below the folder
  std::size_t points = 0;  ///< shapes that are one point, which has no area
};

bool isJson(const fs::path& file) { return lowerCase(file.extension().native()) == ".json"; }

int sideOf(const Json& file, const char* name) {
  const auto found = file.find(name);
  if (found == file.end() || !found->is_number()) return 0;
  return static_cast<int>(std::clamp(found->get<double>(), 0.0, 1e6));
}

float numberOf(const Json& value) {
  constexpr double kMost = 1e9;
  return static_cast<float>(std::clamp(value.get<double>(), -kMost, kMost));
}

/// The box around the points; a circle is its centre and a point of its edge.
bool putBox(const Json& shape, std::array<float, 4>& box) {
  const auto points = shape.find("points");
  if (points == shape.end() || !points->is_array()) return false;
  std::vector<std::pair<float, float>> places;
  for (const Json& point : *points) {
    if (!point.is_array() || point.size() < 2 || !point[0].is_number() || !point[1].is_number())
      return false;
    places.emplace_back(numberOf(point[0]), numberOf(point[1]));
  }
  if (places.size() < 2) return false;
  if (shape.value("shape_type", Json()) == "circle") {
    const auto [x, y] = places.front();
    const float radius = std::hypot(places[1].first - x, places[1].second - y);
    box = {x - radius, y - radius, x + radius, y + radius};
    return true;
  }
  const auto [left, right] =
      std::ranges::minmax_element(places, {}, [](auto& p) { return p.first; });
  const auto [top, low] = std::ranges::minmax_element(places, {}, [](auto& p) { return p.second; });
  box = {left->first, top->second, right->first, low->second};
  return true;
}

/// Where the picture is: `imagePath`, which another machine may have written, starts at the file.
std::string pictureOf(const Json& file, const fs::path& json) {
  const auto found = file.find("imagePath");
  if (found == file.end() || !found->is_string()) return {};
  std::string name = found->get<std::string>();
  std::ranges::replace(name, '\\', '/');
  const fs::path place = (json.parent_path() / name).lexically_normal();
  const bool outside = place.is_absolute() || place.native().starts_with("..");
  return outside ? (json.parent_path() / fs::path(name).filename()).native() : place.native();
}

Result<PictureFile> parse(const std::string& text, const fs::path& json) {
  const Json file = parsedJson(text);
  const auto shapes = file.is_object() ? file.find("shapes") : file.end();
  if (!file.is_object() || shapes == file.end() || !shapes->is_array())
    return Error{"it is not a file of labelme"};
  PictureFile found;
  found.picture.path = pictureOf(file, json);
  found.picture.size = {sideOf(file, "imageWidth"), sideOf(file, "imageHeight")};
  if (found.picture.path.empty()) return Error{"it names no picture"};
  for (const Json& shape : *shapes) {
    NamedBox object;
    const auto label = shape.is_object() ? shape.find("label") : shape.end();
    if (!shape.is_object() || label == shape.end() || !label->is_string() ||
        !putBox(shape, object.box)) {
      ++found.points;
      continue;
    }
    object.name = label->get<std::string>();
    found.picture.objects.push_back(std::move(object));
  }
  return found;
}

Result<AnnotationTable> read(const AnnotationPlaces& places) {
  const std::string name = validUtf8(places.annotations.native());
  MILLRACE_ASSIGN_OR_RETURN(const auto files, listFiles(places.annotations));
  AnnotationBuilder builder({}, name);
  std::vector<NamedPicture> parsed;
  ClassNames classes;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const fs::path file = files.path(i);
    if (!isJson(file)) continue;
    const Result<std::string> text = annotationText(places.annotations / file, kLargestFile);
    Result<PictureFile> one = text ? parse(*text, file) : Result<PictureFile>(text.error());
    if (!one) {
      builder.leaveOut("file", "that cannot be read",
                       fmt::format("{} ({})", validUtf8(file.native()), one.error().message));
      continue;
    }
    for (const NamedBox& object : one->picture.objects) classes.insert(object.name);
    for (std::size_t k = 0; k < one->points; ++k)
      builder.leaveOut("shape", "that has no box", validUtf8(file.native()));
    parsed.push_back(std::move(one->picture));
  }
  if (parsed.empty())
    return Error{fmt::format("`{}` has no JSON files of labelme that can be read", name)};
  MILLRACE_ASSIGN_OR_RETURN(const auto where,
                            folderOfPictures(places, places.annotations, pathsOf(parsed)));
  builder.setFolder(where.native());
  addNamedPictures(builder, parsed, classes);
  return builder.take();
}

/// Whether the first JSON file of the folder is one of labelme.
bool recognises(const fs::path& path) {
  constexpr std::size_t kMostSeen = 1000;
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return false;
  std::size_t seen = 0;
  for (const auto& entry : fs::directory_iterator(path, ignored)) {
    if (++seen > kMostSeen) break;
    if (!isJson(entry.path())) continue;
    const Result<std::string> text = annotationText(entry.path(), kLargestFile);
    return text && text->find("\"shapes\"") != std::string::npos &&
           text->find("\"imagePath\"") != std::string::npos;
  }
  return false;
}

}  // namespace

}  // namespace labelme

AnnotationFormat labelmeAnnotations();
AnnotationFormat labelmeAnnotations() {
  return {"labelme", "labelme", "a folder with a JSON file for each picture", &labelme::recognises,
          &labelme::read};
}

}  // namespace millrace
