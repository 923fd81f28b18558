// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/storage/object_read.h"

namespace millrace {

/// An object of a server that is read by ranges. Its version is known from opening on: if the
/// object changes, reads fail. Any thread.
class RemoteObject {
 public:
  /// Asks the server for the size. The error does not contain the path. Objects that are open are
  /// shared.
  static Result<std::shared_ptr<RemoteObject>> open(const std::string& path);
  /// Opens many at once, so that opening each of them next waits for no server. Errors are left to
  /// open(). The objects are open as long as the result.
  static std::vector<std::shared_ptr<RemoteObject>> openTogether(
      std::span<const std::string> paths);

  RemoteObject(RemotePath path, std::uint64_t number) : m_path(std::move(path)), m_number(number) {}
  std::uint64_t size() const { return m_version.size; }
  /// Changes when the content does: the ETag, or the size.
  std::string stamp() const;

  /// Fills the parts, in turn, with the bytes at `offset`, which the object must have. Ranges that
  /// follow each other come from blocks that are read once for all threads; a long one is read in
  /// parallel pieces.
  Status read(std::uint64_t offset, std::span<const std::span<std::byte>> parts);

 private:
  static constexpr std::size_t kRecent = 16;

  Status examine();
  Status readExactly(std::uint64_t offset, std::span<const std::span<std::byte>> parts);
  Status readBlocks(std::uint64_t offset, std::span<const std::span<std::byte>> parts);
  Status loadBlocks(std::uint64_t first, std::uint64_t end);
  bool followsRecent(std::uint64_t offset, std::uint64_t end);

  const RemotePath m_path;
  const std::uint64_t m_number;  ///< of no other object, for the blocks
  ObjectVersion m_version;       ///< constant after opening
  RedirectMemo m_memo;
  /// Ends of the last ranges.
  std::array<std::atomic<std::uint64_t>, kRecent> m_ends{};
  std::atomic<std::size_t> m_nextEnd{0};
  std::atomic<std::uint64_t> m_ahead{1};  ///< blocks that the next sequential load takes
};

/// Reads a whole object: `memory` gives room for all of it when its size is known. Returns what was
/// read. The error does not contain the path.
Result<std::span<std::byte>> readWholeObject(
    const std::string& path,
    const std::function<Result<std::span<std::byte>>(std::uint64_t size)>& memory);

}  // namespace millrace
