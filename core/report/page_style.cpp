// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/report/page_style.h"

#include <string_view>

namespace millrace {

namespace {

constexpr std::string_view kLight = R"css(
  --panel: #F5F7F8; --base: #FFFFFF; --alt: #F2F5F6; --border: #C2CCD2; --grid: #CFD8DC;
  --text: #16212A; --text2: #43525C; --accent: #0B6A86; --water: #2A86A8; --partly: #8FBFD1;
  --track: #D6E0E4; --faster: #17589C; --fasterSoft: #DCE9F7; --slower: #9C4206;
  --slowerSoft: #FBE6D6; --warning: #765100; --warningSoft: #FAEDC8;
  --s1: #1F86B3; --s2: #5A20AB; --s3: #3F5A0A; --s4: #B16271; --s5: #2B2E34; --s6: #D65F08;
)css";

constexpr std::string_view kDark = R"css(
  --panel: #20282D; --base: #161C20; --alt: #1B2227; --border: #3B4850; --grid: #2B353B;
  --text: #E7EDF0; --text2: #B7C3CA; --accent: #55B9D6; --water: #3FA3C2; --partly: #2B6478;
  --track: #37444B; --faster: #86BCF7; --fasterSoft: #1C3550; --slower: #F4A766;
  --slowerSoft: #46301C; --warning: #E9C557; --warningSoft: #42371A;
  --s1: #5FC7FA; --s2: #9B78F0; --s3: #C6EE78; --s4: #BE7382; --s5: #E2E5E7; --s6: #DF6A1B;
)css";

constexpr std::string_view kRules = R"css(
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1040px; padding: 24px; background: var(--panel); color: var(--text);
  font: 14px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; print-color-adjust: exact;
}
h1 { font-size: 22px; margin: 0; }
h2 { font-size: 15px; margin: 0 0 8px; }
p { margin: 0 0 8px; }
.sub, caption, .note, summary { color: var(--text2); }
section {
  background: var(--base); border: 1px solid var(--border); border-radius: 6px; margin: 16px 0;
  padding: 16px;
}
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding-bottom: 4px; }
th, td { border-bottom: 1px solid var(--border); padding: 4px 12px 4px 0; text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
td { min-width: 64px; }
th { font-weight: bold; }
tbody th { font-weight: normal; min-width: 128px; }
.scroll + .scroll { margin-top: 16px; }
thead th { color: var(--text2); white-space: nowrap; }
.num { text-align: right; white-space: nowrap; overflow-wrap: normal; }
.word { overflow-wrap: normal; }
.other { font-weight: bold; }
.sub2 { color: var(--text2); font-size: 12px; }
.none { color: var(--text2); }
.verdicts { list-style: none; margin: 0; padding: 0; }
.verdicts li { padding: 4px 0; }
.tag { border-radius: 4px; display: inline-block; font-weight: bold; margin-right: 8px;
  padding: 1px 8px; background: var(--alt); border: 1px solid var(--border); white-space: nowrap; }
.tag.faster { background: var(--fasterSoft); border-color: var(--faster); color: var(--faster); }
.tag.slower { background: var(--slowerSoft); border-color: var(--slower); color: var(--slower); }
.tag.warn { background: var(--warningSoft); border-color: var(--warning); color: var(--warning); }
.diff { font-family: "DejaVu Sans Mono", ui-monospace, monospace; font-size: 12px;
  list-style: none; margin: 0 0 8px; padding: 0; overflow-wrap: anywhere; }
.diff li { border-left: 3px solid var(--border); padding: 2px 8px; margin: 2px 0; }
.diff .added { border-color: var(--faster); }
.diff .removed { border-color: var(--slower); border-left-style: dashed; }
.diff .changed { border-color: var(--warning); }
details { margin-top: 8px; }
summary { cursor: pointer; }
summary:focus-visible { outline: 2px solid var(--accent); }
.key { display: inline-block; width: 24px; height: 10px; margin-right: 8px; }
.plot { min-width: 640px; }
svg { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--text); }
svg .tick { fill: var(--text2); font-size: 11px; }
svg .end { text-anchor: end; }
svg .mid { text-anchor: middle; }
svg .grid { stroke: var(--grid); }
svg .track { fill: var(--track); }
svg .partly { fill: var(--partly); }
svg .water { fill: var(--water); }
.s1 { --c: var(--s1); } .s2 { --c: var(--s2); } .s3 { --c: var(--s3); }
.s4 { --c: var(--s4); } .s5 { --c: var(--s5); } .s6 { --c: var(--s6); }
svg .soft { fill: var(--c); opacity: 0.28; }
svg .dot { fill: none; stroke: var(--c); stroke-width: 1.5; }
svg .mean { stroke: var(--c); stroke-width: 3; }
svg .fill { fill: var(--c); }
svg .line { fill: none; stroke: var(--c); stroke-width: 1.8; }
svg .line.base { stroke-dasharray: 5 3; }
svg .line.dashed { stroke-dasharray: 8 3; }
.mark { border-top: 4px solid var(--c); display: inline-block; margin-right: 6px;
  vertical-align: middle; width: 18px; }
.mark.base, .mark.dashed { border-top-style: dashed; }
@media (max-width: 680px) {
  body { padding: 8px; }
  section { padding: 8px; }
  .plot { min-width: 0; }
  svg { font-size: 13.5px; }
}
@media screen and (max-width: 560px) {
  thead { height: 1px; overflow: hidden; position: absolute; clip-path: inset(50%); }
  table, tbody, tr, tbody th, td { display: block; }
  tr { border-bottom: 1px solid var(--border); padding: 6px 0; }
  tbody th { border: 0; font-weight: bold; min-width: 0; padding: 0; }
  td, td.num { border: 0; min-width: 0; overflow: hidden; padding: 1px 0 1px 12px;
    text-align: right; white-space: normal; }
  td::before { color: var(--text2); content: attr(data-of); float: left; padding-right: 12px; }
}
)css";

/// Comes last because it overrides the other rules. Sections may break across pages, rows and plots
/// may not.
constexpr std::string_view kPrint = R"css(
@media print {
  @page { margin: 12mm; }
  body { background: none; font-size: 11px; max-width: none; padding: 0; }
  section { border: 0; border-top: 1px solid var(--border); border-radius: 0; margin: 8px 0;
    padding: 8px 0; }
  h1, h2 { break-after: avoid; }
  tr, li, .plot, .note { break-inside: avoid; }
  .scroll { overflow: visible; }
  .plot { min-width: 0; max-width: 640px; }
  th, td { padding: 2px 6px 2px 0; }
  td { min-width: 48px; }
  tbody th { min-width: 96px; }
  details:not([open]) { display: none; }
}
)css";

}  // namespace

std::string comparisonStyle() {
  std::string css = "\n:root {\n  color-scheme: light dark;";
  css += kLight;
  css += "}\n@media (prefers-color-scheme: dark) { :root {";
  css += kDark;
  css += "} }\n@media print { :root {";
  css += kLight;
  css += "} }";
  css += kRules;
  css += kPrint;
  return css;
}

}  // namespace millrace
