// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/object_service.h"

#include <algorithm>
#include <array>

#include "core/base/text/text.h"
#include "core/storage/services.h"

namespace millrace {

namespace {

constexpr std::array kServices = {
    ObjectService{"s3", s3::object, s3::listing, s3::page, s3::access},
    ObjectService{"gs", gs::object, gs::listing, s3::page, gs::access},
    ObjectService{"hf", hf::object, hf::listing, hf::page, hf::access},
    ObjectService{"https", web::object, nullptr, nullptr, web::access},
    ObjectService{"http", web::object, nullptr, nullptr, web::access},
};

}  // namespace

const ObjectService* objectServiceOf(std::string_view scheme) {
  const auto* const found = std::ranges::find(kServices, scheme, &ObjectService::scheme);
  return found == kServices.end() ? nullptr : found;
}

std::string objectSchemes() {
  std::vector<std::string> names;
  for (const ObjectService& service : kServices)
    names.push_back(std::string(service.scheme) + "://");
  return joinWords(names);
}

}  // namespace millrace
