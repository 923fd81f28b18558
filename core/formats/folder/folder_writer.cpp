// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/folder_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/io/growing_file.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

class FolderWriter final : public DatasetWriter {
 public:
  FolderWriter(const WriteSpec& spec, const WriteMark& from) : m_spec(spec), m_at(from) {
    for (std::size_t f = 0; f < spec.fields.size(); ++f) {
      if (isPicture(spec.fields[f].role)) m_pictures.push_back(f);
      if (spec.fields[f].role == Role::Label) m_label = f;
    }
    // A data set without classes reads as one class with this name.
    if (spec.classes.size() == 1 && spec.classes.front() == ".") m_label.reset();
    if (m_pictures.size() > 1) m_label.reset();
  }

  Status add(const WriteSample& sample) override {
    for (const std::size_t f : m_pictures) {
      const TensorView& value = sample.values[f];
      const fs::path folder = m_spec.folder / folderFor(f, sample);
      // A class folder's name at the start of the key is not repeated in the file's name.
      const std::string name =
          fmt::format("{}.{}", nameWithin(folder, sample.key), usualExtension(value.content()));
      MILLRACE_TRY(write(folder / name, value.content()));
    }
    ++m_at.samples;
    return {};
  }

  Result<WriteMark> sync() override {
    const int fd = ::open(m_spec.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return cannotWrite(m_spec.folder, errno);
    // One call for all files: a flush per file would cost a seek each.
    const int error = ::syncfs(fd) == 0 ? 0 : errno;
    ::close(fd);
    if (error != 0) return cannotWrite(m_spec.folder, error);
    return m_at;
  }
  Status finish() override {
    const auto synced = sync();
    return synced ? Status() : Status(synced.error());
  }
  std::uint64_t bytes() const override { return m_bytes; }

 private:
  fs::path folderFor(std::size_t f, const WriteSample& sample) const {
    if (m_pictures.size() > 1) {
      const Role role = m_spec.fields[f].role;
      if (role == Role::Image) return "images";
      return role == Role::Mask ? "masks" : "targets";
    }
    if (!m_label) return "";
    return classFolderName(m_spec, *sample.values[*m_label].as<std::int64_t>());
  }

  /// The key as a single file name: below a class folder, subfolders would be misread.
  static std::string nameWithin(const fs::path& folder, std::string_view key) {
    const std::string own = folder.filename().native();
    if (!own.empty() && key.starts_with(own) && key.size() > own.size() && key[own.size()] == '/')
      key.remove_prefix(own.size() + 1);
    std::string name(key);
    for (char& c : name)
      if (c == '/') c = '_';
    return name;
  }

  Status write(const fs::path& path, std::span<const std::byte> content) {
    if (m_made.insert(path.parent_path().native()).second) {
      std::error_code error;
      fs::create_directories(path.parent_path(), error);
      if (error) return cannotWrite(path.parent_path(), error.value());
    }
    const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!fd.valid()) return cannotWrite(path, errno);
    while (!content.empty()) {
      const ssize_t n = ::write(fd.get(), content.data(), content.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return cannotWrite(path, errno);
      content = content.subspan(static_cast<std::size_t>(n));
      m_bytes += static_cast<std::uint64_t>(n);
    }
    return {};
  }

  const WriteSpec m_spec;
  WriteMark m_at;
  std::vector<std::size_t> m_pictures;  ///< indices of their fields
  std::optional<std::size_t> m_label;
  std::set<std::string> m_made;
  std::uint64_t m_bytes = 0;
};

}  // namespace

OpenWriter openFolderWriter(const WriteSpec& spec, const WriteMark& from) {
  bool pictures = false;
  for (const FieldSpec& field : spec.fields) {
    pictures = pictures || isPicture(field.role);
    if (isPicture(field.role) && field.dtype != DType::Encoded)
      return Error{fmt::format("`{}` is not a picture file; use the setting `png` to make it one",
                               field.name)};
  }
  if (!pictures)
    return Error{
        "the samples have no pictures, and a folder can store nothing else; choose "
        "tfrecord, webdataset or numpy"};
  return std::unique_ptr<DatasetWriter>(std::make_unique<FolderWriter>(spec, from));
}

}  // namespace millrace
