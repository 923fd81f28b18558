// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Open Images' boxes (https://storage.googleapis.com/openimages/web/download_v7.html): a CSV with a
// row for each box, and one with the names of the classes.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/annotations/annotation_format.h"
#include "core/formats/folder/csv.h"
#include "core/formats/io/open_file.h"

namespace millrace {

namespace open_images {

namespace {

namespace fs = std::filesystem;

/// The columns that are used, by their names in the header row.
struct Columns {
  std::optional<std::size_t> picture, label, left, right, top, bottom, crowd;

  static Columns of(const std::vector<std::string_view>& header) {
    const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(header, name);
      if (found == header.end()) return std::nullopt;
      return static_cast<std::size_t>(found - header.begin());
    };
    return {find("ImageID"), find("LabelName"), find("XMin"),     find("XMax"),
            find("YMin"),    find("YMax"),      find("IsGroupOf")};
  }
  bool complete() const { return picture && label && left && right && top && bottom; }
  std::size_t last() const { return std::max({*picture, *label, *left, *right, *top, *bottom}); }
};

std::optional<float> numberIn(std::string_view text) {
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

/// The classes that a data set describes, with their labels.
struct Classes {
  std::vector<std::string> names;
  std::map<std::string, std::int32_t, std::less<>> labels;  ///< by their codes: `/m/01g317`

  void add(std::string_view code, std::string_view name) {
    if (labels.emplace(code, static_cast<std::int32_t>(names.size())).second)
      names.emplace_back(name);
  }
};

/// From the CSV files next to the boxes, which all parts of a data set share.
Classes describedClasses(const fs::path& folder) {
  constexpr std::size_t kLargest = std::size_t{64} << 20U;
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().native().find("class-descriptions") != std::string::npos)
      files.push_back(entry.path());
  std::ranges::sort(files);
  Classes classes;
  for (const fs::path& file : files) {
    const Result<std::string> text = annotationText(file, kLargest);
    if (!text) continue;
    CsvReader rows(*text);
    for (CsvReader::Row row = rows.next(); row != CsvReader::Row::End; row = rows.next())
      if (row == CsvReader::Row::Cells && rows.cells().size() >= 2 &&
          rows.cells()[0] != "LabelName")
        classes.add(rows.cells()[0], rows.cells()[1]);
  }
  return classes;
}

/// The described classes in their order, then those that only the boxes name.
Classes classesOf(const fs::path& folder, const std::set<std::string>& codes) {
  Classes classes = describedClasses(folder);
  for (const std::string& code : codes) classes.add(code, code);
  return classes;
}

struct Box {
  std::size_t picture;
  std::string label;
  AnnotatedObject object;
};

/// The boxes of the CSV, and the pictures that they name in their order.
struct Boxes {
  std::vector<std::string> pictures;
  std::vector<Box> boxes;
  std::size_t brokenRows = 0;
  std::size_t firstBroken = 0;
};

Result<Boxes> boxesIn(std::string_view text) {
  CsvReader rows(text);
  if (rows.next() != CsvReader::Row::Cells) return Error{"it is empty"};
  const Columns columns = Columns::of(rows.cells());
  if (!columns.complete())
    return Error{"its first row does not name ImageID, LabelName, XMin, XMax, YMin and YMax"};
  Boxes boxes;
  std::unordered_map<std::string, std::size_t> numbers;
  for (CsvReader::Row row = rows.next(); row != CsvReader::Row::End; row = rows.next()) {
    const auto& cells = rows.cells();
    const auto number = [&](std::size_t column) { return numberIn(cells[column]); };
    const bool isWhole = row == CsvReader::Row::Cells && cells.size() > columns.last();
    if (!isWhole || !number(*columns.left) || !number(*columns.right) || !number(*columns.top) ||
        !number(*columns.bottom)) {
      if (boxes.brokenRows++ == 0) boxes.firstBroken = rows.line();
      continue;
    }
    const auto [at, isNew] =
        numbers.emplace(std::string(cells[*columns.picture]), boxes.pictures.size());
    if (isNew) boxes.pictures.push_back(at->first);
    Box box{at->second, std::string(cells[*columns.label]), {}};
    box.object.box = {*number(*columns.left), *number(*columns.top), *number(*columns.right),
                      *number(*columns.bottom)};
    box.object.area =
        (box.object.box[2] - box.object.box[0]) * (box.object.box[3] - box.object.box[1]);
    box.object.crowd =
        columns.crowd && cells.size() > *columns.crowd && cells[*columns.crowd] == "1";
    boxes.boxes.push_back(std::move(box));
  }
  return boxes;
}

Result<AnnotationTable> read(const AnnotationPlaces& places) {
  const std::string name = validUtf8(places.annotations.native());
  const fs::path near = places.annotations.parent_path();
  MILLRACE_ASSIGN_OR_RETURN(const auto text, annotationText(places.annotations));
  Result<Boxes> found = boxesIn(text);
  if (!found) return Error{fmt::format("`{}`: {}", name, found.error().message)};
  if (found->boxes.empty()) return Error{fmt::format("`{}` holds no boxes", name)};
  for (std::string& picture : found->pictures) picture += ".jpg";
  MILLRACE_ASSIGN_OR_RETURN(const auto folder, folderOfPictures(places, near, found->pictures));
  AnnotationBuilder builder(folder.native(), name);
  builder.setRelative();
  std::set<std::string> codes;
  for (const Box& box : found->boxes) codes.insert(box.label);
  Classes classes = classesOf(near, codes);
  builder.setClasses(std::move(classes.names));
  for (const std::string& picture : found->pictures) builder.addPicture(picture);
  for (const Box& box : found->boxes) {
    AnnotatedObject object = box.object;
    object.label = classes.labels[box.label];
    builder.addObject(box.picture, object);
  }
  if (found->brokenRows > 0)
    builder.note(fmt::format("`{}`: {} without a box {} left out; first: line {}", name,
                             counted(found->brokenRows, "row"),
                             found->brokenRows == 1 ? "is" : "are", found->firstBroken));
  return builder.take();
}

bool recognises(const fs::path& path) {
  if (lowerCase(path.extension().native()) != ".csv") return false;
  const Result<OpenFile> file = openForReading(path);
  if (!file) return false;
  std::string head(4096, '\0');
  const Result<std::size_t> read = readAt(file->fd.get(), 0, head.data(), head.size());
  if (!read) return false;
  CsvReader rows(std::string_view(head).substr(0, *read));
  return rows.next() == CsvReader::Row::Cells && Columns::of(rows.cells()).complete();
}

}  // namespace

}  // namespace open_images

AnnotationFormat openImagesAnnotations();
AnnotationFormat openImagesAnnotations() {
  return {"open_images", "Open Images", "a CSV file such as train-annotations-bbox.csv",
          &open_images::recognises, &open_images::read};
}

}  // namespace millrace
