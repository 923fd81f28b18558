// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/remote_path.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/storage/object_service.h"

namespace millrace {

namespace {

constexpr std::string_view kBetween = "://";

/// Letters and digits of ASCII, whatever the locale.
bool isPlain(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9');
}

bool isWeb(std::string_view scheme) { return scheme == "http" || scheme == "https"; }

int hexValue(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

}  // namespace

bool isRemotePath(std::string_view path) {
  if (path.empty() || path.front() == '/') return false;
  const std::size_t end = path.find(kBetween);
  if (end == std::string_view::npos || end < 2 || end > 16) return false;
  return std::ranges::all_of(path.substr(0, end), [](char letter) {
    return isPlain(letter) || letter == '+' || letter == '-' || letter == '.';
  });
}

Result<RemotePath> parseRemotePath(std::string_view path) {
  const std::size_t end = path.find(kBetween);
  RemotePath parsed;
  parsed.scheme = lowerCase(path.substr(0, end));
  if (objectServiceOf(parsed.scheme) == nullptr)
    return Error{fmt::format("`{}://` is not a kind of address that can be read; there are {}",
                             validUtf8(parsed.scheme), objectSchemes())};
  std::string_view rest = path.substr(end + kBetween.size());
  if (isWeb(parsed.scheme)) {
    rest = rest.substr(0, rest.find('#'));
    if (const std::size_t query = rest.find('?'); query != std::string_view::npos) {
      parsed.query = rest.substr(query);
      rest = rest.substr(0, query);
    }
  }
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  parsed.host = rest.substr(0, slash);
  parsed.path = rest.substr(std::min(slash + 1, rest.size()));
  if (parsed.host.empty())
    return Error{fmt::format("`{}` names no host or bucket", shownRemotePath(path))};
  if (parsed.host.find('@') != std::string::npos)
    return Error{
        fmt::format("`{}` has a user or a password in it, which a pipeline would keep; "
                    "give credentials by the environment",
                    shownRemotePath(path))};
  const bool control = std::ranges::any_of(path, [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
  });
  if (control)
    return Error{fmt::format("`{}` has a control character in it", shownRemotePath(path))};
  return parsed;
}

std::string shownRemotePath(std::string_view path) {
  const std::size_t end = path.find(kBetween);
  if (end == std::string_view::npos) return validUtf8(path);
  const std::string scheme = lowerCase(path.substr(0, end));
  std::string_view rest = path.substr(end + kBetween.size());
  if (isWeb(scheme)) rest = rest.substr(0, rest.find_first_of("?#"));
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  if (const std::size_t at = rest.substr(0, slash).rfind('@'); at != std::string_view::npos)
    rest.remove_prefix(at + 1);
  return validUtf8(scheme + std::string(kBetween) + std::string(rest));
}

std::string joinRemotePath(std::string_view folder, std::string_view name) {
  if (isRemotePath(name)) return std::string(name);
  if (name.empty()) return std::string(folder);
  const bool web = isWeb(lowerCase(folder.substr(0, folder.find(kBetween))));
  const std::size_t end = web ? std::min(folder.find('?'), folder.size()) : folder.size();
  std::string joined(folder.substr(0, end));
  if (joined.back() != '/') joined += '/';
  joined += web ? percentEncoded(name) : std::string(name);
  joined += folder.substr(end);
  return joined;
}

std::string remoteFolderOf(std::string_view file) {
  const std::size_t begin = file.find(kBetween) + kBetween.size();
  const bool web = isWeb(lowerCase(file.substr(0, begin - kBetween.size())));
  const std::size_t end = web ? std::min(file.find('?'), file.size()) : file.size();
  const std::size_t slash = file.substr(0, end).rfind('/');
  if (slash == std::string_view::npos || slash < begin) return std::string(file);
  return std::string(file.substr(0, slash)) + std::string(file.substr(end));
}

std::string percentEncoded(std::string_view text, std::string_view kept) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char letter : text) {
    if (isPlain(letter) || std::string_view("-._~").find(letter) != std::string_view::npos ||
        kept.find(letter) != std::string_view::npos) {
      encoded += letter;
      continue;
    }
    const auto byte = static_cast<unsigned char>(letter);
    encoded += '%';
    encoded += kHex[byte >> 4U];
    encoded += kHex[byte & 15U];
  }
  return encoded;
}

std::string percentDecoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hexValue(text[i + 1]) : -1;
    const int low = high >= 0 ? hexValue(text[i + 2]) : -1;
    if (low < 0) {
      decoded += text[i];
      continue;
    }
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return decoded;
}

}  // namespace millrace
