// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Pascal VOC (http://host.robots.ox.ac.uk/pascal/VOC/voc2012/htmldoc/devkit_doc.html): one XML file
// for each picture in `Annotations`, the pictures in `JPEGImages`, and lists of names in
// `ImageSets/Main`.
#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/annotations/annotation_format.h"
#include "core/formats/annotations/named_objects.h"
#include "core/formats/annotations/xml_reader.h"
#include "core/formats/folder/file_list.h"

namespace millrace {

namespace voc {

namespace {

namespace fs = std::filesystem;

constexpr const char* kAnnotations = "Annotations";
constexpr std::size_t kLargestFile = std::size_t{64} << 20U;

float numberIn(const std::string& text) {
  float value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Columns and rows of VOC count from 1 and include the last one, so a box covers
/// [min - 1, max).
void putEdge(std::string_view edge, float value, std::array<float, 4>& box) {
  if (edge == "xmin") box[0] = value - 1;
  if (edge == "ymin") box[1] = value - 1;
  if (edge == "xmax") box[2] = value;
  if (edge == "ymax") box[3] = value;
}

Result<NamedPicture> parse(std::string_view text) {
  NamedPicture file;
  std::vector<std::string> open;
  XmlReader reader(text);
  const auto isIn = [&](std::size_t depth, std::string_view name) {
    return open.size() > depth && open[depth] == name;
  };
  for (;;) {
    switch (reader.next()) {
      case XmlReader::Event::Open:
        open.emplace_back(reader.name());
        if (open.size() == 2 && isIn(1, "object")) file.objects.emplace_back();
        break;
      case XmlReader::Event::Close:
        if (open.empty() || open.back() != reader.name())
          return Error{fmt::format("</{}> closes nothing", singleLine(reader.name()))};
        open.pop_back();
        break;
      case XmlReader::Event::Text: {
        const std::string& content = reader.content();
        if (open.size() == 2 && isIn(1, "filename")) file.path = content;
        if (open.size() == 3 && isIn(1, "size") && isIn(2, "width"))
          file.size.width = static_cast<int>(std::clamp(numberIn(content), 0.0F, 1e6F));
        if (open.size() == 3 && isIn(1, "size") && isIn(2, "height"))
          file.size.height = static_cast<int>(std::clamp(numberIn(content), 0.0F, 1e6F));
        if (open.size() == 3 && isIn(1, "object") && isIn(2, "name"))
          file.objects.back().name = content;
        // A `part` of an object has a box too, one level further in.
        if (open.size() == 4 && isIn(1, "object") && isIn(2, "bndbox"))
          putEdge(open[3], numberIn(content), file.objects.back().box);
        break;
      }
      case XmlReader::Event::Broken: return Error{"it is not valid XML"};
      case XmlReader::Event::End:
        if (!open.empty()) return Error{fmt::format("<{}> is not closed", singleLine(open.back()))};
        return file;
    }
  }
}

/// The names that `ImageSets/Main` lists for the part; empty if there is no such list.
std::set<std::string, std::less<>> listed(const fs::path& root, AnnotatedPart part) {
  std::set<std::string, std::less<>> names;
  if (part == AnnotatedPart::All) return names;
  const fs::path file =
      root / "ImageSets" / "Main" / (part == AnnotatedPart::Train ? "train.txt" : "val.txt");
  const Result<std::string> text = annotationText(file, kLargestFile);
  if (!text) return names;
  for (const std::string& line : split(*text, '\n')) {
    const std::string_view name = trimmed(line);
    if (!name.empty()) names.emplace(name.substr(0, name.find_first_of(" \t")));
  }
  return names;
}

/// The folder with the XML files: `Annotations` in the given one, or itself.
fs::path folderOfFiles(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path / kAnnotations, ignored)) return path / kAnnotations;
  return path;
}

/// Whether the first XML file of a folder is an annotation.
bool holdsAnnotations(const fs::path& folder) {
  constexpr std::size_t kMostSeen = 1000;
  std::error_code ignored;
  std::size_t seen = 0;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (++seen > kMostSeen) break;
    if (lowerCase(entry.path().extension().native()) != ".xml") continue;
    const Result<std::string> text = annotationText(entry.path(), kLargestFile);
    return text && text->find("<annotation") != std::string::npos;
  }
  return false;
}

Result<AnnotationTable> read(const AnnotationPlaces& places) {
  const fs::path folder = folderOfFiles(places.annotations);
  const bool isWhole = folder != places.annotations;
  const std::string name = validUtf8(folder.native());
  MILLRACE_ASSIGN_OR_RETURN(const auto files, listFiles(folder));
  const auto names = listed(isWhole ? places.annotations : folder.parent_path(), places.part);
  std::vector<NamedPicture> parsed;
  ClassNames classes;
  AnnotationBuilder builder({}, name);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const fs::path file = files.path(i);
    if (lowerCase(file.extension().native()) != ".xml") continue;
    const Result<std::string> text = annotationText(folder / file, kLargestFile);
    Result<NamedPicture> voc = text ? parse(*text) : Result<NamedPicture>(text.error());
    if (!voc) {
      builder.leaveOut("file", "that cannot be read",
                       fmt::format("{} ({})", validUtf8(file.native()), voc.error().message));
      continue;
    }
    if (voc->path.empty()) voc->path = file.stem().native() + ".jpg";
    // Those of all parts, so that training and validation number them alike.
    for (const NamedBox& object : voc->objects) classes.insert(object.name);
    if (!names.empty() && !names.contains(file.stem().native())) continue;
    parsed.push_back(voc.take());
  }
  if (parsed.empty())
    return Error{fmt::format("`{}` has no XML files of Pascal VOC that can be read", name)};
  MILLRACE_ASSIGN_OR_RETURN(const auto where, folderOfPictures(places, folder, pathsOf(parsed)));
  builder.setFolder(where.native());
  addNamedPictures(builder, parsed, classes);
  return builder.take();
}

bool recognises(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) && holdsAnnotations(folderOfFiles(path));
}

}  // namespace

}  // namespace voc

AnnotationFormat vocAnnotations();
AnnotationFormat vocAnnotations() {
  return {"voc", "Pascal VOC", "a folder with Annotations and JPEGImages", &voc::recognises,
          &voc::read};
}

}  // namespace millrace
