// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/samples/examples.h"

#include "core/samples/embedded_examples.h"

namespace millrace {

const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {"classification", "Photos to random crops of 224 pixels, normalised, in batches of 64",
       "a folder with a folder of photos for each class"},
      {"cats-vs-dogs", "Photos to 150 pixels, turned, shifted, sheared, zoomed and tinted",
       "a folder with a folder of photos for each class"},
      {"super-resolution", "The same random crop from small pictures and their large originals",
       "two folders of equally named pictures: small, then large"},
      {"deblurring", "The same random crop from blurred pictures and their sharp originals",
       "two folders of equally named pictures: blurred, then sharp"},
      {"segmentation", "Street pictures with their masks, as one plane for each of 12 classes",
       "two folders of equally named pictures: photos, then masks of class indices 0 to 11"},
      {"chess", "Packed positions and scores from TFRecord, taken apart in batches of 512",
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
