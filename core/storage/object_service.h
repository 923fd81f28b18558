// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/storage/remote_path.h"

namespace millrace {

/// A request. The headers may hold credentials: never shown.
struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;  ///< "name: value"
};

/// One page of a listing, in the order of the server.
struct ObjectPage {
  struct Object {
    std::string path;  ///< as RemotePath::path
    std::uint64_t size = 0;
  };
  std::vector<Object> objects;
  std::vector<std::string> folders;  ///< as RemotePath::path, with their last slash
  std::string next;                  ///< continues the listing; empty: it is complete
};

/// What a listing asks for.
struct ListingRequest {
  RemotePath folder;          ///< its path ends with a slash, or is empty
  bool below = true;          ///< also what is in the folders below
  std::uint32_t most = 1000;  ///< objects on one page
  std::string next;           ///< ObjectPage::next of the page before
};

/// How the objects of a scheme are reached by HTTP: one entry of the table in object_service.cpp.
/// The functions are called for each attempt, because signatures expire. Any thread.
struct ObjectService {
  std::string_view scheme;
  /// The request for an object, which a Range header may be added to.
  Result<HttpRequest> (*object)(const RemotePath& path);
  /// The request for a page of a listing; nullptr: the service has no listings.
  Result<HttpRequest> (*listing)(const ListingRequest& request);
  /// Reads the answer. `link`: the header of that name.
  Result<ObjectPage> (*page)(const ListingRequest& request, std::string_view body,
                             std::string_view link);
  /// What to do if the server refuses access, as the end of a sentence.
  std::string (*access)();
};

/// nullptr: there is no such scheme.
const ObjectService* objectServiceOf(std::string_view scheme);
/// All schemes, for messages.
std::string objectSchemes();

}  // namespace millrace
