// The index: filters, sorts and shows findings. Only rows near the window exist as elements, so that thousands
// of findings cost no more than dozens. The choice made lives in the address, so that "back" returns to it.
(function () {
  "use strict";
  const data = window.reckonFindings;
  const severities = ["note", "low", "medium", "high"];
  const statuses = ["new", "suppressed", "known before", "repaired"];
  const beyond = 12; // rows kept above and below the window

  const byId = function (id) { return document.getElementById(id); };
  const rowsBox = byId("rows");
  const grid = byId("grid");

  // One object a finding, with all its words in one string to search in.
  const all = data.findings.map(function (f, i) {
    const row = {
      id: i, severity: f[0], check: data.checks[f[1]], file: data.files[f[2]], line: f[3],
      func: data.functions[f[4]], message: f[5], status: f[6], occasion: data.occasions[f[7]],
    };
    row.fileKey = row.file.toLowerCase();
    row.funcKey = row.func.toLowerCase();
    row.words = (row.message + "\n" + row.check + "\n" + row.func + "\n" + row.file + ":" + row.line + "\n" +
      severities[row.severity] + "\n" + row.occasion).toLowerCase();
    return row;
  });
  const width = Math.max(4, String(all.length).length);
  const page = function (row) { return "findings/" + String(row.id + 1).padStart(width, "0") + ".html"; };

  const choice = { text: "", file: "", func: "", checks: new Set(), severities: new Set(), status: "new", sort: "severity", down: true };
  let shown = [];
  let selected = -1; // position in `shown`

  // ---- what is chosen, and the address
  function readAddress() {
    const p = new URLSearchParams(location.hash.slice(1));
    const list = function (name) { return (p.get(name) || "").split(",").filter(Boolean); };
    choice.text = p.get("text") || "";
    choice.file = p.get("file") || "";
    choice.func = p.get("function") || "";
    choice.checks = new Set(list("check"));
    choice.severities = new Set(list("severity").map(function (s) { return severities.indexOf(s); }));
    choice.status = p.get("status") || "new";
    const sort = p.get("sort") || "-severity";
    choice.down = sort.startsWith("-");
    choice.sort = choice.down ? sort.slice(1) : sort;
    byId("text").value = choice.text;
    byId("file").value = choice.file;
    byId("function").value = choice.func;
    if (byId("status")) byId("status").value = choice.status;
  }
  function writeAddress() {
    const p = new URLSearchParams();
    if (choice.text) p.set("text", choice.text);
    if (choice.file) p.set("file", choice.file);
    if (choice.func) p.set("function", choice.func);
    if (choice.checks.size) p.set("check", Array.from(choice.checks).join(","));
    if (choice.severities.size) p.set("severity", Array.from(choice.severities, function (s) { return severities[s]; }).join(","));
    if (choice.status !== "new") p.set("status", choice.status);
    const sort = (choice.down ? "-" : "") + choice.sort;
    if (sort !== "-severity") p.set("sort", sort);
    const hash = p.toString();
    history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
  }

  // ---- filtering and sorting
  function passes(row, without) {
    if (choice.status !== "all" && statuses[row.status] !== choice.status) return false;
    if (without !== "severity" && choice.severities.size && !choice.severities.has(row.severity)) return false;
    if (without !== "check" && choice.checks.size && !choice.checks.has(row.check)) return false;
    if (choice.file && row.fileKey.indexOf(choice.fileKey) < 0) return false;
    if (choice.func && row.funcKey.indexOf(choice.funcKey) < 0) return false;
    return choice.words.every(function (w) { return row.words.indexOf(w) >= 0; });
  }
  const orders = {
    severity: function (a, b) { return a.severity - b.severity; },
    message: function (a, b) { return a.message < b.message ? -1 : a.message > b.message ? 1 : 0; },
    check: function (a, b) { return a.check < b.check ? -1 : a.check > b.check ? 1 : 0; },
    function: function (a, b) { return a.func < b.func ? -1 : a.func > b.func ? 1 : 0; },
    file: function (a, b) { return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line; },
  };
  function apply() {
    const begin = performance.now();
    choice.fileKey = choice.file.toLowerCase();
    choice.funcKey = choice.func.toLowerCase();
    choice.words = choice.text.toLowerCase().split(/\s+/).filter(Boolean);
    shown = all.filter(function (row) { return passes(row, ""); });
    const order = orders[choice.sort] || orders.severity;
    const sign = choice.down ? -1 : 1;
    shown.sort(function (a, b) { return sign * order(a, b) || a.id - b.id; });
    selected = -1;
    writeAddress();
    rememberOrder();
    showChoice();
    grid.setAttribute("aria-rowcount", String(shown.length + 1));
    byId("empty").hidden = shown.length > 0;
    byId("count").textContent = shown.length === all.length ? plural(all.length) : shown.length + " of " + plural(all.length);
    render(true);
    document.body.dataset.filterMs = (performance.now() - begin).toFixed(1);
  }
  function plural(n) { return n + (n === 1 ? " finding" : " findings"); }
  function rememberOrder() {
    try {
      sessionStorage.setItem("reckon-order", JSON.stringify({ of: location.pathname, ids: shown.map(function (r) { return r.id + 1; }) }));
      sessionStorage.setItem("reckon-index", location.hash);
    } catch (e) {
      // Then pages of findings fall back to the order of the report.
    }
  }
  // Buttons show the choice, and how many findings each would leave.
  function showChoice() {
    const bySeverity = new Map(), byCheck = new Map();
    all.forEach(function (row) {
      if (passes(row, "severity")) bySeverity.set(row.severity, (bySeverity.get(row.severity) || 0) + 1);
      if (passes(row, "check")) byCheck.set(row.check, (byCheck.get(row.check) || 0) + 1);
    });
    document.querySelectorAll("[data-severity]").forEach(function (b) {
      const s = severities.indexOf(b.dataset.severity);
      b.setAttribute("aria-pressed", String(choice.severities.has(s)));
      b.querySelector("b").textContent = String(bySeverity.get(s) || 0);
    });
    document.querySelectorAll("[data-check]").forEach(function (b) {
      b.setAttribute("aria-pressed", String(choice.checks.has(b.dataset.check)));
      b.querySelector("b").textContent = String(byCheck.get(b.dataset.check) || 0);
    });
    document.querySelectorAll("[data-sort]").forEach(function (b) {
      const cell = b.parentElement;
      if (b.dataset.sort === choice.sort) cell.setAttribute("aria-sort", choice.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
    const any = choice.text || choice.file || choice.func || choice.checks.size || choice.severities.size || choice.status !== "new";
    byId("clear").disabled = !any;
  }

  // ---- rows
  let from = 0, to = 0;
  let height = 0;
  function rowHeight() { return matchMedia("(max-width: 1000px)").matches ? 84 : 54; }
  function render(anew) {
    const h = rowHeight();
    if (h !== height) anew = true;
    height = h;
    rowsBox.style.height = shown.length * h + "px";
    const top = -rowsBox.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(top / h) - beyond);
    const last = Math.min(shown.length, Math.ceil((top + innerHeight) / h) + beyond);
    if (!anew && first >= from && last <= to && to - from <= last - first + 2 * beyond) return;
    draw(first, last);
  }
  function draw(first, last) {
    const focused = rowsBox.contains(document.activeElement) ? document.activeElement.dataset.at : null;
    from = first;
    to = last;
    const fragment = document.createDocumentFragment();
    for (let i = from; i < to; i++) fragment.appendChild(element(shown[i], i));
    rowsBox.replaceChildren(fragment);
    if (focused !== null) {
      const link = rowsBox.querySelector('[data-at="' + focused + '"]');
      if (link) link.focus({ preventScroll: true });
    }
  }
  function cell(name) {
    const e = document.createElement("div");
    e.setAttribute("role", "cell");
    if (name) e.className = name;
    return e;
  }
  function element(row, i) {
    const e = document.createElement("div");
    e.className = "row" + (i === selected ? " at" : "");
    e.setAttribute("role", "row");
    e.setAttribute("aria-rowindex", String(i + 2));
    e.style.top = i * height + "px";
    const severity = cell();
    const pill = document.createElement("span");
    pill.className = "sev sev-" + severities[row.severity];
    pill.textContent = severities[row.severity];
    severity.appendChild(pill);
    const what = cell();
    const link = document.createElement("a");
    link.className = "what";
    link.href = page(row);
    link.dataset.at = String(i);
    link.title = row.message + "\nThis shows " + row.occasion + ".";
    said(link, row.message);
    if (row.status) link.append(" (" + statuses[row.status] + ")");
    what.appendChild(link);
    const check = cell("clip");
    mark(check, row.check);
    const func = cell("clip mono");
    func.title = row.func;
    mark(func, row.func);
    const place = cell("clip mono place");
    place.title = row.file + ":" + row.line;
    const bdi = document.createElement("bdi");
    mark(bdi, row.file + ":" + row.line);
    place.appendChild(bdi);
    e.append(severity, what, check, func, place);
    return e;
  }
  // Text with what was searched for marked.
  function mark(into, text) {
    const low = text.toLowerCase();
    let at = 0;
    while (at < text.length) {
      let next = -1, size = 0;
      choice.words.forEach(function (w) {
        const k = low.indexOf(w, at);
        if (k >= 0 && (next < 0 || k < next)) { next = k; size = w.length; }
      });
      if (next < 0) break;
      into.append(text.slice(at, next));
      const m = document.createElement("mark");
      m.textContent = text.slice(next, next + size);
      into.append(m);
      at = next + size;
    }
    into.append(text.slice(at));
  }
  // A message, names in backquotes as code.
  function said(into, message) {
    message.split("`").forEach(function (part, k) {
      if (k % 2 === 0) return mark(into, part);
      const c = document.createElement("code");
      mark(c, part);
      into.append(c);
    });
  }
  function select(i) {
    if (!shown.length) return;
    selected = Math.max(0, Math.min(shown.length - 1, i));
    const top = rowsBox.getBoundingClientRect().top + selected * height;
    if (top < 130 || top + height > innerHeight - 20) scrollBy({ top: top - innerHeight / 2, behavior: "instant" });
    render(true);
    const link = rowsBox.querySelector('[data-at="' + selected + '"]');
    if (link) link.focus({ preventScroll: true });
  }

  // ---- events
  let timer = 0;
  function later() {
    clearTimeout(timer);
    timer = setTimeout(apply, 60);
  }
  [["text", "text"], ["file", "file"], ["function", "func"]].forEach(function (pair) {
    byId(pair[0]).addEventListener("input", function (event) {
      choice[pair[1]] = event.target.value.trim();
      later();
    });
  });
  if (byId("status")) byId("status").addEventListener("change", function (event) { choice.status = event.target.value; apply(); });
  function toggle(set, value) {
    if (!set.delete(value)) set.add(value);
    apply();
  }
  document.querySelectorAll("[data-severity]").forEach(function (b) {
    b.addEventListener("click", function () { toggle(choice.severities, severities.indexOf(b.dataset.severity)); });
  });
  document.querySelectorAll("[data-check]").forEach(function (b) {
    b.addEventListener("click", function () { toggle(choice.checks, b.dataset.check); });
  });
  document.querySelectorAll("[data-sort]").forEach(function (b) {
    b.addEventListener("click", function () {
      if (choice.sort === b.dataset.sort) choice.down = !choice.down;
      else { choice.sort = b.dataset.sort; choice.down = choice.sort === "severity"; }
      apply();
    });
  });
  byId("clear").addEventListener("click", function () {
    history.replaceState(null, "", location.pathname);
    readAddress();
    apply();
    byId("text").focus();
  });
  addEventListener("scroll", function () { render(false); }, { passive: true });
  addEventListener("resize", function () { render(true); });
  addEventListener("hashchange", function () { readAddress(); apply(); });
  addEventListener("beforeprint", function () { draw(0, shown.length); });
  addEventListener("afterprint", function () { render(true); });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && document.activeElement instanceof HTMLInputElement) {
      document.activeElement.blur();
      return;
    }
    if (!window.reckon.plainKey(event)) return;
    if (event.key === "/") { byId("text").focus(); byId("text").select(); }
    else if (event.key === "j" || event.key === "ArrowDown") select(selected + 1);
    else if (event.key === "k" || event.key === "ArrowUp") select(selected < 0 ? 0 : selected - 1);
    else if (event.key === "g" || event.key === "Home") select(0);
    else if (event.key === "G" || event.key === "End") select(shown.length - 1);
    else return;
    event.preventDefault();
  });

  // The rows in the page are for readers without a script.
  rowsBox.classList.remove("plain");
  document.querySelector("form.filters").addEventListener("submit", function (event) { event.preventDefault(); });
  readAddress();
  apply();
})();
