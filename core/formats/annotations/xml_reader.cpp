// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/annotations/xml_reader.h"

#include <utility>

#include "core/base/text/text.h"
#include "core/base/text/xml_entities.h"

namespace millrace {

bool XmlReader::skip(std::string_view until) {
  const std::size_t at = m_text.find(until, m_at);
  m_at = at == std::string_view::npos ? m_text.size() : at + until.size();
  return at != std::string_view::npos;
}

XmlReader::Event XmlReader::next() {
  if (std::exchange(m_closes, false)) return Event::Close;
  m_content.clear();
  while (m_at < m_text.size()) {
    const std::string_view rest = m_text.substr(m_at);
    if (rest.starts_with("<!--")) {
      if (!skip("-->")) return Event::Broken;
    } else if (rest.starts_with("<![CDATA[")) {
      const std::size_t from = m_at + 9;
      if (!skip("]]>")) return Event::Broken;
      m_content += m_text.substr(from, m_at - 3 - from);
    } else if (rest.starts_with("<?") || rest.starts_with("<!")) {
      if (!skip(">")) return Event::Broken;
    } else if (rest.front() == '<') {
      if (!trimmed(m_content).empty()) {
        m_content = std::string(trimmed(m_content));
        return Event::Text;
      }
      return tag();
    } else {
      const std::size_t length = rest.find('<');
      m_content += plainXml(rest.substr(0, length));
      m_at += length == std::string_view::npos ? rest.size() : length;
    }
  }
  return Event::End;
}

XmlReader::Event XmlReader::tag() {
  const std::size_t from = m_at + 1;
  if (!skip(">")) return Event::Broken;
  std::string_view inside = m_text.substr(from, m_at - 1 - from);
  const bool isClosing = inside.starts_with('/');
  if (isClosing) inside.remove_prefix(1);
  m_closes = !isClosing && inside.ends_with('/');
  if (m_closes) inside.remove_suffix(1);
  m_name = inside.substr(0, inside.find_first_of(" \t\r\n"));
  if (m_name.empty()) return Event::Broken;
  return isClosing ? Event::Close : Event::Open;
}

}  // namespace millrace
