// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/storage/object_service.h"

/// The functions of the entries in object_service.cpp.
namespace millrace {

/// Amazon S3, and servers with its interface.
namespace s3 {
Result<HttpRequest> object(const RemotePath& path);
Result<HttpRequest> listing(const ListingRequest& request);
Result<ObjectPage> page(const ListingRequest& request, std::string_view body,
                        std::string_view link);
std::string access();
}  // namespace s3

/// Google Cloud Storage by its XML interface, whose listings are those of S3.
namespace gs {
Result<HttpRequest> object(const RemotePath& path);
Result<HttpRequest> listing(const ListingRequest& request);
std::string access();
}  // namespace gs

/// Data sets of the Hugging Face Hub: hf://datasets/OWNER/NAME[@REVISION]/path.
namespace hf {
Result<HttpRequest> object(const RemotePath& path);
Result<HttpRequest> listing(const ListingRequest& request);
Result<ObjectPage> page(const ListingRequest& request, std::string_view body,
                        std::string_view link);
std::string access();
}  // namespace hf

/// Files of a web server.
namespace web {
Result<HttpRequest> object(const RemotePath& path);
std::string access();
}  // namespace web

}  // namespace millrace
