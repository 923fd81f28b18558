// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/sample_keys.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr std::size_t kLongestPart = 180;
constexpr std::size_t kLongest = 380;

bool isNumber(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view stem(std::string_view file) {
  const std::size_t dot = file.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? file : file.substr(0, dot);
}

/// Caffe's keys begin with eight digits and a `_`, so that they are in the order of the samples.
std::string_view withoutNumber(std::string_view key) {
  constexpr std::size_t kDigits = 8;
  const bool numbered =
      key.size() > kDigits + 1 && key[kDigits] == '_' && isNumber(key.substr(0, kDigits));
  return numbered ? key.substr(kDigits + 1) : key;
}

/// In `file#key`, the name of a container's sample, the key identifies it; a mere number does not.
std::string withoutContainer(std::string_view name) {
  const std::size_t mark = name.rfind('#');
  if (mark == std::string_view::npos) return std::string(name);
  const std::string_view key = withoutNumber(name.substr(mark + 1));
  if (isNumber(key)) return fmt::format("{}-{:0>8}", stem(name.substr(0, mark)), key);
  const bool file = key.substr(key.rfind('/') + 1).find('.') != std::string_view::npos;
  return std::string(file || key.empty() ? name : key);
}

std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::string tail = fmt::format("-{:016x}", hashed(text));
  text.resize(most - tail.size());
  return text + tail;
}

}  // namespace

std::string keyFor(std::string_view sampleName) {
  const std::string name = withoutContainer(sampleName);
  std::vector<std::string> parts = split(name, '/');
  std::string last = parts.empty() ? std::string() : parts.back();
  if (!parts.empty()) parts.pop_back();
  last = std::string(stem(last));
  for (char& c : last)
    if (c == '.') c = '_';
  if (last.empty()) last = "sample";
  if (last.starts_with("__")) last.insert(0, "x");
  std::string key;
  for (const std::string& part : parts)
    if (!part.empty() && part != "." && part != "..") key += shortened(part, kLongestPart) + "/";
  key = shortened(key + shortened(last, kLongestPart), kLongest);
  for (char& c : key)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '_';
  return key;
}

std::unique_ptr<StoredNames> storedNamesOf(const Source& source) {
  const auto* keeps = dynamic_cast<const KeepsNames*>(&source);
  return keeps == nullptr ? nullptr : keeps->storedNames();
}

SampleKeys::SampleKeys(const Source& source) : m_source(source) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(source.size());
  const std::unique_ptr<StoredNames> names = storedNamesOf(source);
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    const std::string key = plainKey(i, names.get());
    hashes.push_back(hashed(key));
    m_hashOfAll = hashed(key, m_hashOfAll) * 31;
  }
  std::sort(hashes.begin(), hashes.end());
  for (std::size_t i = 1; i < hashes.size(); ++i)
    if (hashes[i] == hashes[i - 1]) m_shared.insert(hashes[i]);
}

std::string SampleKeys::plainKey(std::uint32_t index, StoredNames* names) const {
  const std::string stored = names == nullptr ? std::string() : names->name(index);
  return keyFor(stored.empty() ? m_source.name(index) : stored);
}

std::string SampleKeys::key(std::uint32_t index, StoredNames* names) const {
  std::string key = plainKey(index, names);
  if (m_shared.count(hashed(key)) != 0) key += fmt::format("+{}", index);
  return key;
}

}  // namespace millrace
