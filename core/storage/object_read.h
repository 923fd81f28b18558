// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/storage/http_transfer.h"
#include "core/storage/remote_path.h"

namespace millrace {

/// What identifies the content of an object.
struct ObjectVersion {
  std::uint64_t size = 0;
  std::string etag;  ///< empty: the server gives none
};

/// Where a server's redirect of an object led, so that later ranges need no further one. Any
/// thread.
class RedirectMemo {
 public:
  std::string get() const {
    const MutexLock lock(m_mutex);
    return m_url;
  }
  void set(std::string url) {
    const MutexLock lock(m_mutex);
    m_url = std::move(url);
  }

 private:
  mutable Mutex m_mutex;
  std::string m_url MILLRACE_GUARDED_BY(m_mutex);
};

/// Reads one range of an object. What has arrived is kept when it is repeated. One thread, and the
/// network's while it is performed.
class ObjectRead final : public HttpTransfer {
 public:
  /// Gives memory for the object's first bytes when its size is known: at most `wanted` of them.
  /// An error ends the read.
  using Memory = std::function<Result<std::span<std::byte>>(std::uint64_t size)>;

  /// Fills `to`, in turn, with the bytes at `offset` of an object of a known version.
  ObjectRead(const RemotePath& path, const ObjectVersion& version, std::uint64_t offset,
             std::vector<std::span<std::byte>> to, RedirectMemo* memo = nullptr);
  /// Reads the first `most` bytes of an object, or all if it has fewer.
  ObjectRead(const RemotePath& path, std::uint64_t most, Memory memory,
             RedirectMemo* memo = nullptr);

  Status begin() override;
  Status take(std::span<const std::byte> piece) override;

  /// Prepares the next attempt.
  Status prepare();
  /// Judges the attempt that has ended. `Repeat`: after waiting. The error is the end.
  enum class Next { Done, Repeat, Redirected };
  Result<Next> judge();

  /// Known after the first answer.
  const ObjectVersion& version() const { return *m_version; }
  /// Bytes that have arrived.
  std::uint64_t arrived() const { return m_arrived; }

 private:
  Status fitsVersion(std::uint64_t size);
  Status beginWhole();
  Result<Next> follow();
  std::uint64_t end() const { return m_offset + m_length; }

  const RemotePath m_path;
  RedirectMemo* const m_memo;
  const std::uint64_t m_offset;
  std::uint64_t m_length;  ///< of the range
  const Memory m_memory;
  std::optional<ObjectVersion> m_version;
  std::vector<std::span<std::byte>> m_to;
  std::uint64_t m_arrived = 0;
  std::uint64_t m_skip = 0;  ///< bytes of the answer that arrived before
  bool m_isRedirected = false;
  bool m_byMemo = false;
  int m_redirects = 0;
};

/// Performs the reads, all at once, and repeats what may succeed later: with growing waits, longer
/// ones if the server asks for fewer requests. Ends when nothing has arrived for about a minute.
/// The error is a sentence about the object, without its path.
Status performReads(std::span<ObjectRead* const> reads);

/// The body of a listing's page, and its Link header. Repeated like a read.
struct ListingAnswer {
  std::string body;
  std::string link;
};
Result<ListingAnswer> performListing(const ListingRequest& asked);

}  // namespace millrace
