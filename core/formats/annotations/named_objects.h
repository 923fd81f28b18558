// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "core/formats/annotations/annotation_table.h"

namespace millrace {

/// For formats with a file for each picture, which name the class of each object by text.
struct NamedBox {
  std::string name;
  std::array<float, 4> box{};  ///< x, y of two corners
};

struct NamedPicture {
  std::string path;  ///< as the file gives it
  Size size;
  std::vector<NamedBox> objects;
};

using ClassNames = std::set<std::string, std::less<>>;

/// Adds the pictures and their objects; the classes are `names`, numbered in their order, which
/// must have the name of every object.
void addNamedPictures(AnnotationBuilder& builder, const std::vector<NamedPicture>& pictures,
                      const ClassNames& names);
std::vector<std::string> pathsOf(const std::vector<NamedPicture>& pictures);

}  // namespace millrace
