// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tar/web_shard.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/range_reader.h"

namespace millrace {

namespace {}

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

void WebShard::take(const TarMember& member, const WebName& name) {
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
    if (!name.key.empty()) {
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

std::string WebExtension::text() const {
  return smallest == largest ? fmt::format("{} bytes", grouped(smallest))
                             : fmt::format("{} to {} bytes", grouped(smallest), grouped(largest));
}

Result<WebSurvey> surveyShard(int fd, std::uint64_t size, std::size_t samples) {
  WebSurvey survey;
  TarWalk walk(fd, size);
  TarMember member;
  std::string last;
  for (std::size_t seen = 0;;) {
    MILLRACE_ASSIGN_OR_RETURN(const auto more, walk.next(member));
    if (!more) return survey;
    const WebName name = webName(member.name);
    if (name.key.empty()) continue;
    if (name.key != last && ++seen > samples) return survey;
    last = name.key;
    WebExtension& found = survey[name.extension];
    found.smallest = found.members == 0 ? member.size : std::min(found.smallest, member.size);
    found.largest = std::max(found.largest, member.size);
    ++found.members;
  }
}

}  // namespace millrace
