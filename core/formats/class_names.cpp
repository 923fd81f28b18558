// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/class_names.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/data_place.h"
#include "core/formats/shard_files.h"
#include "core/spec/class_lists.h"
#include "core/spec/field_keys.h"
#include "core/spec/stored_names.h"
#include "core/storage/remote_object.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "classes.txt";
constexpr std::uintmax_t kLargest = std::uintmax_t{64} << 20U;

/// A class number, or a list of them.
bool isLabel(const FieldSpec& field) {
  const bool list = field.shape.rank() == 1 && !field.shape.known();
  return field.role == Role::Label && field.dtype == DType::I64 &&
         (field.shape.rank() == 0 || list);
}

/// A source whose classes have names. Constant; shared by all threads.
class NamedClasses final : public Source,
                           public KeepsNames,
                           public FindsClassLists,
                           public HasFieldKeys {
 public:
  NamedClasses(std::shared_ptr<const Source> source, std::vector<std::string> names)
      : m_source(std::move(source)), m_names(std::move(names)) {}

  std::uint32_t size() const override { return m_source->size(); }
  std::uint32_t atLeast(std::uint32_t count) const override { return m_source->atLeast(count); }
  bool listed() const override { return m_source->listed(); }
  std::vector<FieldSpec> fields() const override {
    std::vector<FieldSpec> fields = m_source->fields();
    for (FieldSpec& field : fields)
      if (isLabel(field)) field.classes = static_cast<std::int64_t>(m_names.size());
    return fields;
  }
  std::string name(std::uint32_t index) const override { return m_source->name(index); }
  std::unique_ptr<StoredNames> storedNames() const override {
    const auto* keeps = dynamic_cast<const KeepsNames*>(m_source.get());
    return keeps == nullptr ? nullptr : keeps->storedNames();
  }
  std::optional<ClassLists> classLists() const override {
    const auto* finds = dynamic_cast<const FindsClassLists*>(m_source.get());
    return finds == nullptr ? std::nullopt : finds->classLists();
  }
  std::vector<std::string> fieldKeys() const override {
    const auto* has = dynamic_cast<const HasFieldKeys*>(m_source.get());
    return has == nullptr ? std::vector<std::string>() : has->fieldKeys();
  }
  std::int64_t labelOf(std::uint32_t index) const override { return m_source->labelOf(index); }
  std::uint32_t pathOf(std::uint32_t index) const override { return m_source->pathOf(index); }
  std::vector<std::string> classes() const override { return m_names; }
  std::vector<std::string> warnings() const override { return m_source->warnings(); }
  std::string file(std::uint32_t index) const override { return m_source->file(index); }
  std::vector<std::string> moreFiles(std::uint32_t index) const override {
    return m_source->moreFiles(index);
  }
  std::unique_ptr<SourceReader> reader() const override { return m_source->reader(); }

 private:
  const std::shared_ptr<const Source> m_source;
  const std::vector<std::string> m_names;
};

std::vector<std::string> namesFrom(std::istream& stream) {
  std::vector<std::string> names;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    names.push_back(std::move(line));
  }
  while (!names.empty() && names.back().empty()) names.pop_back();
  return names;
}

std::vector<std::string> namesAtServer(const fs::path& file) {
  std::vector<std::byte> bytes;
  const auto read =
      readWholeObject(file.native(), [&](std::uint64_t size) -> Result<std::span<std::byte>> {
        if (size > kLargest) return Error{"too large for names"};
        bytes.resize(static_cast<std::size_t>(size));
        return std::span(bytes);
      });
  if (!read) return {};
  std::istringstream stream(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  return namesFrom(stream);
}

std::vector<std::string> namesIn(const fs::path& file) {
  if (isRemotePath(file.native())) return namesAtServer(file);
  std::error_code error;
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kLargest || error)
    return {};
  std::ifstream stream(file, std::ios::binary);
  return namesFrom(stream);
}

std::vector<std::string> namesAt(const fs::path& data) {
  if (isFolderAt(data)) return namesIn(classNamesFile(data, false));
  std::vector<std::string> names = namesIn(classNamesFile(data, true));
  return names.empty() ? namesIn(pathIn(folderOf(data), kName)) : names;
}

}  // namespace

fs::path classNamesFile(const fs::path& data, bool oneFile) {
  if (!oneFile) return pathIn(data, kName);
  return pathIn(folderOf(data), data.filename().native() + "." + kName);
}

Result<std::string> classNamesText(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (name.empty() || name.find_first_of("\r\n") != std::string::npos)
      return Error{
          fmt::format("the class `{}` cannot be named in {}: its name is empty or has a "
                      "line break; rename it",
                      singleLine(name), kName)};
  return join(names, "\n") + "\n";
}

std::vector<std::string> classNamesFor(const std::vector<std::string>& paths,
                                       const fs::path& base) {
  for (const std::string& path : paths) {
    const auto meant = namesMeant(path, base);
    if (!meant || meant->empty()) continue;
    const auto data = resolveDataPath(meant->front(), base);
    if (!data) continue;
    if (std::vector<std::string> names = namesAt(*data); !names.empty()) return names;
  }
  return {};
}

Result<std::shared_ptr<const Source>> withClassNames(Result<std::shared_ptr<const Source>> opened,
                                                     const std::vector<std::string>& paths,
                                                     const fs::path& base) {
  if (!opened || !(*opened)->classes().empty()) return opened;
  const std::vector<FieldSpec> fields = (*opened)->fields();
  if (std::ranges::none_of(fields, isLabel)) return opened;
  std::vector<std::string> names = classNamesFor(paths, base);
  if (names.empty()) return opened;
  return std::shared_ptr<const Source>(
      std::make_shared<NamedClasses>(opened.take(), std::move(names)));
}

}  // namespace millrace
