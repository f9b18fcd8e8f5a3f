"use strict";
/* Tables sort by a click, or Enter, on a heading; a second one turns the order round. */
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const original = Array.from(body.rows);
  const headings = Array.from(table.tHead.rows[0].cells);
  headings.forEach((heading, place) => {
    const key = (row) => {
      const cell = row.cells[place];
      return "order" in cell.dataset ? Number(cell.dataset.order) : cell.textContent.trim();
    };
    const compare = (a, b) => {
      const [left, right] = [key(a), key(b)];
      if (typeof left === "number" && typeof right === "number") return left - right;
      return String(left).localeCompare(String(right), "en", { numeric: true });
    };
    const sort = () => {
      const number = typeof key(original[0]) === "number";
      const before = heading.getAttribute("aria-sort");
      const first = number ? "descending" : "ascending";
      const other = number ? "ascending" : "descending";
      const next = before === null ? first : before === first ? other : null;
      for (const each of headings) each.removeAttribute("aria-sort");
      let rows = original.slice();
      if (next) {
        heading.setAttribute("aria-sort", next);
        rows.sort((a, b) => (next === "ascending" ? compare(a, b) : compare(b, a)));
      }
      body.append(...rows);
    };
    if (original.length < 2) return;
    heading.dataset.sort = "";
    heading.tabIndex = 0;
    heading.title = "sort";
    heading.addEventListener("click", sort);
    heading.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        sort();
      }
    });
  });
}
/* The contents say which section is being read. */
const contents = document.querySelector(".contents");
if (contents) {
  const links = new Map(Array.from(contents.querySelectorAll("a[href^='#']"), (a) => [a.hash.slice(1), a]));
  const seen = new Set();
  const watch = new IntersectionObserver((entries) => {
    for (const each of entries) seen[each.isIntersecting ? "add" : "delete"](each.target.id);
    for (const a of links.values()) a.removeAttribute("aria-current");
    const current = Array.from(links.keys()).find((name) => seen.has(name));
    if (!current) return;
    const link = links.get(current);
    link.setAttribute("aria-current", "location");
    contents.scrollLeft = link.offsetLeft - contents.offsetLeft - 16;
  }, { rootMargin: "-64px 0px -60% 0px" });
  for (const section of document.querySelectorAll("main > section")) watch.observe(section);
}
