// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// YOLO data sets (https://docs.ultralytics.com/datasets/detect/): a text file for each picture, in
// a folder `labels` next to `images`, with a line for each object: class, centre x and y, width and
// height, as fractions of the picture's size. A YAML file names the classes and the folders.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/annotations/annotation_format.h"
#include "core/formats/folder/file_list.h"

namespace millrace {

namespace yolo {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestYaml = std::size_t{16} << 20U;
constexpr std::size_t kLargestLabels = std::size_t{64} << 20U;
constexpr const char* kImages = "images";
constexpr const char* kLabels = "labels";

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front())
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

/// The text before a comment.
std::string_view withoutComment(std::string_view line) {
  const std::size_t at = line.find('#');
  if (at == std::string_view::npos) return line;
  return at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t' ? line.substr(0, at) : line;
}

/// The top-level keys of a YAML file with their values: a scalar, a list or the values of a map.
class DataYaml {
 public:
  static DataYaml parse(std::string_view text) {
    DataYaml yaml;
    std::string key;
    for (const std::string& raw : split(text, '\n')) {
      const std::string_view line = withoutComment(raw);
      const std::string_view content = trimmed(line);
      if (content.empty()) continue;
      const bool isIndented = line.front() == ' ' || line.front() == '\t';
      const bool isItem = content.starts_with("- ");
      if (!isIndented && !isItem) {
        const std::size_t colon = content.find(':');
        key = unquoted(content.substr(0, colon));
        if (colon != std::string_view::npos) yaml.add(key, trimmed(content.substr(colon + 1)));
      } else if (isItem) {
        yaml.m_values[key].push_back(unquoted(content.substr(2)));
      } else if (const std::size_t colon = content.find(':'); colon != std::string_view::npos) {
        yaml.addNamed(key, unquoted(content.substr(0, colon)), unquoted(content.substr(colon + 1)));
      } else {
        yaml.add(key, content);
      }
    }
    return yaml;
  }

  const std::vector<std::string>& list(const std::string& key) const {
    static const std::vector<std::string> none;
    const auto found = m_values.find(key);
    return found == m_values.end() ? none : found->second;
  }
  std::string text(const std::string& key) const {
    return list(key).empty() ? std::string() : list(key).front();
  }

 private:
  /// A value on the key's line: `[a, b]`, which may go on in the next lines, or a scalar.
  void add(const std::string& key, std::string_view value) {
    if (value.starts_with('[')) value.remove_prefix(1);
    if (value.ends_with(']')) value.remove_suffix(1);
    for (const std::string& item : split(value, ','))
      if (!trimmed(item).empty()) m_values[key].push_back(unquoted(item));
  }

  /// An entry of a map. Numbers are places: what is missing between them is its number.
  void addNamed(const std::string& key, const std::string& name, std::string value) {
    constexpr std::size_t kMost = 100000;
    std::vector<std::string>& values = m_values[key];
    std::size_t place = values.size();
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), place);
    if (error != std::errc() || end != name.data() + name.size() || place >= kMost)
      return values.push_back(std::move(value));
    while (values.size() <= place) values.push_back(std::to_string(values.size()));
    values[place] = std::move(value);
  }

  std::map<std::string, std::vector<std::string>> m_values;
};

bool isYaml(const fs::path& file) {
  const std::string ending = lowerCase(file.extension().native());
  return ending == ".yaml" || ending == ".yml";
}

std::optional<DataYaml> yamlIn(const fs::path& file) {
  const Result<std::string> text = annotationText(file, kLargestYaml);
  if (!text) return std::nullopt;
  DataYaml yaml = DataYaml::parse(*text);
  return yaml.list("names").empty() ? std::nullopt : std::optional(std::move(yaml));
}

/// The YAML file with the classes in a folder; empty if there is none.
fs::path yamlOf(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (isYaml(entry.path()) && yamlIn(entry.path())) files.push_back(entry.path());
  std::ranges::sort(files);
  return files.empty() ? fs::path() : files.front();
}

bool isFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// The folders of a part as the YAML names them, or as they usually are.
std::vector<fs::path> pictureFolders(const fs::path& root, const DataYaml& yaml,
                                     AnnotatedPart part) {
  std::vector<std::string> keys;
  if (part != AnnotatedPart::Validation) keys.emplace_back("train");
  if (part != AnnotatedPart::Train) keys.insert(keys.end(), {"val", "valid", "validation"});
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& folder) {
    if (!isFolder(folder) || std::ranges::find(folders, folder) != folders.end()) return false;
    folders.push_back(folder);
    return true;
  };
  for (const std::string& key : keys)
    for (const std::string& value : yaml.list(key)) {
      // Exported data sets often have `../train/images` where `train/images` is meant.
      fs::path below = value;
      while (below.begin() != below.end() && *below.begin() == "..")
        below = below.lexically_relative("..");
      if (!add((root / yaml.text("path") / value).lexically_normal()) &&
          !add((root / value).lexically_normal()))
        add((root / below).lexically_normal());
    }
  if (!folders.empty()) return folders;
  for (const std::string& key : keys)
    if (!add(root / kImages / key)) add(root / key / kImages);
  if (folders.empty() && !add(root / kImages)) add(root);
  return folders;
}

/// The text file of a picture: in `labels` where the picture is in `images`, else next to it.
fs::path labelsOf(const fs::path& picture) {
  fs::path labels = picture;
  labels.replace_extension(".txt");
  std::vector<fs::path> parts(labels.begin(), labels.end());
  const auto images = std::find(parts.rbegin(), parts.rend(), kImages);
  if (images == parts.rend()) return labels;
  *images = kLabels;
  fs::path moved;
  for (const fs::path& part : parts) moved /= part;
  return moved;
}

/// The numbers of a line; empty if it holds anything else.
std::vector<float> numbersIn(std::string_view line) {
  std::vector<float> numbers;
  line = trimmed(line);
  while (!line.empty()) {
    float value = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc() || !std::isfinite(value)) return {};
    numbers.push_back(value);
    line = trimmed(line.substr(static_cast<std::size_t>(end - line.data())));
  }
  return numbers;
}

/// The box around the corners of an outline: x and y in turn.
std::array<float, 4> around(const std::vector<float>& numbers) {
  std::array<float, 4> box{numbers[1], numbers[2], numbers[1], numbers[2]};
  for (std::size_t i = 1; i + 1 < numbers.size(); i += 2)
    box = {std::min(box[0], numbers[i]), std::min(box[1], numbers[i + 1]),
           std::max(box[2], numbers[i]), std::max(box[3], numbers[i + 1])};
  return box;
}

class Reader {
 public:
  Reader(const AnnotationPlaces& places, DataYaml yaml, fs::path root)
      : m_places(places),
        m_yaml(std::move(yaml)),
        m_root(std::move(root)),
        m_builder(m_root.native(), validUtf8(m_root.native())) {}

  Result<AnnotationTable> run() {
    m_builder.setRelative();
    setPoints();
    std::vector<fs::path> folders{m_places.pictures};
    if (m_places.pictures.empty()) folders = pictureFolders(m_root, m_yaml, m_places.part);
    for (const fs::path& folder : folders) MILLRACE_TRY(addFolder(folder));
    setClasses();
    for (const Line& line : m_lines) put(line);
    if (m_withLabels == 0)
      return Error{
          fmt::format("no picture below `{}` has a text file with boxes next to it or in "
                      "`labels`",
                      validUtf8(m_root.native()))};
    if (m_pictures > m_withLabels)
      m_builder.note(fmt::format("{} of {} pictures {} no text file, and so no objects",
                                 grouped(m_pictures - m_withLabels), grouped(m_pictures),
                                 m_pictures - m_withLabels == 1 ? "has" : "have"));
    return m_builder.take();
  }

 private:
  struct Line {
    std::size_t picture;
    std::vector<float> numbers;
  };

  void setPoints() {
    const std::vector<std::string>& shape = m_yaml.list("kpt_shape");
    if (shape.size() != 2) return;
    m_pointSize = static_cast<std::size_t>(std::clamp(std::atoi(shape[1].c_str()), 2, 3));
    const auto count = static_cast<std::size_t>(std::clamp(std::atoi(shape[0].c_str()), 0, 1000));
    for (std::size_t i = 0; i < count; ++i) m_points.push_back(std::to_string(i));
    m_builder.setPoints(m_points);
  }

  Status addFolder(const fs::path& folder) {
    MILLRACE_ASSIGN_OR_RETURN(const auto files, listFiles(folder, {}, {Junk::Skip, true}));
    for (std::size_t i = 0; i < files.size(); ++i) {
      const fs::path picture = folder / files.path(i);
      if (lowerCase(picture.extension().native()) == ".txt") continue;
      const std::size_t number =
          m_builder.addPicture(picture.lexically_relative(m_root).native().starts_with("..")
                                   ? picture.native()
                                   : picture.lexically_relative(m_root).native());
      ++m_pictures;
      const Result<std::string> text = annotationText(labelsOf(picture), kLargestLabels);
      if (!text) continue;
      ++m_withLabels;
      for (const std::string& line : split(*text, '\n')) take(number, line);
    }
    return {};
  }

  void take(std::size_t picture, std::string_view line) {
    if (trimmed(line).empty()) return;
    std::vector<float> numbers = numbersIn(line);
    const bool isBox = numbers.size() == 5 || numbers.size() == 5 + m_points.size() * m_pointSize;
    const bool isOutline = m_points.empty() && numbers.size() >= 7 && numbers.size() % 2 == 1;
    if (!isBox && !isOutline)
      return m_builder.leaveOut("line", "without an object", m_builder.pathOf(picture));
    m_most = std::max(m_most, static_cast<std::int32_t>(std::clamp(numbers[0], -1.0F, 1e6F)));
    m_lines.push_back({picture, std::move(numbers)});
  }

  /// As the YAML or `classes.txt` name them, else their numbers.
  void setClasses() {
    std::vector<std::string> names = m_yaml.list("names");
    for (const fs::path& folder : {m_root, m_root / kLabels}) {
      if (!names.empty()) break;
      const Result<std::string> text = annotationText(folder / "classes.txt", kLargestYaml);
      if (!text) continue;
      for (const std::string& line : split(*text, '\n'))
        if (!trimmed(line).empty()) names.emplace_back(trimmed(line));
    }
    if (names.empty())
      for (std::int32_t label = 0; label <= m_most; ++label) names.push_back(std::to_string(label));
    m_builder.setClasses(std::move(names));
  }

  void put(const Line& line) {
    const std::vector<float>& n = line.numbers;
    AnnotatedObject object;
    object.label = static_cast<std::int32_t>(std::clamp(n[0], -1.0F, 1e6F));
    const bool isBox = n.size() == 5 || !m_points.empty();
    object.box =
        isBox ? std::array{n[1] - n[3] / 2, n[2] - n[4] / 2, n[1] + n[3] / 2, n[2] + n[4] / 2}
              : around(n);
    object.area = (object.box[2] - object.box[0]) * (object.box[3] - object.box[1]);
    std::vector<float> points;
    for (std::size_t at = 5; isBox && at + m_pointSize <= n.size(); at += m_pointSize) {
      const bool isPlaced = n[at] > 0 || n[at + 1] > 0;
      points.insert(points.end(), {n[at], n[at + 1],
                                   m_pointSize == 3 ? n[at + 2]
                                   : isPlaced       ? 2.0F
                                                    : 0.0F});
    }
    m_builder.addObject(line.picture, object, points);
  }

  const AnnotationPlaces& m_places;
  const DataYaml m_yaml;
  const fs::path m_root;
  AnnotationBuilder m_builder;
  std::vector<std::string> m_points;
  std::size_t m_pointSize = 3;
  std::vector<Line> m_lines;
  std::int32_t m_most = 0;  ///< the greatest class number
  std::size_t m_pictures = 0;
  std::size_t m_withLabels = 0;
};

Result<AnnotationTable> read(const AnnotationPlaces& places) {
  const bool isGivenYaml = !isFolder(places.annotations);
  const fs::path root = isGivenYaml ? places.annotations.parent_path() : places.annotations;
  const fs::path file = isGivenYaml ? places.annotations : yamlOf(root);
  DataYaml yaml;
  if (!file.empty()) {
    MILLRACE_ASSIGN_OR_RETURN(const auto text, annotationText(file, kLargestYaml));
    yaml = DataYaml::parse(text);
    if (yaml.list("names").empty())
      return Error{fmt::format("`{}` names no classes (`names`)", validUtf8(file.native()))};
  }
  return Reader(places, std::move(yaml), root).run();
}

/// Whether one of the first files is a text of boxes.
bool holdsBoxes(const fs::path& folder) {
  std::error_code ignored;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator at(folder, ignored), end; at != end && seen < 100;
       at.increment(ignored), ++seen) {
    if (at->path().extension() != ".txt") continue;
    const Result<std::string> text = annotationText(at->path(), kLargestLabels);
    if (text && numbersIn(split(*text, '\n').front()).size() >= 5) return true;
  }
  return false;
}

/// Whether pictures in the folder have a text of boxes next to them, as labelImg writes them.
bool holdsBoxesNextToPictures(const fs::path& folder) {
  constexpr std::size_t kMost = 200;
  std::error_code ignored;
  std::set<std::string> pictures;
  std::vector<fs::path> texts;
  std::size_t seen = 0;
  for (fs::directory_iterator at(folder, ignored), end; at != end && seen < kMost;
       at.increment(ignored), ++seen) {
    if (at->path().extension() == ".txt") texts.push_back(at->path());
    const std::string ending = at->path().extension().native();
    if (!ending.empty() && isPictureExtension(ending.substr(1)))
      pictures.insert(at->path().stem().native());
  }
  const auto isShare = [](float value) { return value >= 0 && value <= 1; };
  return std::ranges::any_of(texts, [&](const fs::path& file) {
    if (!pictures.contains(file.stem().native())) return false;
    const Result<std::string> text = annotationText(file, kLargestLabels);
    const auto numbers = text ? numbersIn(split(*text, '\n').front()) : std::vector<float>();
    return numbers.size() == 5 && std::all_of(numbers.begin() + 1, numbers.end(), isShare);
  });
}

bool recognises(const fs::path& path) {
  if (!isFolder(path)) return isYaml(path) && yamlIn(path);
  const bool divided = isFolder(path / kImages) && isFolder(path / kLabels);
  const bool inParts = isFolder(path / "train" / kImages) && isFolder(path / "train" / kLabels);
  return (divided && holdsBoxes(path / kLabels)) ||
         (inParts && holdsBoxes(path / "train" / kLabels)) || holdsBoxesNextToPictures(path);
}

}  // namespace

}  // namespace yolo

AnnotationFormat yoloAnnotations();
AnnotationFormat yoloAnnotations() {
  return {"yolo", "YOLO", "a folder with images and labels, or its YAML file", &yolo::recognises,
          &yolo::read};
}

}  // namespace millrace
