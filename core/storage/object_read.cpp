// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/object_read.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/storage/refusals.h"
#include "core/storage/remote_figures.h"

namespace millrace {

namespace {

constexpr int kMostRedirects = 5;

std::uint64_t lengthOf(const std::vector<std::span<std::byte>>& parts) {
  std::uint64_t length = 0;
  for (const auto& part : parts) length += part.size();
  return length;
}

/// Scheme, host and port: credentials of one origin are not for another.
std::string_view originOf(std::string_view url) {
  const std::size_t host = url.find("://");
  return host == std::string_view::npos ? url : url.substr(0, url.find('/', host + 3));
}

Error changed() {
  return Error{
      "it has changed since it was opened; a run needs data that stays the same, so begin it "
      "again"};
}

}  // namespace

ObjectRead::ObjectRead(const RemotePath& path, const ObjectVersion& version, std::uint64_t offset,
                       std::vector<std::span<std::byte>> to, RedirectMemo* memo)
    : m_path(path),
      m_memo(memo),
      m_offset(offset),
      m_length(lengthOf(to)),
      m_version(version),
      m_to(std::move(to)) {}

ObjectRead::ObjectRead(const RemotePath& path, std::uint64_t most, Memory memory,
                       RedirectMemo* memo)
    : m_path(path), m_memo(memo), m_offset(0), m_length(most), m_memory(std::move(memory)) {}

Status ObjectRead::prepare() {
  range = fmt::format("{}-{}", m_offset + m_arrived, end() - 1);
  stall = longestStall();
  if (m_isRedirected) return {};
  mayUseLocalNetwork = true;
  m_redirects = 0;
  const std::string known = m_memo == nullptr ? std::string() : m_memo->get();
  m_byMemo = !known.empty();
  if (m_byMemo) {
    request = {known, {}};
    return {};
  }
  MILLRACE_ASSIGN_OR_RETURN(request, objectServiceOf(m_path.scheme)->object(m_path));
  return {};
}

Status ObjectRead::fitsVersion(std::uint64_t size) {
  if (m_version) {
    const bool same = m_version->size == size && m_version->etag == head.etag;
    return same ? Status() : changed();
  }
  m_version = {size, head.etag};
  m_length = std::min(m_length, size);
  MILLRACE_ASSIGN_OR_RETURN(const auto memory, m_memory(size));
  m_to = {memory.first(static_cast<std::size_t>(std::min<std::uint64_t>(m_length, memory.size())))};
  m_length = m_to.front().size();
  return {};
}

/// A server that does not know ranges sends everything.
Status ObjectRead::beginWhole() {
  if (!head.length) return Error{"the server does not say how long the object is"};
  if (!m_version) m_length = *head.length;
  MILLRACE_TRY(fitsVersion(*head.length));
  if (m_offset != 0 || m_length != *head.length)
    return Error{
        "the server does not send ranges of files; copy the data to a disk, or use a "
        "server that does (Accept-Ranges)"};
  m_skip = m_arrived;
  return {};
}

Status ObjectRead::begin() {
  m_skip = 0;
  if (head.status == 200) return beginWhole();
  if (!head.begin || !head.total || *head.begin != m_offset + m_arrived)
    return Error{"the server sent other bytes than were asked for"};
  return fitsVersion(*head.total);
}

Status ObjectRead::take(std::span<const std::byte> piece) {
  const auto skipped = static_cast<std::size_t>(std::min<std::uint64_t>(m_skip, piece.size()));
  m_skip -= skipped;
  piece = piece.subspan(skipped);
  if (piece.size() > m_length - m_arrived)
    return Error{"the server sent more bytes than were asked for"};
  std::uint64_t at = m_arrived;
  m_arrived += piece.size();
  for (const std::span<std::byte>& part : m_to) {
    if (at >= part.size()) {
      at -= part.size();
      continue;
    }
    const auto place = static_cast<std::size_t>(at);
    const std::size_t count = std::min(part.size() - place, piece.size());
    std::memcpy(part.data() + place, piece.data(), count);
    piece = piece.subspan(count);
    at = 0;
    if (piece.empty()) break;
  }
  return {};
}

Result<ObjectRead::Next> ObjectRead::follow() {
  if (++m_redirects > kMostRedirects) return Error{"the server redirects again and again"};
  const std::string target = head.location;
  const bool web = target.starts_with("https://") || target.starts_with("http://");
  if (!web || (request.url.starts_with("https://") && !target.starts_with("https://")))
    return Error{fmt::format("a redirect to `{}` is not followed: it does not lead to https",
                             shownRemotePath(target))};
  if (const auto parsed = parseRemotePath(target); !parsed) return parsed.error();
  if (originOf(target) != originOf(request.url)) {
    request.headers.clear();
    mayUseLocalNetwork = usedLocalNetwork;
  }
  request.url = target;
  m_isRedirected = true;
  return Next::Redirected;
}

Result<ObjectRead::Next> ObjectRead::judge() {
  const bool wasRedirected = std::exchange(m_isRedirected, false);
  if (!trouble.empty()) {
    if (!isWorthRepeating) return Error{trouble};
    return Next::Repeat;
  }
  const int status = head.status;
  if (status == 200 || status == 206) {
    if (wasRedirected && m_memo != nullptr) m_memo->set(request.url);
    return m_arrived == m_length ? Next::Done : Next::Repeat;
  }
  if (!head.location.empty() && status >= 300 && status < 400 && head.region.empty())
    return follow();
  // The redirect's own signature may have ended.
  if (m_byMemo && status >= 400 && status != 416) {
    m_memo->set({});
    return Next::Redirected;
  }
  if (status == 416) {
    if (m_version || head.total.value_or(0) != 0) return changed();
    MILLRACE_TRY(fitsVersion(0));
    return Next::Done;
  }
  if (mayAnswerLater(status)) return Next::Repeat;
  return refusalOf(*this, m_path);
}

namespace {

/// The reads that have not ended, and when they are repeated.
class Repeating {
 public:
  explicit Repeating(std::span<ObjectRead* const> reads)
      : m_all(reads), m_left(reads.begin(), reads.end()) {}

  Status run() {
    while (!m_left.empty()) {
      std::vector<HttpTransfer*> transfers;
      for (ObjectRead* read : m_left) {
        MILLRACE_TRY(read->prepare());
        transfers.push_back(read);
      }
      const std::uint64_t before = arrived();
      performAll(transfers);
      MILLRACE_TRY(keepUnfinished());
      if (m_last == nullptr) continue;
      m_attempts = arrived() > before ? 1 : m_attempts + 1;
      if (m_attempts >= kMostAttempts) return giveUp();
      std::this_thread::sleep_for(waitBefore(m_attempts, *m_last));
    }
    return {};
  }

 private:
  std::uint64_t arrived() const {
    std::uint64_t bytes = 0;
    for (const ObjectRead* read : m_all) bytes += read->arrived();
    return bytes;
  }

  /// `m_last` is one that is to be repeated after waiting, if there is one.
  Status keepUnfinished() {
    m_last = nullptr;
    std::vector<ObjectRead*> unfinished;
    for (ObjectRead* read : m_left) {
      MILLRACE_ASSIGN_OR_RETURN(const auto next, read->judge());
      if (next == ObjectRead::Next::Done) continue;
      unfinished.push_back(read);
      if (next == ObjectRead::Next::Redirected) continue;
      m_last = read;
      remoteFigures().retry();
    }
    m_left = std::move(unfinished);
    return {};
  }

  Error giveUp() const {
    const std::string why = !m_last->trouble.empty()
                                ? m_last->trouble
                                : fmt::format("the server answered {}", m_last->head.status);
    return Error{fmt::format("{}, {} times in a row", why, m_attempts)};
  }

  const std::span<ObjectRead* const> m_all;
  std::vector<ObjectRead*> m_left;
  const ObjectRead* m_last = nullptr;
  int m_attempts = 0;
};

/// A page of a listing.
class PageRead final : public HttpTransfer {
 public:
  Status begin() override {
    body.clear();
    return {};
  }
  Status take(std::span<const std::byte> piece) override {
    constexpr std::size_t kMost = std::size_t{1} << 25U;
    if (body.size() + piece.size() > kMost) return Error{"the server's listing does not end"};
    body.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return {};
  }
  std::string body;
};

}  // namespace

Status performReads(std::span<ObjectRead* const> reads) {
  MILLRACE_TRY(checkNetwork());
  return Repeating(reads).run();
}

Result<ListingAnswer> performListing(const ListingRequest& asked) {
  MILLRACE_TRY(checkNetwork());
  const ObjectService& service = *objectServiceOf(asked.folder.scheme);
  for (int attempt = 1;; ++attempt) {
    PageRead read;
    read.stall = longestStall();
    MILLRACE_ASSIGN_OR_RETURN(read.request, service.listing(asked));
    performAll(std::array<HttpTransfer*, 1>{&read});
    const int status = read.head.status;
    if (read.trouble.empty() && status == 200)
      return ListingAnswer{std::move(read.body), read.head.link};
    const bool mayPass = read.trouble.empty() ? mayAnswerLater(status) : read.isWorthRepeating;
    if (!mayPass && read.trouble.empty()) return refusalOf(read, asked.folder);
    if (!mayPass) return Error{read.trouble};
    if (attempt >= kMostAttempts)
      return Error{fmt::format(
          "{}, {} times in a row",
          read.trouble.empty() ? fmt::format("the server answered {}", status) : read.trouble,
          attempt)};
    remoteFigures().retry();
    std::this_thread::sleep_for(waitBefore(attempt, read));
  }
}

}  // namespace millrace
