"use strict";
// Long tables are sorted by a click on a head and searched, and every table is copied as CSV. Without a script the page
// says the same.
addEventListener("DOMContentLoaded", () => {
  const long = 8, many = 15;
  const words = document.querySelector("main").dataset;
  const text = e => {
    const c = e.cloneNode(true);
    for (const br of c.querySelectorAll("br")) br.replaceWith(" ");
    return c.textContent.replace(/\s+/g, " ").trim();
  };
  const add = (parent, name, properties) => parent.appendChild(Object.assign(document.createElement(name), properties));
  const number = s => {
    const m = s.replace(/\u2212/g, "-").replace(/(\d),(?=\d{3})/g, "$1").match(/^\D{0,12}?(-?\d+(\.\d+)?(e[-+]?\d+)?)/i);
    return m ? Number(m[1]) : NaN;
  };
  const empty = s => s === "" || s === "\u2013";

  const bar = (at, name) => {
    const p = document.createElement("p");
    p.className = "tools " + name;
    at.before(p);
    return p;
  };

  // csv is a table with its shown rows. No program that opens it may run what a cell begins with.
  const csv = table => {
    const quoted = e => {
      let s = text(e);
      if (/^[=+@\t\r-]/.test(s) && !/^-?[\d.,\s]+%?$/.test(s)) s = "'" + s;
      return /[",\n]/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s;
    };
    return [...table.rows].filter(r => !r.hidden).map(r => [...r.cells].map(quoted).join(",") + "\r\n").join("");
  };
  const copy = async s => {
    try {
      await navigator.clipboard.writeText(s);
    } catch {
      const area = add(document.body, "textarea", {value: s, readOnly: true});
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };

  // sortable makes the heads of a table buttons: up, down, and as it was.
  const sortable = table => {
    const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
    const numeric = heads.map(th => th.classList.contains("n"));
    const compare = (k, down) => (a, b) => {
      const s = text(a.cells[k]), t = text(b.cells[k]);
      if (empty(s) || empty(t)) return empty(s) - empty(t); // what has none stays last
      const x = number(s), y = number(t);
      if (numeric[k] && (x !== x || y !== y)) return (x !== x) - (y !== y);
      return (down ? -1 : 1) * (numeric[k] ? x - y : s.localeCompare(t, undefined, {numeric: true}));
    };
    table.classList.add("sortable");
    heads.forEach((th, k) => {
      if (text(th) === "") return;
      const b = document.createElement("button");
      b.type = "button";
      b.append(...th.childNodes);
      th.append(b);
      b.addEventListener("click", () => {
        const next = {ascending: "descending", descending: ""}[th.getAttribute("aria-sort")] ?? "ascending";
        heads.forEach(h => h.removeAttribute("aria-sort"));
        if (next) th.setAttribute("aria-sort", next);
        body.append(...(next ? [...rows].sort(compare(k, next === "descending")) : rows));
      });
    });
  };

  // filter hides what does not hold a text.
  const filter = (at, items, of) => {
    const p = bar(at, "filter");
    const label = add(p, "label", {textContent: words.filter + " "});
    const input = add(label, "input", {type: "search", autocomplete: "off"});
    const said = add(p, "span");
    said.setAttribute("role", "status");
    input.addEventListener("input", () => {
      const want = input.value.toLowerCase();
      let n = 0;
      items.forEach(e => { if (!(e.hidden = !of(e).toLowerCase().includes(want))) n++; });
      said.textContent = want ? n + " / " + items.length : "";
    });
  };

  // What a drawing leads to is shown, though it is folded.
  const reveal = () => {
    const at = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let e = at; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    if (at) at.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  for (const table of document.querySelectorAll("main table")) {
    const rows = table.tBodies.length === 1 ? [...table.tBodies[0].rows] : [];
    const plain = table.tHead && table.tHead.rows.length === 1 && !table.querySelector("[colspan]");
    if (rows.length < 2 || table.classList.contains("cross")) continue;
    const around = table.closest(".scroll") || table;
    if (plain && rows.length >= long) sortable(table);
    if (plain && rows.length >= many) filter(around, rows, text);
    const p = bar(around, "copy");
    around.after(p);
    const button = add(p, "button", {type: "button", textContent: words.copy});
    button.setAttribute("aria-label", words.copy + ": " + text(table.caption));
    const said = add(p, "span");
    said.setAttribute("role", "status");
    button.addEventListener("click", async () => {
      await copy(csv(table));
      said.textContent = words.copied;
    });
  }
  for (const cards of document.querySelectorAll("main .cards")) {
    const items = [...cards.querySelectorAll(":scope > figure")];
    if (items.length >= many) filter(cards, items, e => text(e.querySelector("figcaption") || e));
  }
});
