// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/remote_listing.h"

#include <fmt/format.h>

#include "core/storage/object_read.h"
#include "core/storage/remote_object.h"

namespace millrace {

namespace {

Result<ListingRequest> requestFor(const std::string& folder) {
  ListingRequest asked;
  MILLRACE_ASSIGN_OR_RETURN(asked.folder, parseRemotePath(folder));
  if (objectServiceOf(asked.folder.scheme)->listing == nullptr)
    return Error{fmt::format(
        "`{}` cannot be listed: web servers list no folders; name the files one by one, as "
        "shard-{{000..127}}.tar, or in a manifest",
        shownRemotePath(folder))};
  std::string& path = asked.folder.path;
  if (!path.empty() && path.back() != '/') path += '/';
  return asked;
}

Result<ObjectPage> pageOf(const ListingRequest& asked) {
  const auto answer = performListing(asked);
  const auto failed = [&](const Error& error) {
    return Error{fmt::format("`{}://{}/{}` cannot be listed: {}", asked.folder.scheme,
                             asked.folder.host, asked.folder.path, error.message)};
  };
  if (!answer) return failed(answer.error());
  auto page = objectServiceOf(asked.folder.scheme)->page(asked, answer->body, answer->link);
  if (!page) return failed(page.error());
  for (const ObjectPage::Object& object : page->objects)
    if (!object.path.starts_with(asked.folder.path))
      return failed(Error{"the server lists objects that are not below it"});
  for (const std::string& below : page->folders)
    if (!below.starts_with(asked.folder.path))
      return failed(Error{"the server lists folders that are not below it"});
  if (!page->next.empty() && page->next == asked.next)
    return failed(Error{"the server lists the same page again"});
  return page;
}

}  // namespace

Status listRemote(const std::string& folder,
                  const std::function<bool(std::string_view path, std::uint64_t size)>& each) {
  MILLRACE_ASSIGN_OR_RETURN(auto asked, requestFor(folder));
  const std::size_t skip = asked.folder.path.size();
  do {
    MILLRACE_ASSIGN_OR_RETURN(const auto page, pageOf(asked));
    for (const ObjectPage::Object& object : page.objects) {
      const std::string_view path = std::string_view(object.path).substr(skip);
      if (path.empty() || path.back() == '/') continue;
      if (!each(path, object.size)) return {};
    }
    asked.next = page.next;
  } while (!asked.next.empty());
  return {};
}

Result<RemoteFolder> remoteFolder(const std::string& folder, std::size_t most) {
  MILLRACE_ASSIGN_OR_RETURN(auto asked, requestFor(folder));
  asked.below = false;
  const std::size_t skip = asked.folder.path.size();
  RemoteFolder found;
  do {
    MILLRACE_ASSIGN_OR_RETURN(const auto page, pageOf(asked));
    for (const ObjectPage::Object& object : page.objects)
      if (object.path.size() > skip && object.path.back() != '/')
        found.files.push_back(object.path.substr(skip));
    for (const std::string& below : page.folders)
      if (below.size() > skip + 1)
        found.folders.push_back(below.substr(skip, below.size() - skip - 1));
    asked.next = page.next;
  } while (!asked.next.empty() && found.files.size() + found.folders.size() <= most);
  found.all = asked.next.empty() && found.files.size() + found.folders.size() <= most;
  return found;
}

bool isRemoteFolder(const std::string& path) {
  auto asked = requestFor(path);
  if (!asked) return false;
  asked->most = 2;  // an object with the folder's own name may be the first
  const auto page = pageOf(*asked);
  return page && !page->objects.empty();
}

bool isRemoteFile(const std::string& path) { return RemoteObject::open(path).ok(); }

}  // namespace millrace
