// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/written_data.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "core/base/crc32c.h"
#include "core/base/text/text.h"
#include "core/convert/sample_keys.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

std::string_view raw(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

DataLayout layoutOf(const Format& format, const WriteSpec& spec) {
  if (format.isFileName != nullptr) return DataLayout::Container;
  DataLayout layout = DataLayout::Classes;
  for (const FieldSpec& field : spec.fields) {
    if (field.role == Role::Target) layout = DataLayout::Pairs;
    if (field.role == Role::Mask) layout = DataLayout::Masks;
  }
  return layout;
}

/// For each field of the written samples, its index in the target source. A format that stores no
/// names of fields gives its own: then the role tells which one it is, and at last the type.
Result<std::vector<std::size_t>> placesOf(const Source& target, const WriteSpec& spec) {
  const std::vector<FieldSpec> found = target.fields();
  const std::size_t none = found.size();
  std::vector<std::size_t> places(spec.fields.size(), none);
  const auto match = [&](auto same) {
    for (std::size_t f = 0; f < places.size(); ++f)
      for (std::size_t i = 0; i < found.size() && places[f] == none; ++i)
        if (std::ranges::count(places, i) == 0 && same(spec.fields[f], found[i])) places[f] = i;
  };
  match([](const FieldSpec& a, const FieldSpec& b) { return a.name == b.name; });
  match([](const FieldSpec& a, const FieldSpec& b) { return a.role == b.role; });
  match([](const FieldSpec& a, const FieldSpec& b) {
    return a.dtype == b.dtype && a.shape.rank() == b.shape.rank();
  });
  for (std::size_t f = 0; f < places.size(); ++f)
    if (places[f] == none)
      return Error{
          fmt::format("the written data has no `{}` when it is read back", spec.fields[f].name)};
  return places;
}

/// Maps class indices of folders back to the labels that were written.
class Labels {
 public:
  Labels(const Source& target, const Format& format, const WriteSpec& spec) {
    if (!format.classesAreFolders) return;
    std::map<std::string, std::int64_t> numbers;
    for (std::size_t i = 0; i < spec.classes.size(); ++i)
      numbers.emplace(classFolderName(spec, static_cast<std::int64_t>(i)), i);
    for (const std::string& name : target.classes()) {
      const auto known = numbers.find(name);
      m_written.push_back(known != numbers.end() ? known->second : std::atoll(name.c_str()));
    }
  }
  std::int64_t written(std::int64_t read) const {
    if (read < 0 || static_cast<std::size_t>(read) >= m_written.size()) return read;
    return m_written[static_cast<std::size_t>(read)];
  }

 private:
  std::vector<std::int64_t> m_written;
};

Error differs(const Source& target, std::uint32_t index, const std::string& why) {
  return Error{fmt::format("reading back `{}`: {}", validUtf8(target.name(index)), why)};
}

}  // namespace

std::uint64_t digestOf(const WriteSpec& spec, const Format& format,
                       std::span<const TensorView> values) {
  std::uint64_t digest = kHashBegin;
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (format.classesAreFolders && spec.fields[f].role == Role::Label) {
      digest = hashed(classFolderName(spec, *values[f].as<std::int64_t>()), digest);
      continue;
    }
    digest = hashed(raw(values[f].bytes), digest);
    digest = hashed(raw(crc32c(values[f].content())), digest);
  }
  return digest;
}

Result<PipelineProposal> proposeReading(const fs::path& path, const Format& format,
                                        const WriteSpec& spec,
                                        const std::vector<std::string>& readBack) {
  FolderContent content = detectContent(path);
  content.layout = layoutOf(format, spec);
  content.format = content.layout == DataLayout::Container ? &format : nullptr;
  Reading reading = readingOf(format, path, spec, readBack);
  content.paths = std::move(reading.paths);
  content.masks = reading.masks;
  return proposePipeline(content, builtinCatalog(), reading.params, ListsOfClasses::LeaveOut);
}

Status verifyWritten(const Source& target, const Format& format, const WriteSpec& spec,
                     std::vector<std::uint64_t> digests, bool deep,
                     const std::function<bool(std::uint64_t)>& go) {
  if (target.size() != digests.size())
    return Error{fmt::format("{} samples were written, but {} were read back",
                             grouped(digests.size()), grouped(target.size()))};
  if (!deep) return {};
  MILLRACE_ASSIGN_OR_RETURN(const auto places, placesOf(target, spec));
  const Labels labels(target, format, spec);
  std::sort(digests.begin(), digests.end());
  std::vector<bool> seen(digests.size());
  const auto reader = target.reader();
  const std::size_t fields = target.fields().size();
  Sample sample;
  ReadCounters counters;
  std::vector<TensorView> values(places.size());
  for (std::uint32_t i = 0; i < target.size(); ++i) {
    if (!go(i)) return {};
    sample.reset({0, i, 0}, fields);
    if (Status read = reader->read(i, sample, counters); !read)
      return differs(target, i, "it is broken: " + read.error().message);
    for (std::size_t f = 0; f < values.size(); ++f) {
      const std::size_t place = places[f];
      if (spec.fields[f].role == Role::Label && format.classesAreFolders) {
        std::int64_t* label = sample.writable(place).as<std::int64_t>();
        *label = labels.written(*label);
      }
      values[f] = sample[place];
    }
    // Several samples may have the same digest: count each.
    const std::uint64_t digest = digestOf(spec, format, values);
    auto at = std::lower_bound(digests.begin(), digests.end(), digest) - digests.begin();
    while (static_cast<std::size_t>(at) < digests.size() &&
           digests[static_cast<std::size_t>(at)] == digest && seen[static_cast<std::size_t>(at)])
      ++at;
    if (static_cast<std::size_t>(at) == digests.size() ||
        digests[static_cast<std::size_t>(at)] != digest)
      return differs(target, i, "it differs from what was written");
    seen[static_cast<std::size_t>(at)] = true;
  }
  return {};
}

}  // namespace millrace
