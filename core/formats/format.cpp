// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/text/text.h"
#include "core/formats/io/open_file.h"

namespace millrace {

#define MILLRACE_FORMAT(name) Format name##Format();
#include "core/formats/formats.def"
#undef MILLRACE_FORMAT

std::span<const Format> allFormats() {
  static const std::array formats{
#define MILLRACE_FORMAT(name) name##Format(),
#include "core/formats/formats.def"
#undef MILLRACE_FORMAT
  };
  return formats;
}

namespace {

template <class Is>
const Format* firstFormat(Is is) {
  const auto found = std::ranges::find_if(allFormats(), is);
  return found == allFormats().end() ? nullptr : &*found;
}

const TargetEnding* endingOf(const std::filesystem::path& target, const Format& format) {
  const std::string extension = target.extension().native();
  const auto found = std::ranges::find(format.targets, extension, &TargetEnding::text);
  return found == format.targets.end() ? nullptr : &*found;
}

}  // namespace

const Format* formatNamed(std::string_view name) {
  return firstFormat([&](const Format& format) { return format.name == name; });
}

const Format* formatOfFileName(std::string_view name) {
  const std::string low = lowerCase(name);
  return firstFormat(
      [&](const Format& format) { return format.isFileName != nullptr && format.isFileName(low); });
}

const Format* formatOfHead(const std::filesystem::path& file) {
  const auto opened = openForReading(file);
  if (!opened) return nullptr;
  std::array<std::byte, kFormatHeadBytes> bytes{};
  const auto got = readAt(opened->fd.get(), 0, bytes.data(), bytes.size());
  if (!got) return nullptr;
  const auto head = std::span<const std::byte>(bytes).first(*got);
  return firstFormat(
      [&](const Format& format) { return format.isHead != nullptr && format.isHead(head); });
}

const Format* formatOfTarget(const std::filesystem::path& target) {
  return firstFormat([&](const Format& format) { return endingOf(target, format) != nullptr; });
}

bool isOneFile(const std::filesystem::path& target, const Format& format) {
  const TargetEnding* ending = endingOf(target, format);
  return ending != nullptr && ending->oneFile;
}

Reading readingOf(const Format& format, const std::filesystem::path& path, const WriteSpec& spec,
                  const std::vector<std::string>& readBack) {
  if (format.reading != nullptr) return format.reading(path, spec, readBack);
  Reading reading;
  reading.paths = {path};
  if (!format.fieldsParam.empty())
    reading.params[std::string(format.fieldsParam)] = TextList(readBack);
  return reading;
}

bool endsInOneOf(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return name.ends_with(ending); });
}

bool hasMagic(std::span<const std::byte> head, std::size_t at, std::string_view magic) {
  return at + magic.size() <= head.size() &&
         std::memcmp(head.data() + at, magic.data(), magic.size()) == 0;
}

}  // namespace millrace
