// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/annotations/named_objects.h"

#include <map>
#include <string_view>

namespace millrace {

void addNamedPictures(AnnotationBuilder& builder, const std::vector<NamedPicture>& pictures,
                      const ClassNames& names) {
  builder.setClasses({names.begin(), names.end()});
  std::map<std::string_view, std::int32_t> labels;
  for (const std::string& name : names)
    labels.emplace(name, static_cast<std::int32_t>(labels.size()));
  for (const NamedPicture& from : pictures) {
    const std::size_t picture = builder.addPicture(from.path, from.size);
    for (const NamedBox& named : from.objects) {
      const auto& [left, top, right, bottom] = named.box;
      AnnotatedObject object;
      object.box = named.box;
      object.label = labels.at(named.name);
      object.area = (right - left) * (bottom - top);
      builder.addObject(picture, object);
    }
  }
}

std::vector<std::string> pathsOf(const std::vector<NamedPicture>& pictures) {
  std::vector<std::string> paths;
  for (const NamedPicture& picture : pictures) paths.push_back(picture.path);
  return paths;
}

}  // namespace millrace
