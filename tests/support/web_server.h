// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace millrace::tests {

/// What the server is asked.
struct WebRequest {
  std::string path;                            ///< with its first slash, decoded
  std::string query;                           ///< without the question mark
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::uint64_t number = 0;                    ///< of all requests, from 0
};

/// How the server answers. The usual answer is right.
struct WebAnswer {
  enum class Body { Right, Short, Long, Endless, Stalled, Reset, Wrong };
  int status = 0;  ///< 0: as usual
  std::vector<std::string> headers;
  std::string body;  ///< of another status
  Body how = Body::Right;
  bool knowsRanges = true;
  bool hugeHeaders = false;
  bool wrongRange = false;  ///< other bytes than asked for
  std::string etag;         ///< instead of the object's
};

/// A small HTTP server on this machine, with ranges and listings as S3 has them, which can fail in
/// many ways. Objects: set before requests. A thread for each connection.
class WebServer {
 public:
  explicit WebServer(std::chrono::milliseconds delay = {}, int port = 0) : m_delay(delay) {
    m_socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(m_socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(m_socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(m_socket, 4096) != 0)
      std::abort();
    ::getsockname(m_socket, reinterpret_cast<sockaddr*>(&address), &size);
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { accept(); });
  }
  ~WebServer() {
    m_isStopping = true;
    ::shutdown(m_socket, SHUT_RDWR);
    m_thread.join();
    ::close(m_socket);
    {
      const std::lock_guard lock(m_mutex);
      for (const int connection : m_open) ::shutdown(connection, SHUT_RDWR);
    }
    m_changed.notify_all();
    std::unique_lock lock(m_mutex);
    m_ended.wait(lock, [this] { return m_connections == 0; });
  }
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  std::string url(const std::string& path = {}) const {
    return "http://127.0.0.1:" + std::to_string(m_port) + path;
  }
  void put(const std::string& path, std::string bytes) {
    const std::lock_guard lock(m_mutex);
    const std::string etag = "\"" + std::to_string(std::hash<std::string>{}(bytes)) + "\"";
    m_objects[path] = {std::make_shared<const std::string>(std::move(bytes)), etag};
  }
  /// Called for each request, by many threads.
  void answerBy(std::function<WebAnswer(const WebRequest&)> answer) {
    const std::lock_guard lock(m_mutex);
    m_answer = std::move(answer);
  }
  std::uint64_t requests() const { return m_requests; }
  std::uint64_t mostAtOnce() const { return m_mostAtOnce; }
  /// All request lines and headers so far.
  std::vector<WebRequest> log() const {
    const std::lock_guard lock(m_mutex);
    return m_log;
  }

 private:
  struct Object {
    std::shared_ptr<const std::string> bytes;
    std::string etag;
  };

  void accept() {
    while (!m_isStopping) {
      const int connection = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) continue;
      const int on = 1;
      ::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      const std::lock_guard lock(m_mutex);
      ++m_connections;
      m_open.push_back(connection);
      std::thread([this, connection] { serve(connection); }).detach();
    }
  }

  void serve(int connection) {
    std::string text;
    while (!m_isStopping && readHead(connection, text)) {
      WebRequest request = parse(text.substr(0, text.find("\r\n\r\n")));
      text.erase(0, text.find("\r\n\r\n") + 4);
      request.number = m_requests++;
      const std::uint64_t now = ++m_atOnce;
      std::uint64_t most = m_mostAtOnce;
      while (most < now && !m_mostAtOnce.compare_exchange_weak(most, now)) {
      }
      if (m_delay.count() > 0) std::this_thread::sleep_for(m_delay);
      const bool goesOn = answer(connection, request);
      --m_atOnce;
      if (!goesOn) break;
    }
    const std::lock_guard lock(m_mutex);
    std::erase(m_open, connection);
    ::close(connection);
    if (--m_connections == 0) m_ended.notify_all();
  }

  static bool readHead(int connection, std::string& text) {
    char piece[4096];
    while (text.find("\r\n\r\n") == std::string::npos) {
      const ssize_t got = ::recv(connection, piece, sizeof piece, 0);
      if (got <= 0) return false;
      text.append(piece, static_cast<std::size_t>(got));
    }
    return true;
  }

  static std::string decoded(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '%' && i + 2 < text.size()) {
        plain += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
        i += 2;
      } else {
        plain += text[i];
      }
    }
    return plain;
  }

  static WebRequest parse(const std::string& head) {
    WebRequest request;
    const std::size_t begin = head.find(' ') + 1;
    std::string target = head.substr(begin, head.find(' ', begin) - begin);
    if (const std::size_t query = target.find('?'); query != std::string::npos) {
      request.query = target.substr(query + 1);
      target.resize(query);
    }
    request.path = decoded(target);
    for (std::size_t at = head.find("\r\n"); at != std::string::npos; at = head.find("\r\n", at)) {
      at += 2;
      const std::size_t colon = head.find(": ", at);
      const std::size_t end = std::min(head.find("\r\n", at), head.size());
      if (colon == std::string::npos || colon > end) continue;
      std::string name = head.substr(at, colon - at);
      std::ranges::transform(name, name.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
      });
      request.headers[name] = head.substr(colon + 2, end - colon - 2);
    }
    return request;
  }

  static bool send(int connection, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  static bool sendHead(int connection, int status, std::uint64_t length,
                       const std::vector<std::string>& headers) {
    std::string head = "HTTP/1.1 " + std::to_string(status) +
                       " text\r\nContent-Length: " + std::to_string(length) + "\r\n";
    for (const std::string& header : headers) head += header + "\r\n";
    return send(connection, head + "\r\n");
  }

  bool answer(int connection, const WebRequest& request) {
    WebAnswer how;
    Object object;
    {
      std::function<WebAnswer(const WebRequest&)> chosen;
      {
        const std::lock_guard lock(m_mutex);
        if (m_log.size() < kLogged) m_log.push_back(request);
        chosen = m_answer;
        if (const auto found = m_objects.find(request.path); found != m_objects.end()) {
          object = found->second;
        }
      }
      if (chosen) how = chosen(request);
    }
    if (how.hugeHeaders) {
      send(connection, "HTTP/1.1 200 OK\r\n");
      const std::string line = "X-More: " + std::string(8000, 'x') + "\r\n";
      while (!m_isStopping && send(connection, line)) {
      }
      return false;
    }
    if (how.status != 0) {
      return sendHead(connection, how.status, how.body.size(), how.headers) &&
             send(connection, how.body);
    }
    if (request.query.find("list-type=2") != std::string::npos)
      return sendListing(connection, request);
    if (!object.bytes) return sendHead(connection, 404, 0, {});
    return sendObject(connection, request, how, object);
  }

  bool sendObject(int connection, const WebRequest& request, const WebAnswer& how,
                  const Object& object) {
    const std::string& bytes = *object.bytes;
    std::vector<std::string> headers{"ETag: " + (how.etag.empty() ? object.etag : how.etag)};
    headers.insert(headers.end(), how.headers.begin(), how.headers.end());
    std::uint64_t begin = 0;
    std::uint64_t end = bytes.size();
    int status = 200;
    const auto range = request.headers.find("range");
    if (range != request.headers.end() && how.knowsRanges) {
      begin = std::strtoull(range->second.c_str() + 6, nullptr, 10);
      const std::size_t dash = range->second.find('-');
      end = std::min<std::uint64_t>(
          end, std::strtoull(range->second.c_str() + dash + 1, nullptr, 10) + 1);
      if (begin >= bytes.size()) {
        headers.push_back("Content-Range: bytes */" + std::to_string(bytes.size()));
        return sendHead(connection, 416, 0, headers);
      }
      if (how.wrongRange) begin = begin > 0 ? begin - 1 : 1;
      status = 206;
      headers.push_back("Content-Range: bytes " + std::to_string(begin) + "-" +
                        std::to_string(end - 1) + "/" + std::to_string(bytes.size()));
    }
    return sendBody(connection, status, headers, how.how,
                    std::string_view(bytes).substr(begin, end - begin));
  }

  bool sendBody(int connection, int status, const std::vector<std::string>& headers,
                WebAnswer::Body how, std::string_view body) {
    using Body = WebAnswer::Body;
    if (how == Body::Endless) {
      std::string head = "HTTP/1.1 " + std::to_string(status) + " text\r\n";
      for (const std::string& header : headers) head += header + "\r\n";
      if (!send(connection, head + "\r\n")) return false;
      const std::string zeros(1U << 16U, '\0');
      while (!m_isStopping && send(connection, zeros)) {
      }
      return false;
    }
    const std::uint64_t length = how == Body::Long ? body.size() + 7 : body.size();
    if (!sendHead(connection, status, length, headers)) return false;
    if (how == Body::Right) return send(connection, body);
    if (how == Body::Long) return send(connection, body) && send(connection, "more of");
    send(connection, body.substr(0, body.size() / 2));
    if (how == Body::Stalled) {
      std::unique_lock lock(m_mutex);
      m_changed.wait_for(lock, std::chrono::seconds(30), [this] { return m_isStopping.load(); });
    }
    if (how == Body::Reset) {
      const linger now{1, 0};
      ::setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    return false;
  }

  static std::string valueOf(const std::string& query, const std::string& name) {
    const std::string all = "&" + query;
    const std::size_t at = all.find("&" + name + "=");
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size() + 2;
    return decoded(all.substr(begin, all.find('&', begin) - begin));
  }

  /// Objects of the bucket that the path names, in byte order.
  bool sendListing(int connection, const WebRequest& request) {
    const std::string prefix = valueOf(request.query, "prefix");
    const std::string after = valueOf(request.query, "continuation-token");
    const std::string delimiter = valueOf(request.query, "delimiter");
    const std::size_t most = std::min<std::size_t>(
        kPage, std::strtoull(valueOf(request.query, "max-keys").c_str(), nullptr, 10));
    std::string text = "<?xml version=\"1.0\"?><ListBucketResult>";
    std::string last;
    std::string folder;
    std::size_t count = 0;
    bool more = false;
    const std::lock_guard lock(m_mutex);
    for (const auto& [path, object] : m_objects) {
      if (!path.starts_with(request.path)) continue;
      const std::string key = path.substr(request.path.size());
      if (!key.starts_with(prefix) || key <= after) continue;
      if (!folder.empty() && key.starts_with(folder)) {
        last = key;
        continue;
      }
      if (count == most) {
        more = true;
        break;
      }
      ++count;
      last = key;
      const std::size_t slash =
          delimiter.empty() ? std::string::npos : key.find('/', prefix.size());
      if (slash != std::string::npos) {
        folder = key.substr(0, slash + 1);
        text += "<CommonPrefixes><Prefix>" + folder + "</Prefix></CommonPrefixes>";
      } else {
        text += "<Contents><Key>" + key + "</Key><Size>" + std::to_string(object.bytes->size()) +
                "</Size></Contents>";
      }
    }
    text += std::string("<IsTruncated>") + (more ? "true" : "false") + "</IsTruncated>";
    if (more) text += "<NextContinuationToken>" + last + "</NextContinuationToken>";
    text += "</ListBucketResult>";
    return sendHead(connection, 200, text.size(), {}) && send(connection, text);
  }

  static constexpr std::size_t kPage = 100;
  static constexpr std::size_t kLogged = 100000;

  const std::chrono::milliseconds m_delay;
  int m_socket = -1;
  int m_port = 0;
  std::thread m_thread;
  std::atomic<bool> m_isStopping{false};
  std::atomic<std::uint64_t> m_requests{0};
  std::atomic<std::uint64_t> m_atOnce{0};
  std::atomic<std::uint64_t> m_mostAtOnce{0};
  mutable std::mutex m_mutex;
  std::condition_variable m_changed;
  std::condition_variable m_ended;
  std::map<std::string, Object> m_objects;
  std::function<WebAnswer(const WebRequest&)> m_answer;
  std::vector<WebRequest> m_log;
  std::vector<int> m_open;
  std::size_t m_connections = 0;
};

}  // namespace millrace::tests
