/** What is printed of a plan: a summary, and a sheet for each driver. */

import { get } from "../parts/api.js";
import { byId, make } from "../parts/dom.js";

/** Prints the sheets of a tour. @param {string} path of the tour */
export async function printSheets(path) {
  const { pages } = await get(`${path}/sheets`);
  byId("sheets").replaceChildren(...pages.map(sheet));
  print();
}

function sheet({ title, header, rows }) {
  const heading = rows.slice(0, header).map((row) => row.join(" "));
  const width = rows[header].length;
  const cells = (row) => Array.from({ length: width }, (_, k) => make("td", {}, row[k] ?? ""));
  return make(
    "section",
    { "aria-label": title },
    make("h2", {}, heading[0] ?? title),
    make(
      "table",
      {},
      make("thead", {}, make("tr", {}, ...rows[header].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...rows.slice(header + 1).map((row) => make("tr", {}, ...cells(row)))),
    ),
  );
}
