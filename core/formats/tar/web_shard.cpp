// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tar/web_shard.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/range_reader.h"

namespace millrace {

WebName webName(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t base = slash == std::string_view::npos ? 0 : slash + 1;
  const std::size_t dot = path.find('.', base);
  if (dot == std::string_view::npos || dot == base || dot + 1 == path.size()) return {};
  if (path.substr(base, 2) == "__") return {};
  WebName name{path.substr(0, dot), std::string(path.substr(dot + 1))};
  for (char& letter : name.extension)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return name;
}

std::string_view WebShard::key(std::size_t sample) const {
  const std::size_t end = sample + 1 < m_keys.size() ? m_keys[sample + 1] : m_text.size();
  return std::string_view(m_text).substr(m_keys[sample], end - m_keys[sample]);
}

void WebShard::note(std::string sentence) {
  if (m_notes.size() < kMostDamageNotes) m_notes.push_back(std::move(sentence));
}

void WebShard::takeDotted(const TarMember& member, const WebName& name, bool known) {
  const std::size_t dot = name.extension.rfind('.');
  if (m_dotted || dot == std::string::npos) return;
  const std::string_view last = std::string_view(name.extension).substr(dot + 1);
  // `12.0.jpg`: no part is called 0.
  if (name.extension.find_first_not_of("0123456789") == dot) {
    m_dotted = Dotted{std::nullopt, 0, member.name};
    return;
  }
  if (known) return;
  for (std::size_t part = 0; part < m_parts.size(); ++part)
    if (std::ranges::find(m_parts[part], last) != m_parts[part].end())
      m_dotted = Dotted{samples() - 1, part, member.name};
}

void WebShard::take(const TarMember& member, const WebName& name) {
  const bool known = std::ranges::any_of(m_parts, [&](const Alternatives& wanted) {
    return std::ranges::find(wanted, name.extension) != wanted.end();
  });
  takeDotted(member, name, known);
  if (!known) return;
  for (std::size_t part = 0; part < m_parts.size(); ++part) {
    const Alternatives& wanted = m_parts[part];
    if (std::find(wanted.begin(), wanted.end(), name.extension) == wanted.end()) continue;
    Place& place = m_places[m_places.size() - m_parts.size() + part];
    if (place.present())
      return note(fmt::format("{} has two parts {}: the first one is used", validUtf8(name.key),
                              join(wanted, " or ")));
    if (member.size > RangeReader::kLargest)
      return note(fmt::format("{} has {} bytes, which exceeds the limit for a sample",
                              validUtf8(member.name), grouped(member.size)));
    place = {member.offset, static_cast<std::uint32_t>(member.size)};
  }
}

Status WebShard::advance(TarWalk& walk, std::size_t most) {
  const std::size_t end = most > SIZE_MAX - samples() ? SIZE_MAX : samples() + most;
  for (;;) {
    if (!m_hasNext) {
      MILLRACE_ASSIGN_OR_RETURN(const auto more, walk.next(m_next));
      if (!more) {
        m_done = true;
        return {};
      }
      m_hasNext = true;
    }
    const WebName name = webName(m_next.name);
    if (m_rule == Junk::Skip && isJunkPath(m_next.name)) {
      m_junk.add(m_next.name);
    } else if (!name.key.empty()) {
      if (m_keys.empty() || key(samples() - 1) != name.key) {
        if (samples() == end) return {};
        m_keys.push_back(m_text.size());
        m_text += name.key;
        m_places.resize(m_places.size() + m_parts.size());
      }
      take(m_next, name);
    }
    m_hasNext = false;
  }
}

std::vector<std::string> WebShard::missingParts() const {
  std::vector<std::string> notes;
  std::unordered_map<std::string_view, std::size_t> lacking;
  bool apart = false;
  for (std::size_t part = 0; part < m_parts.size(); ++part) {
    std::size_t count = 0;
    std::size_t first = 0;
    for (std::size_t sample = 0; sample < samples(); ++sample) {
      if (place(sample, part).present()) continue;
      if (count++ == 0) first = sample;
      apart = lacking.emplace(key(sample), sample).first->second != sample || apart;
    }
    if (count > 0)
      notes.push_back(fmt::format("{} of {} samples {} no part {} and will fail; first: {}",
                                  grouped(count), grouped(samples()), count == 1 ? "has" : "have",
                                  join(m_parts[part], " or "), visibleName(key(first))));
  }
  if (m_dotted && !(m_dotted->sample && place(*m_dotted->sample, m_dotted->part).present()))
    notes.push_back(
        fmt::format("names have dots, and the key of {} ends at the first one; rename the files so "
                    "that the only dot is the one before the extension",
                    visibleName(m_dotted->name)));
  if (apart)
    notes.emplace_back(
        "parts with the same key are not next to each other, so they are different samples; write "
        "the archive sorted by name");
  return notes;
}

std::string WebShard::foldersNote() const {
  std::set<std::string_view> folders;
  for (std::size_t sample = 0; sample < samples() && folders.size() < 2; ++sample) {
    const std::string_view name = key(sample);
    const std::size_t end = name.rfind('/');
    if (end == std::string_view::npos || end == 0) return {};
    const std::string_view path = name.substr(0, end);
    folders.insert(path.substr(path.rfind('/') + 1));
  }
  if (folders.size() < 2) return {};
  return fmt::format(
      "samples lie in folders such as `{}` and `{}`; if these are the classes, unpack the archive, "
      "or add a part cls with the number to each sample",
      visibleName(*folders.begin()), visibleName(*std::next(folders.begin())));
}

std::string WebExtension::text() const {
  return smallest == largest ? counted(smallest, "byte")
                             : fmt::format("{} to {} bytes", grouped(smallest), grouped(largest));
}

Result<WebSurvey> surveyShard(int fd, std::uint64_t size, std::size_t samples, Junk junk,
                              std::vector<std::string>* damage) {
  WebSurvey survey;
  TarWalk walk(fd, size);
  TarMember member;
  std::string last;
  for (std::size_t seen = 0;;) {
    MILLRACE_ASSIGN_OR_RETURN(const auto more, walk.next(member));
    if (damage != nullptr) *damage = walk.damage();
    if (!more) return survey;
    const WebName name = webName(member.name);
    if (name.key.empty() || (junk == Junk::Skip && isJunkPath(member.name))) continue;
    if (name.key != last && ++seen > samples) return survey;
    last = name.key;
    WebExtension& found = survey[name.extension];
    found.smallest = found.members == 0 ? member.size : std::min(found.smallest, member.size);
    found.largest = std::max(found.largest, member.size);
    if (member.size <= WebExtension::kSmall)
      found.small.push_back({member.offset, static_cast<std::uint32_t>(member.size)});
    ++found.members;
  }
}

}  // namespace millrace
