// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/open/examples.h"

#include "core/open/embedded_examples.h"

namespace millrace {

const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {"classification", "Random crops of photos, 224 pixels, normalised, in batches of 64",
       "a folder with one subfolder of photos per class"},
      {"cats-vs-dogs", "Photos of 150 pixels, rotated, shifted, sheared, zoomed and tinted",
       "a folder with one subfolder of photos per class"},
      {"super-resolution", "Matching random crops of small pictures and their large originals",
       "two folders of pictures with equal names: small, then large"},
      {"deblurring", "Matching random crops of blurred pictures and their sharp originals",
       "two folders of pictures with equal names: blurred, then sharp"},
      {"segmentation", "Street pictures with masks, one plane for each of 12 classes",
       "two folders of pictures with equal names: photos, then masks of class indices 0 to 11"},
      {"detection", "Photos with boxes, randomly cropped around their objects, 320 pixels",
       "annotations of COCO, Pascal VOC, YOLO, Open Images or labelme"},
      {"chess", "Packed chess positions and scores from TFRecord, decoded in batches of 512",
       "TFRecord files of tf.train.Example with `d` (194 bytes) and `s` (a number)"},
  };
  return all;
}

std::optional<std::string> exampleJson(std::string_view name) {
  for (const samples::EmbeddedExample& example : samples::embeddedExamples())
    if (example.name == name) return std::string(example.json);
  return std::nullopt;
}

}  // namespace millrace
