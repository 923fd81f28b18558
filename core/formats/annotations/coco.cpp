// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// COCO's instances and keypoints (https://cocodataset.org/#format-data): one JSON object with the
// lists `images`, `annotations` and `categories`.
#include <algorithm>
#include <fstream>
#include <limits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/random.h"
#include "core/base/text/text.h"
#include "core/formats/annotations/annotation_format.h"
#include "core/formats/io/open_file.h"

namespace millrace {

namespace coco {

namespace {

namespace fs = std::filesystem;

struct Picture {
  std::int64_t id = 0;
  std::string file;
  Size size;
};

struct Annotation {
  std::int64_t picture = 0;
  std::int64_t category = 0;
  std::array<double, 4> box{};  ///< left, top, width, height
  std::size_t edges = 0;        ///< how many numbers the box has
  double area = -1;
  bool crowd = false;
  std::size_t firstPoint = 0;  ///< in Lists::points
  std::size_t points = 0;      ///< numbers
};

struct Category {
  std::int64_t id = 0;
  std::string name;
  std::vector<std::string> points;
};

/// What the file lists, in its order.
struct Lists {
  std::vector<Picture> pictures;
  std::vector<Annotation> annotations;
  std::vector<Category> categories;
  std::vector<double> points;
};

/// Collects the lists while the text is parsed, so that no tree of the whole file is in memory.
/// Entries are at depth 3: the object, a list in it, an object in that.
class Collector {
 public:
  Lists take() { return std::move(m_lists); }
  const std::string& error() const { return m_error; }

  bool null() { return true; }
  bool boolean(bool value) { return number(value ? 1 : 0); }
  bool number_integer(std::int64_t value) { return integer(value); }
  bool number_unsigned(std::uint64_t value) {
    return integer(static_cast<std::int64_t>(
        std::min<std::uint64_t>(value, std::numeric_limits<std::int64_t>::max())));
  }
  bool number_float(double value, const std::string&) { return number(value); }
  bool binary(nlohmann::json::binary_t&) { return false; }

  /// Some tools write ids as text; its hash takes their place.
  bool string(std::string& value) {
    if (atEntry() && isId()) return integer(static_cast<std::int64_t>(fnv1a(value)));
    if (atEntry() && m_list == List::Pictures && m_key == "file_name")
      m_lists.pictures.back().file = std::move(value);
    else if (atEntry() && m_list == List::Categories && m_key == "name")
      m_lists.categories.back().name = std::move(value);
    else if (inEntry() && m_list == List::Categories && m_key == "keypoints")
      m_lists.categories.back().points.push_back(std::move(value));
    return true;
  }

  bool start_object(std::size_t) {
    if (++m_depth != kEntry) return true;
    m_isOpen = true;
    if (m_list == List::Pictures) m_lists.pictures.emplace_back();
    if (m_list == List::Categories) m_lists.categories.emplace_back();
    if (m_list == List::Annotations) {
      m_lists.annotations.emplace_back();
      m_lists.annotations.back().firstPoint = m_lists.points.size();
    }
    return true;
  }
  bool start_array(std::size_t) { return ++m_depth, true; }
  bool end_object() {
    if (--m_depth < kEntry) m_isOpen = false;
    return true;
  }
  bool end_array() {
    if (--m_depth == kTop) m_list = List::Other;
    return true;
  }

  bool key(std::string& key) {
    if (m_depth == kTop) {
      m_list = key == "images"        ? List::Pictures
               : key == "annotations" ? List::Annotations
               : key == "categories"  ? List::Categories
                                      : List::Other;
    }
    if (m_depth <= kEntry) m_key = std::move(key);
    return true;
  }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string&, const Exception&) {
    m_error = fmt::format("it is not valid JSON at byte {}", grouped(position));
    return false;
  }

 private:
  enum class List : std::uint8_t { Other, Pictures, Annotations, Categories };
  static constexpr std::size_t kTop = 1;
  static constexpr std::size_t kEntry = 3;
  static constexpr std::size_t kInEntry = 4;

  /// Whether a value belongs to an entry of a list, or to a list in it.
  bool atEntry() const { return m_isOpen && m_depth == kEntry; }
  bool inEntry() const { return m_isOpen && m_depth == kInEntry; }
  bool isId() const { return m_key == "id" || m_key == "image_id" || m_key == "category_id"; }

  bool integer(std::int64_t value) {
    if (!atEntry() || !isId()) return number(static_cast<double>(value));
    if (m_list == List::Pictures && m_key == "id") m_lists.pictures.back().id = value;
    if (m_list == List::Categories && m_key == "id") m_lists.categories.back().id = value;
    if (m_list == List::Annotations && m_key == "image_id")
      m_lists.annotations.back().picture = value;
    if (m_list == List::Annotations && m_key == "category_id")
      m_lists.annotations.back().category = value;
    return true;
  }

  bool number(double value) {
    if (atEntry() && isId()) return integer(static_cast<std::int64_t>(value));
    if (m_list == List::Pictures && atEntry()) {
      Size& size = m_lists.pictures.back().size;
      const double side = std::clamp(value, 0.0, 1e9);
      if (m_key == "width") size.width = static_cast<int>(side);
      if (m_key == "height") size.height = static_cast<int>(side);
    }
    if (m_list == List::Annotations) annotated(value);
    return true;
  }

  void annotated(double value) {
    if (!m_isOpen) return;
    Annotation& entry = m_lists.annotations.back();
    if (atEntry() && m_key == "area") entry.area = value;
    if (atEntry() && m_key == "iscrowd") entry.crowd = value != 0;
    if (!inEntry()) return;
    if (m_key == "bbox" && entry.edges < entry.box.size()) entry.box[entry.edges++] = value;
    if (m_key == "keypoints") {
      m_lists.points.push_back(value);
      ++entry.points;
    }
  }

  Lists m_lists;
  std::string m_error;
  std::string m_key;
  std::size_t m_depth = 0;
  List m_list = List::Other;
  bool m_isOpen = false;  ///< an entry
};

/// Labels in the order of the category ids, which may have gaps.
std::unordered_map<std::int64_t, std::int32_t> labelsOf(std::vector<Category>& categories) {
  std::ranges::stable_sort(categories, {}, &Category::id);
  std::unordered_map<std::int64_t, std::int32_t> labels;
  for (std::size_t i = 0; i < categories.size(); ++i)
    labels.emplace(categories[i].id, static_cast<std::int32_t>(i));
  return labels;
}

/// The keypoints that the categories share; those of the first that has any.
std::vector<std::string> pointNames(const std::vector<Category>& categories) {
  const auto found = std::ranges::find_if(
      categories, [](const Category& category) { return !category.points.empty(); });
  return found == categories.end() ? std::vector<std::string>{} : found->points;
}

AnnotatedObject objectOf(const Annotation& from, std::int32_t label) {
  const auto [left, top, width, height] = from.box;
  AnnotatedObject object;
  object.box = {static_cast<float>(left), static_cast<float>(top), static_cast<float>(left + width),
                static_cast<float>(top + height)};
  object.label = label;
  object.area = static_cast<float>(from.area >= 0 ? from.area : width * height);
  object.crowd = from.crowd;
  return object;
}

void addObjects(const Lists& lists, const std::unordered_map<std::int64_t, std::int32_t>& labels,
                const std::unordered_map<std::int64_t, std::size_t>& pictures,
                AnnotationBuilder& builder) {
  for (const Annotation& from : lists.annotations) {
    const auto picture = pictures.find(from.picture);
    if (picture == pictures.end()) {
      builder.leaveOut("box", "of a picture that is not listed",
                       fmt::format("image_id {}", from.picture));
      continue;
    }
    if (from.edges < from.box.size()) {
      builder.leaveOut("annotation", "without a box", builder.pathOf(picture->second));
      continue;
    }
    const auto label = labels.find(from.category);
    const std::vector<float> points(
        lists.points.begin() + static_cast<std::ptrdiff_t>(from.firstPoint),
        lists.points.begin() + static_cast<std::ptrdiff_t>(from.firstPoint + from.points));
    builder.addObject(picture->second, objectOf(from, label == labels.end() ? -1 : label->second),
                      points);
  }
}

Result<AnnotationTable> read(const AnnotationPlaces& places) {
  const std::string name = validUtf8(places.annotations.native());
  if (const Result<OpenFile> readable = openForReading(places.annotations); !readable)
    return Error{fmt::format("`{}`: {}", name, readable.error().message)};
  // Such files have hundreds of megabytes, mostly of outlines.
  std::ifstream text(places.annotations, std::ios::binary);
  Collector collector;
  if (!nlohmann::json::sax_parse(text, &collector))
    return Error{fmt::format("`{}`: {}", name, collector.error())};
  Lists lists = collector.take();
  if (lists.pictures.empty())
    return Error{
        fmt::format("`{}` lists no `images`, so it is not COCO's instances or keypoints", name)};

  std::vector<std::string> files;
  for (Picture& picture : lists.pictures) {
    std::ranges::replace(picture.file, '\\', '/');
    files.push_back(picture.file);
  }
  MILLRACE_ASSIGN_OR_RETURN(const auto folder,
                            folderOfPictures(places, places.annotations.parent_path(), files));
  AnnotationBuilder builder(folder.native(), name);
  const auto labels = labelsOf(lists.categories);
  std::vector<std::string> classes;
  for (const Category& category : lists.categories) classes.push_back(category.name);
  builder.setClasses(std::move(classes));
  builder.setPoints(pointNames(lists.categories));
  std::unordered_map<std::int64_t, std::size_t> pictures;
  for (Picture& picture : lists.pictures) {
    if (pictures.contains(picture.id)) {
      builder.leaveOut("picture", "with the id of another one", picture.file);
      continue;
    }
    pictures.emplace(picture.id, builder.addPicture(std::move(picture.file), picture.size));
  }
  addObjects(lists, labels, pictures, builder);
  return builder.take();
}

/// A JSON object whose beginning or end names one of the lists.
bool recognises(const fs::path& path) {
  if (lowerCase(path.extension().native()) != ".json") return false;
  const Result<OpenFile> file = openForReading(path);
  if (!file) return false;
  constexpr std::uint64_t kPart = 1 << 16U;
  std::string text(kPart, ' ');
  const auto has = [&](std::uint64_t from) {
    const Result<std::size_t> read = readAt(file->fd.get(), from, text.data(), text.size());
    const std::string_view part(text.data(), read ? *read : 0);
    return part.find("\"annotations\"") != std::string_view::npos ||
           (part.find("\"images\"") != std::string_view::npos &&
            part.find("\"file_name\"") != std::string_view::npos) ||
           (part.find("\"categories\"") != std::string_view::npos &&
            part.find("\"bbox\"") != std::string_view::npos);
  };
  return has(0) || (file->size > kPart && has(file->size - kPart));
}

}  // namespace

}  // namespace coco

AnnotationFormat cocoAnnotations();
AnnotationFormat cocoAnnotations() {
  return {"coco", "COCO", "a JSON file such as annotations/instances_train2017.json",
          &coco::recognises, &coco::read};
}

}  // namespace millrace
