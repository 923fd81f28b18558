// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/did_you_mean.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/spec/meant_word.h"

namespace millrace {

namespace {

struct OtherNames {
  std::string_view kind;
  std::string_view param;
  std::string_view names;
};
constexpr OtherNames kOtherNames[] = {
#define MILLRACE_OTHER_NAMES(kind, param, names) {#kind, #param, names},
#include "core/spec/other_names.def"
#undef MILLRACE_OTHER_NAMES
};

std::vector<std::string> namesOf(const NodeSpec& spec) {
  std::vector<std::string> names;
  for (const ParamSpec& param : spec.params) names.push_back(param.name);
  return names;
}

bool isOneOf(const std::vector<std::string>& words, const std::string& lowCase) {
  return std::ranges::any_of(words,
                             [&](const std::string& word) { return lowerCase(word) == lowCase; });
}

std::string questionAbout(const std::vector<std::string>& meant) {
  return fmt::format("did you mean `{}`?", join(meant, "` or `"));
}

}  // namespace

bool isOtherName(std::string_view kind, std::string_view param, std::string_view word) {
  return std::ranges::any_of(kOtherNames, [&](const OtherNames& others) {
    const std::vector<std::string> names = split(others.names, ' ');
    return others.kind == kind && others.param == param && std::ranges::count(names, word) > 0;
  });
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& valid) {
  const std::string meant = meantWord(word, valid);
  if (!meant.empty()) return questionAbout({meant});
  if (valid.empty()) return "there are none";
  constexpr std::size_t kMany = 40;
  if (valid.size() == 1) return fmt::format("there is only `{}`", valid.front());
  if (valid.size() <= kMany) return "there are " + joinWords(valid);
  return fmt::format("there are {} and {} more",
                     join(std::vector(valid.begin(), valid.begin() + kMany), ", "),
                     valid.size() - kMany);
}

std::vector<std::string> paramsLike(const NodeSpec& spec, std::string_view word) {
  const std::string lowCase = lowerCase(word);
  std::vector<std::string> meant;
  for (const ParamSpec& param : spec.params)
    if (param.name == lowCase || isOtherName(spec.kind, param.name, lowCase))
      meant.push_back(param.name);
  if (!meant.empty()) return meant;
  if (std::string like = nearest(word, namesOf(spec)); !like.empty()) meant.push_back(like);
  return meant;
}

std::string paramHint(const NodeSpec& spec, std::string_view word) {
  const std::vector<std::string> meant = paramsLike(spec, word);
  return meant.empty() ? didYouMean(word, namesOf(spec)) : questionAbout(meant);
}

std::string kindLike(const Catalog& catalog, std::string_view word) {
  const std::string lowCase = lowerCase(word);
  std::vector<std::string> tagged;
  for (const NodeSpec& spec : catalog.all()) {
    if (spec.kind == lowCase) return spec.kind;
    if (isOneOf(spec.tags, lowCase)) tagged.push_back(spec.kind);
  }
  if (tagged.size() == 1) return tagged.front();
  std::string like = nearest(word, catalog.kinds());
  for (const std::string& part : split(lowCase, '_'))  // "horizontal_flip"
    if (like.empty() && catalog.find(part) != nullptr) like = part;
  return like;
}

std::string kindHint(const Catalog& catalog, std::string_view word) {
  const std::string meant = kindLike(catalog, word);
  return (meant.empty() ? didYouMean(word, catalog.kinds()) : questionAbout({meant})) +
         refusedHint(catalog);
}

std::string refusedHint(const Catalog& catalog) {
  if (catalog.refused().empty()) return {};
  return "; these plug-ins were refused: " + join(catalog.refused(), "; ");
}

}  // namespace millrace
