// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/remote_descriptor.h"

#include <memory>
#include <vector>

#include "core/base/check.h"
#include "core/base/mutex.h"
#include "core/storage/remote_object.h"

namespace millrace {

namespace {

struct Entry {
  std::shared_ptr<RemoteObject> object;  ///< nullptr: a folder
  std::string folder;
  bool isOpen = false;
};

class Descriptors {
 public:
  int add(Entry entry) {
    entry.isOpen = true;
    const MutexLock lock(m_mutex);
    std::size_t place = m_entries.size();
    if (m_free.empty()) {
      m_entries.emplace_back();
    } else {
      place = m_free.back();
      m_free.pop_back();
    }
    m_entries[place] = std::move(entry);
    return kFirstRemote + static_cast<int>(place);
  }
  Entry get(int descriptor) {
    const MutexLock lock(m_mutex);
    return at(descriptor);
  }
  void remove(int descriptor) {
    Entry closed;  // its object ends without the lock
    const MutexLock lock(m_mutex);
    closed = std::move(at(descriptor));
    at(descriptor) = {};
    m_free.push_back(static_cast<std::size_t>(descriptor - kFirstRemote));
  }

 private:
  Entry& at(int descriptor) MILLRACE_REQUIRES(m_mutex) {
    const auto place = static_cast<std::size_t>(descriptor - kFirstRemote);
    MILLRACE_CHECK(place < m_entries.size() && m_entries[place].isOpen, "the descriptor is open");
    return m_entries[place];
  }

  Mutex m_mutex;
  std::vector<Entry> m_entries MILLRACE_GUARDED_BY(m_mutex);
  std::vector<std::size_t> m_free MILLRACE_GUARDED_BY(m_mutex);
};

Descriptors& descriptors() {
  static Descriptors open;
  return open;
}

}  // namespace

Result<RemoteFile> openRemoteFile(const std::string& path) {
  MILLRACE_ASSIGN_OR_RETURN(auto object, RemoteObject::open(path));
  const std::uint64_t size = object->size();
  return RemoteFile{descriptors().add({std::move(object), {}}), size};
}

int openRemoteFolder(const std::string& path) { return descriptors().add({nullptr, path}); }

std::string remotePathIn(int folder, const std::string& name) {
  return joinRemotePath(descriptors().get(folder).folder, name);
}

void closeRemote(int descriptor) { descriptors().remove(descriptor); }

Status readRemote(int descriptor, std::uint64_t offset,
                  std::span<const std::span<std::byte>> parts) {
  const auto object = descriptors().get(descriptor).object;
  if (!object) return Error{"a folder, not a file"};
  return object->read(offset, parts);
}

std::uint64_t remoteSize(int descriptor) {
  const auto object = descriptors().get(descriptor).object;
  return object ? object->size() : 0;
}

}  // namespace millrace
