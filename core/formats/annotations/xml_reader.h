// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace {

/// Reads the elements and texts of an XML file one after the other: the part of XML 1.0 that
/// annotations use. Attributes, comments, processing instructions and document types are skipped;
/// the five predefined entities and numeric ones are resolved, others stay as written. One thread;
/// the text must outlive the reader.
class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : m_text(text) {}

  enum class Event { Open, Close, Text, End, Broken };
  /// The next event. An empty element (`<a/>`) is opened and closed. Text without anything but
  /// spaces is skipped, and stays the same until the next event.
  Event next();

  std::string_view name() const { return m_name; }          ///< after Open and Close
  const std::string& content() const { return m_content; }  ///< after Text, without spaces around

 private:
  Event tag();
  bool skip(std::string_view until);

  const std::string_view m_text;
  std::size_t m_at = 0;
  std::string_view m_name;
  std::string m_content;
  bool m_closes = false;  ///< the element that was opened is empty
};

}  // namespace millrace
