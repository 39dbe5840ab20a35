"use strict";
// Redraws tables of systems, and matrices of their differences, as readers choose a measure, whose
// judgments count, and a baseline. All numbers come from the page; here they are looked up.

(function () {
  const holder = document.createElement("div");
  holder.innerHTML = "<svg></svg>";
  const SVG = holder.firstChild.namespaceURI;
  const MOST_SHOWN = 20; // systems, of more some are shown until all are asked for
  const TOP = 12; // of those, the first; and as many around the baseline:
  const AROUND = 2;
  const MOST_NAMED = 30; // systems whose names are beside a matrix
  const MOST_NUMBERED = 10; // systems with numbers in the cells of a matrix
  const MOST_MARKS = 12; // subjects, each with a mark of its own
  const MARKS = " Small dots: the difference by each subject's judgments alone.";
  const P_COLUMN = 5; // of the table, after which there are tiers and ranks
  const MARGIN = 4; // per cent of a drawing, at both sides

  function element(name, attributes, ...children) {
    const isSvg = ["svg", "line", "circle", "path", "rect", "text", "g", "title"].includes(name);
    const made = isSvg ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
    }
    made.append(...children.filter((one) => one !== null && one !== ""));
    return made;
  }

  // What Python packed.

  function unpacked([kind, text]) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const types = { u1: Uint8Array, u2: Uint16Array, i2: Int16Array, f8: Float64Array };
    return new types[kind](bytes.buffer);
  }

  class Data {
    constructor(given) {
      Object.assign(this, given);
      for (const name of ["numbers", "means", "p", "stars", "pairs", "order", "ranks"]) {
        this[name] = unpacked(given[name]);
      }
      this.coded = given.numbers[0] === "i2";
      this.nPairs = this.pairs.length / 2;
      this.place = new Map();
      const k = this.systems.length;
      for (let n = 0; n < this.nPairs; n++) {
        this.place.set(this.pairs[n] * k + this.pairs[this.nPairs + n], n);
      }
    }

    number(code, measure) {
      if (this.coded && Math.abs(code) > 32000) {
        return code > 0 ? Infinity : code === -32002 ? -Infinity : NaN;
      }
      return code / 10 ** this.digits[measure];
    }

    mean(view, measure, system) {
      const k = this.systems.length;
      return this.number(this.means[(view * this.measures.length + measure) * k + system], measure);
    }

    ordered(view, measure) {
      const k = this.systems.length, start = (view * this.measures.length + measure) * k;
      return Array.from(this.order.subarray(start, start + k));
    }

    ranksOf(view, measure, system) {
      const k = this.systems.length, start = (view * this.measures.length + measure) * 3 * k;
      return [0, 1, 2].map((n) => this.ranks[start + n * k + system]);
    }

    // The difference of two systems, null where they were not compared.
    difference(view, measure, system, base) {
      const k = this.systems.length;
      let n = this.place.get(system * k + base), sign = 1;
      if (n === undefined) [n, sign] = [this.place.get(base * k + system), -1];
      if (n === undefined) return null;
      const part = view * this.measures.length + measure;
      const at = (j) => this.number(this.numbers[(part * 3 + j) * this.nPairs + n], measure);
      const [value, lower, upper] = [0, 1, 2].map(at), row = part * this.nPairs + n;
      const ends = sign > 0 ? [lower, upper] : [-upper, -lower];
      const tested = sign > 0 || !this.oneSided; // of the other direction nothing is known
      const p = tested ? this.pTexts[this.p[row]] : "–";
      return { value: sign * value, lower: ends[0], upper: ends[1], p: p, star: tested && this.stars[row] > 0 };
    }
  }

  // Numbers as Python writes them.

  function written(value, digits, signed) {
    if (Number.isNaN(value)) return "–";
    if (!Number.isFinite(value)) return (value < 0 ? "-" : signed ? "+" : "") + "inf";
    const text = Math.abs(value).toFixed(digits);
    const sign = value < 0 && Number(text) ? "-" : signed ? "+" : "";
    return sign + text;
  }

  function interval(found, digits) {
    if (Number.isNaN(found.lower) || Number.isNaN(found.upper)) return "–";
    return "[" + written(found.lower, digits, true) + ", " + written(found.upper, digits, true) + "]";
  }

  function rankText([tier, lowest, highest]) {
    return !tier ? "" : lowest === highest ? String(lowest) : lowest + " to " + highest;
  }

  // Round numbers within a range.
  function ticks(low, high, most) {
    const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((n) => n * power).find((one) => one >= rough);
    const out = [];
    for (let n = Math.ceil(low / step); n * step <= high + 1e-12; n++) out.push(n * step);
    return [out, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))];
  }

  class Explorer {
    constructor(box, number) {
      this.box = box;
      this.id = "explorer-" + number;
      this.data = new Data(JSON.parse(box.querySelector("script").textContent));
      this.table = box.querySelector("table");
      this.hasRanks = this.table.tHead.rows[0].cells.length > P_COLUMN + 1;
      this.note = box.querySelector(".what");
      this.claim = box.querySelector(".claim");
      this.figure = box.querySelector("figure");
      this.view = this.measure = 0;
      this.base = this.data.baselines.length ? this.data.baselines[0] : -1; // -1: the best
      this.showAll = this.data.systems.length <= MOST_SHOWN;
      this.tip = element("div", { class: "tip", role: "status", hidden: "" });
      box.append(this.tip);
      box.classList.add("live");
      this.makeChoices();
      this.table.tBodies[0].parentNode.addEventListener("keydown", (event) => this.moveRow(event));
      box.addEventListener("keydown", (event) => event.key === "Escape" && this.hideTip());
      if (this.figure) this.makeMatrix();
      this.draw();
    }

    // The system with which others are compared.
    get reference() {
      return this.base < 0 ? this.order[0] : this.base;
    }

    get order() {
      return this.data.ordered(this.view, this.measure);
    }

    makeChoices() {
      const { data, box } = this, choices = box.querySelector(".choices");
      const add = (label, name, options, chosen) => {
        const select = element("select", { id: this.id + "-" + name });
        options.forEach(([text, value]) => select.append(element("option", { value: value }, text)));
        select.value = chosen;
        select.addEventListener("change", () => {
          this[name] = Number(select.value);
          this.draw();
          dispatchEvent(new Event("resize")); // what scrolls may have changed
        });
        choices.append(element("label", { for: select.id }, label), select);
      };
      const named = (all) => all.map((name, number) => [name, number]);
      if (data.measures.length > 1) add("Measure", "measure", named(data.measures), 0);
      if (data.views.length > 1) add("Whose judgments", "view", named(data.views), 0);
      const systems = data.systems.map((name, number) => [name, number]);
      if (data.baselines.length > 1) {
        add("Baseline", "base", data.baselines.map((number) => systems[number]), this.base);
      } else if (!data.baselines.length && systems.length > 2) {
        add("Baseline", "base", [["the best system", -1], ...systems], -1);
      }
      choices.hidden = !choices.children.length;
    }

    draw() {
      const { data, view, measure } = this, base = this.reference;
      this.hideTip();
      this.rows = this.order.map((system) => {
        const found = system === base ? null : data.difference(view, measure, system, base);
        return { system: system, found: found, ranks: data.ranksOf(view, measure, system) };
      });
      this.table.caption.firstElementChild.textContent =
        data.labels[measure] + data.whose[view] + ": systems, and their differences from " + data.systems[base];
      this.note.textContent = data.notes[view] + (this.marksShown() ? MARKS : "");
      this.claim.textContent = data.claims[view][measure];
      this.claim.hidden = view === 0 && measure === 0;
      this.drawTable();
      if (this.figure) this.drawMatrix();
    }

    // The table, whose rows are grouped by tier.

    drawTable() {
      const shown = this.shownRows(), drawn = shown.flatMap((n) => this.rows[n].found || []);
      const marks = this.marksShown() ? this.data.alone : [];
      const alone = (n, view) => this.data.difference(view, this.measure, this.rows[n].system, this.reference);
      const dots = shown.flatMap((n) => marks.map((view) => (alone(n, view) || {}).value));
      const ends = drawn.flatMap((one) => [one.value, one.lower, one.upper]).concat(dots).filter(Number.isFinite);
      const low = Math.min(0, ...ends), wide = Math.max(0, ...ends) - low || 1;
      this.at = (value) => {
        const share = Math.min(1 + MARGIN / 100, Math.max(-MARGIN / 100, (value - low) / wide));
        return (100 * (share * 100 + MARGIN)) / (100 + 2 * MARGIN) + "%";
      };
      this.drawAxis(low, low + wide);
      while (this.table.tBodies.length) this.table.tBodies[0].remove();
      let body = null, last = -1, tier = -1;
      for (const n of shown) {
        const row = this.rows[n];
        if (!body || row.ranks[0] !== tier) this.table.append((body = element("tbody")));
        if (n > last + 1) body.append(this.gap(n - last - 1));
        body.append(this.row(row, marks));
        [tier, last] = [row.ranks[0], n];
      }
      if (last < this.rows.length - 1) body.append(this.gap(this.rows.length - 1 - last));
      this.focusable = this.table.querySelector("tbody tr[data-system]");
      if (this.focusable) this.focusable.tabIndex = 0;
    }

    // Of many systems the first, and those around the baseline.
    shownRows() {
      const all = this.rows.map((_, n) => n), base = this.order.indexOf(this.reference);
      if (this.showAll) return all;
      const near = (n) => n < TOP || Math.abs(n - base) <= AROUND || n === all.length - 1;
      return all.filter((n) => near(n) || (near(n - 1) && near(n + 1))); // no gap of one
    }

    marksShown() {
      const { alone } = this.data;
      return alone.length > 0 && alone.length <= MOST_MARKS && !alone.includes(this.view);
    }

    gap(n) {
      const button = element("button", { type: "button", class: "more" });
      button.textContent = "Show " + n + " more systems";
      button.addEventListener("click", () => {
        this.showAll = true;
        this.draw();
        this.focusable.focus();
      });
      const width = this.table.tHead.rows[0].cells.length, systems = n + (n === 1 ? " system" : " systems");
      const where = this.view ? "" : ": see Systems"; // which has the means by all judgments
      const printed = element("span", { class: "printed" }, systems + " not shown here" + where);
      return element("tr", { class: "gap" }, element("td", { colspan: width }, button, printed));
    }

    row({ system, found, ranks }, marks) {
      const { data, measure } = this, digits = data.digits[measure];
      const isBase = system === this.reference;
      const cells = [
        element("th", { scope: "row" }, element("span", {}, data.systems[system])),
        element("td", { class: "drawn" }, this.bar(system, found, marks)),
        written(data.mean(this.view, measure, system), digits),
        found ? written(found.value, digits, true) + (found.star ? "*" : "") : isBase ? "baseline" : "–",
        found ? interval(found, digits) : "",
        found ? found.p : "",
      ];
      if (this.hasRanks) cells.push(ranks[0] ? String(ranks[0]) : "", rankText(ranks));
      const made = element("tr", { class: isBase && "base", "data-system": system, tabindex: -1 });
      made.append(
        ...cells.map((cell) => (cell instanceof Element ? cell : element("td", { class: "n" }, cell)))
      );
      const tell = () => this.showTip(this.wordsOf(system, this.reference), made.getBoundingClientRect());
      made.addEventListener("pointerenter", tell);
      made.addEventListener("click", tell);
      made.addEventListener("focus", tell);
      made.addEventListener("pointerleave", () => this.hideTip());
      made.addEventListener("blur", () => this.hideTip());
      return made;
    }

    bar(system, found, marks) {
      const drawing = element("svg", { "aria-hidden": "true", focusable: "false" });
      drawing.append(element("line", { class: "zero", x1: this.at(0), x2: this.at(0), y1: "0", y2: "100%" }));
      if (!found || Number.isNaN(found.value)) return drawing;
      const style = this.styleOf(found), middle = "45%";
      drawing.append(
        element("line", { class: "bar " + style, x1: this.at(found.lower), x2: this.at(found.upper), y1: middle, y2: middle })
      );
      for (const view of marks) {
        const own = this.data.difference(view, this.measure, system, this.reference);
        if (own && Number.isFinite(own.value)) {
          drawing.append(element("circle", { class: "one", cx: this.at(own.value), cy: "82%", r: 2 }));
        }
      }
      drawing.append(element("circle", { class: "dot " + style, cx: this.at(found.value), cy: middle, r: 4.5 }));
      return drawing;
    }

    styleOf(found) {
      const up = this.data.up[this.measure];
      return !found.star || !found.value ? "unclear" : found.value > 0 === up ? "better" : "worse";
    }

    drawAxis(low, high) {
      const cell = this.table.tHead.querySelector(".drawn"), axis = element("svg", { "aria-hidden": "true" });
      const [values, digits] = ticks(low, high, 4);
      for (const value of values) {
        const x = this.at(value);
        axis.append(element("line", { class: "tick", x1: x, x2: x, y1: "75%", y2: "100%" }));
        axis.append(element("text", { x: x, y: "60%", "text-anchor": "middle" }, written(value, digits)));
      }
      cell.querySelector("svg")?.remove();
      cell.append(axis);
    }

    moveRow(event) {
      const rows = Array.from(this.table.querySelectorAll("tr[data-system]"));
      const now = rows.indexOf(document.activeElement), last = rows.length - 1;
      const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: last }[event.key];
      if (now < 0 || next === undefined) return;
      event.preventDefault();
      const row = rows[Math.min(last, Math.max(0, next))];
      this.focusable.tabIndex = -1;
      row.tabIndex = 0;
      this.focusable = row;
      row.focus();
    }

    // What is known of a system, or of two.

    wordsOf(system, base) {
      const { data, view, measure } = this, digits = data.digits[measure];
      const found = data.difference(view, measure, system, base);
      const about = (one) => data.systems[one] + ": " + written(data.mean(view, measure, one), digits);
      const ranks = rankText(data.ranksOf(view, measure, system));
      const lines = [about(system) + (ranks ? ", ranks " + ranks : "")];
      if (system === base || !found) return lines;
      const p = this.table.tHead.rows[0].cells[P_COLUMN].textContent;
      lines.push(about(base));
      lines.push(
        "difference of " + data.measures[measure] + " " + written(found.value, digits, true) + (found.star ? "*" : "") +
          " " + interval(found, digits) + ", " + p + (found.p[0] === "<" ? " " : " = ") + found.p
      );
      if (this.marksShown()) {
        const each = data.alone.map((number) => {
          const own = data.difference(number, measure, system, base);
          return data.views[number].replace(/ alone$/, "") + " " + written(own.value, digits, true) + (own.star ? "*" : "");
        });
        lines.push("alone: " + each.join(", "));
      }
      return lines;
    }

    showTip(lines, near) {
      const { tip, box } = this, outside = box.getBoundingClientRect();
      tip.replaceChildren(...lines.map((line) => element("div", {}, line)));
      tip.hidden = false;
      const room = Math.max(0, outside.width - tip.offsetWidth);
      tip.style.left = Math.min(room, Math.max(0, near.left - outside.left + near.width / 3)) + "px";
      const above = near.top - tip.offsetHeight - 6 > 0 && near.bottom + tip.offsetHeight > innerHeight;
      const top = above ? near.top - tip.offsetHeight - 6 : near.bottom + 6;
      tip.style.top = top - outside.top + "px";
    }

    hideTip() {
      this.tip.hidden = true;
    }

    // The matrix: rows and columns in the order of the table, row minus column.

    makeMatrix() {
      this.matrix = element("svg", { class: "matrix", tabindex: 0, role: "img" });
      this.cell = null;
      this.figure.prepend(this.matrix);
      this.figure.hidden = false;
      const at = (event) => {
        const outside = this.matrix.getBoundingClientRect(), { left, top, size, width } = this.grid;
        const k = this.data.systems.length, scale = width / outside.width;
        const column = Math.floor(((event.clientX - outside.left) * scale - left) / size);
        const row = Math.floor(((event.clientY - outside.top) * scale - top) / size);
        this.pick(row >= 0 && column >= 0 && row < k && column < k ? [row, column] : null);
      };
      this.matrix.addEventListener("pointermove", at);
      this.matrix.addEventListener("pointerdown", at);
      this.matrix.addEventListener("pointerleave", () => this.pick(null));
      this.matrix.addEventListener("blur", () => this.pick(null));
      this.matrix.addEventListener("focus", () => this.matrix.matches(":focus-visible") && this.pick(this.cell || [0, 1]));
      this.matrix.addEventListener("keydown", (event) => {
        const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
        if (!step) return;
        event.preventDefault();
        const last = this.data.systems.length - 1, now = this.cell || [0, 0];
        this.pick(now.map((n, axis) => Math.min(last, Math.max(0, n + step[axis]))));
      });
      new ResizeObserver(() => this.figure.clientWidth !== this.width && this.drawMatrix()).observe(this.figure);
    }

    drawMatrix() {
      const { data, matrix, order } = this, k = order.length;
      this.width = this.figure.clientWidth;
      const named = k <= MOST_NAMED, wide = Math.min(this.width, 760), label = named ? this.labelWidth(wide) : 48;
      const size = Math.max(3, Math.min(56, Math.floor(((wide - label - 2) / k) * 4) / 4)), top = named ? 20 : 4;
      const [width, height] = [label + k * size + 2, top + k * size + 2];
      this.grid = { left: label, top: top, size: size, width: width };
      matrix.replaceChildren();
      matrix.setAttribute("width", width);
      matrix.setAttribute("viewBox", "0 0 " + width + " " + height);
      matrix.setAttribute("aria-label", this.summary());
      this.drawCells(order, label, top, size);
      this.drawTiers(order, label, top, size, named);
      order.forEach((system, n) => {
        if (!named) return;
        const y = top + (n + 0.5) * size, number = String(n + 1);
        matrix.append(element("text", { x: label - 6, y: y, "text-anchor": "end", "dominant-baseline": "central" }, this.shortened(system, label) + " " + number));
        if (size >= 14) matrix.append(element("text", { x: label + (n + 0.5) * size, y: top - 6, "text-anchor": "middle" }, number));
      });
      this.cursor = element("rect", { class: "cursor", width: size, height: size, visibility: "hidden" });
      matrix.append(this.cursor);
      this.pick(null);
    }

    labelWidth(wide) {
      const longest = Math.max(...this.data.systems.map((name) => name.length));
      return Math.min(wide * 0.45, 6.7 * (longest + 4));
    }

    shortened(system, label) {
      const name = this.data.systems[system], most = Math.floor(label / 6.7) - 3;
      return name.length <= most ? name : name.slice(0, most / 2) + "…" + name.slice(-most / 2 + 1);
    }

    // Cells of one look are one path.
    drawCells(order, left, top, size) {
      const paths = new Map(), numbered = order.length <= MOST_NUMBERED && size >= 40, all = [];
      order.forEach((a, row) => {
        order.forEach((b, column) => {
          const found = a === b ? null : this.data.difference(this.view, this.measure, a, b);
          if (found && Number.isFinite(found.value)) all.push([row, column, found]);
        });
      });
      const most = Math.max(...all.map(([, , found]) => Math.abs(found.value)), 1e-300);
      for (const [row, column, found] of all) {
        const share = Math.ceil((3 * Math.abs(found.value)) / most) || 1;
        const look = this.styleOf({ ...found, star: true }) + (found.star ? " found s" + share : "");
        const x = left + column * size, y = top + row * size;
        paths.set(look, (paths.get(look) || "") + "M" + x + " " + y + "h" + size + "v" + size + "h-" + size + "z");
      }
      for (const [look, path] of paths) this.matrix.append(element("path", { class: (numbered ? "numbered " : "") + look, d: path }));
      const digits = this.cellDigits(all.map(([, , found]) => Math.abs(found.value)));
      for (const [row, column, found] of numbered ? all : []) {
        const text = written(found.value, digits, true).replace("0.", ".") + (found.star ? "*" : "");
        const place = { x: left + (column + 0.5) * size, y: top + (row + 0.5) * size };
        this.matrix.append(element("text", { ...place, "text-anchor": "middle", "dominant-baseline": "central" }, text));
      }
    }

    // Two significant digits of a middling difference, no more decimals than are known.
    cellDigits(sizes) {
      const middle = sizes.sort((a, b) => a - b)[sizes.length >> 1] || 1;
      return Math.max(0, Math.min(this.data.digits[this.measure], 1 - Math.floor(Math.log10(middle))));
    }

    // Lines between tiers, and their numbers where names have no room.
    drawTiers(order, left, top, size, named) {
      const tiers = order.map((system) => this.data.ranksOf(this.view, this.measure, system)[0]);
      const end = order.length * size;
      let start = 0;
      tiers.forEach((tier, n) => {
        if (n + 1 < tiers.length && tiers[n + 1] === tier) return;
        const at = (n + 1) * size, middle = top + (start + at) / 2;
        if (n + 1 < tiers.length) {
          this.matrix.append(element("path", { class: "between", d: "M" + left + " " + (top + at) + "h" + end + "M" + (left + at) + " " + top + "v" + end }));
        }
        if (!named && tier && at - start > 9) {
          this.matrix.append(element("text", { x: left - 6, y: middle, "text-anchor": "end", "dominant-baseline": "central" }, "tier " + tier));
        }
        start = at;
      });
    }

    summary() {
      const { data, view, measure } = this;
      return (
        data.labels[measure] + ", " + data.views[view] + ": a matrix of " + data.systems.length +
        " systems, the best first, row minus column. Arrow keys go through its cells."
      );
    }

    pick(cell) {
      this.cell = cell;
      if (!cell) {
        this.cursor.setAttribute("visibility", "hidden");
        this.hideTip();
        return;
      }
      const [row, column] = cell, { left, top, size } = this.grid, order = this.order;
      this.cursor.setAttribute("x", left + column * size);
      this.cursor.setAttribute("y", top + row * size);
      this.cursor.setAttribute("visibility", "visible");
      this.showTip(this.wordsOf(order[row], order[column]), this.cursor.getBoundingClientRect());
    }
  }

  document.querySelectorAll(".explorer").forEach((box, number) => new Explorer(box, number));
})();
