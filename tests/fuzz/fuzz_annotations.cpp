// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// One text as an annotation of every format.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "core/formats/annotations/annotation_format.h"
#include "core/formats/annotations/xml_reader.h"

namespace {

namespace fs = std::filesystem;

/// A folder in which every format finds its files and one picture; removed at the end.
class Folder {
 public:
  Folder() : m_path(fs::temp_directory_path() / ("fuzz_annotations_" + std::to_string(getpid()))) {
    for (const char* inner : {"voc/Annotations", "yolo/images", "yolo/labels", "labelme"})
      fs::create_directories(m_path / inner);
    write("a.jpg", "x");
    write("yolo/images/a.jpg", "x");
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return m_path; }
  void write(const char* name, std::string_view text) const {
    std::ofstream(m_path / name, std::ios::binary) << text;
  }

 private:
  const fs::path m_path;
};

void examine(const millrace::AnnotationTable& table) {
  std::size_t next = 0;
  for (const millrace::AnnotatedPicture& picture : table.pictures) {
    MILLRACE_CHECK(picture.first == next, "objects of a picture follow those of the one before");
    next += picture.count;
  }
  MILLRACE_CHECK(next == table.objects.size(), "every object belongs to a picture");
  MILLRACE_CHECK(table.points.size() == next * table.pointNames.size() * 3, "all have keypoints");
  for (const millrace::AnnotatedObject& object : table.objects) {
    MILLRACE_CHECK(object.box[0] < object.box[2] && object.box[1] < object.box[3], "it has area");
    MILLRACE_CHECK(
        object.label >= 0 && static_cast<std::size_t>(object.label) < table.classes.size(),
        "it has a class");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"a.json", "a.csv", "voc/Annotations/a.xml", "yolo/labels/a.txt",
                           "yolo/data.yaml", "labelme/a.json"})
    folder.write(name, text);
  for (const auto& [format, name] :
       {std::pair("coco", "a.json"), std::pair("open_images", "a.csv"), std::pair("voc", "voc"),
        std::pair("yolo", "yolo"), std::pair("yolo", "yolo/data.yaml"),
        std::pair("labelme", "labelme")}) {
    const millrace::AnnotationFormat* found = millrace::annotationFormatNamed(format);
    (void)found->recognises(folder.path() / name);
    const auto table = found->read({folder.path() / name, folder.path(), {}});
    if (table) examine(*table);
  }
  millrace::XmlReader reader(text);
  for (std::size_t events = 0;; ++events) {
    const auto event = reader.next();
    if (event == millrace::XmlReader::Event::End || event == millrace::XmlReader::Event::Broken)
      break;
    MILLRACE_CHECK(events <= 2 * size, "every event takes a character");
  }
  return 0;
}
