"use strict";
// Sorts tables by the column whose heading is pressed, and switches between light and dark.
// The page can be read without it.

(function () {
  const NUMBER = /[-+−]?(?:inf|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)(?:e[-+]?\d+)?/i;
  const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const announcement = document.getElementById("announcement");

  function numberIn(text) {
    const found = NUMBER.exec(text);
    if (!found) return NaN;
    const plain = found[0].replace(/,/g, "").replace("−", "-").replace(/inf/i, "Infinity");
    return Number(plain);
  }

  function compared(a, b, sign) {
    if (typeof a.key === "string") return sign * names.compare(a.key, b.key);
    if (Number.isNaN(a.key) || Number.isNaN(b.key)) {
      return Number.isNaN(a.key) - Number.isNaN(b.key); // without a number: last either way
    }
    return a.key === b.key ? 0 : sign * (a.key < b.key ? -1 : 1);
  }

  function sort(table, heading, button) {
    const ascending = heading.getAttribute("aria-sort") !== "ascending";
    const isNumber = heading.classList.contains("n");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => {
      const text = row.cells[heading.cellIndex].textContent;
      return { row: row, key: isNumber ? numberIn(text) : text };
    });
    rows.sort((a, b) => compared(a, b, ascending ? 1 : -1));
    body.append(...rows.map((one) => one.row));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    const direction = ascending ? "ascending" : "descending";
    heading.setAttribute("aria-sort", direction);
    announcement.textContent =
      table.caption.textContent + ": sorted by " + button.textContent + ", " + direction;
  }

  function makeSortable(table) {
    for (const heading of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sort(table, heading, button));
    }
  }

  function makeTheme(button) {
    const order = ["system", "light", "dark"];
    let now = 0;
    button.hidden = false;
    button.addEventListener("click", () => {
      now = (now + 1) % order.length;
      button.querySelector("span").textContent = order[now];
      if (now) document.documentElement.dataset.theme = order[now];
      else delete document.documentElement.dataset.theme;
    });
  }

  const PADDING = 7; // pixels right of the last cell, which may be outside without a loss

  // Boxes that do not scroll are no stops of the tab key.
  function markScrolling() {
    for (const box of document.querySelectorAll(".scroll, pre")) {
      if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) {
        box.tabIndex = 0;
      } else box.removeAttribute("tabindex");
      box.classList.toggle("sideways", box.scrollWidth > box.clientWidth + PADDING);
    }
  }

  document.querySelectorAll("table.sortable").forEach(makeSortable);
  document.querySelectorAll("button.theme").forEach(makeTheme);
  document.querySelectorAll("details").forEach((one) => {
    one.addEventListener("toggle", markScrolling);
  });
  addEventListener("resize", markScrolling);
  markScrolling();
})();
