// One finding: walks its path. The page is complete without this script (source, notes and repair are plain
// HTML); the script adds the chosen step, the state at it, the marks in the margin and the keys.
(function () {
  "use strict";
  const about = JSON.parse(document.getElementById("paths").textContent);
  const panes = Array.from(document.querySelectorAll(".pane")).map(function (element, k) {
    return { element: element, stops: about.paths[k], at: -1, number: k };
  });
  let active = 0;
  let everything = false;

  const visible = function (stop) { return everything || stop.essential; };
  const note = function (pane, i) { return document.getElementById("p" + pane.number + "s" + i); };

  // ---- numbers: only steps that are shown have one
  function number() {
    panes.forEach(function (pane) {
      let n = 0;
      pane.stops.forEach(function (stop, i) {
        stop.number = visible(stop) ? ++n : 0;
        pane.element.querySelectorAll('[data-stop="' + i + '"] .num').forEach(function (e) { e.textContent = String(stop.number || ""); });
      });
      pane.total = n;
    });
  }

  // ---- the state at a step: the changes of all steps up to it
  function stateAt(pane, last) {
    const state = { objects: new Map(), exception: "", lock: "", depth: "", stack: [], bare: [] };
    for (let i = 0; i <= last; i++) {
      const c = pane.stops[i].change;
      if (!c) continue;
      (c.objects || []).forEach(function (o) { state.objects.set(o.id, o); });
      if (c.exception) state.exception = c.exception;
      if (c.lock) state.lock = c.lock;
      if (c.depth) { state.depth = c.depth; state.stack = c.stack; state.bare = c.bare; }
    }
    return state;
  }
  function make(tag, name, text) {
    const e = document.createElement(tag);
    if (name) e.className = name;
    if (text !== undefined) e.textContent = text;
    return e;
  }
  function owner(o) {
    const lines = [];
    if (o.holders && o.holders.length) lines.push("held by " + o.holders.join(", "));
    if (o.released) lines.push("released: no reference is left");
    else if (o.kind === "borrowed") lines.push(o.lender ? "borrowed from " + o.lender : "borrowed");
    else if (o.kind === "argument") lines.push("argument; the caller holds it");
    else if (o.kind === "loaded") lines.push("read from memory");
    else if (o.kind === "global") lines.push("global");
    else if (o.owned > 0) lines.push("held by this function");
    else if (!lines.length && !o.escaped) lines.push("not ours any more");
    if (o.escaped) lines.push("somebody out of sight may hold it");
    return lines;
  }
  // The protection stack as a stack, its top first, and what should be on it.
  function protection(now, before) {
    const table = make("table", "state protection");
    const head = table.createTHead().insertRow();
    ["Slot", "Object"].forEach(function (t) {
      const th = make("th", "", t);
      th.scope = "col";
      head.appendChild(th);
    });
    const body = table.createTBody();
    function row(slot, name, state) {
      const r = body.insertRow();
      r.className = state;
      const th = make("th", "", slot);
      th.scope = "row";
      r.appendChild(th);
      r.insertCell().appendChild(make("code", "", name));
    }
    for (let i = now.stack.length; i-- > 0;) row(String(i + 1), now.stack[i], before.stack[i] === now.stack[i] ? "" : "changed");
    now.bare.forEach(function (name) { row("not protected", name, "bare" + (before.bare.includes(name) ? "" : " changed")); });
    if (!body.rows.length) row("", "nothing of this function", "muted");
    return table;
  }
  function showState(pane) {
    const box = pane.element.querySelector(".state-body") || document.querySelector(".state-body");
    const now = stateAt(pane, pane.at), before = stateAt(pane, pane.at - 1);
    const table = make("table", "state");
    const head = table.createTHead().insertRow();
    ["Object", "Owned", "Who holds it"].forEach(function (t) {
      const th = make("th", "", t);
      th.scope = "col";
      head.appendChild(th);
    });
    const body = table.createTBody();
    const objects = Array.from(now.objects.values()).filter(function (o) {
      // What was only looked at, and has no name, is in the way.
      return o.focus || o.owned !== 0 || o.released || (o.holders && o.holders.length) || ((o.kind === "borrowed" || o.kind === "new") && o.name && !o.name.endsWith("()"));
    });
    const isFocus = function (o) { return o.focus; };
    objects.sort(function (a, b) { return (isFocus(b) ? 1 : 0) - (isFocus(a) ? 1 : 0) || a.id - b.id; });
    // Objects of several rounds of a loop look alike: one row for all.
    const alike = new Map();
    objects.forEach(function (o) {
      const old = before.objects.get(o.id);
      const changed = !old || JSON.stringify(old) !== JSON.stringify(o);
      const look = JSON.stringify([o.name, o.count, o.line, o.owned, old && old.owned, changed, isFocus(o), owner(o)]);
      if (alike.has(look)) {
        const first = alike.get(look);
        first.several.textContent = ++first.number + " of them";
        first.several.hidden = false;
        return;
      }
      const row = body.insertRow();
      row.className = (changed && pane.at > 0 ? "changed " : "") + (isFocus(o) ? "focus " : "") + (o.released ? "gone" : "");
      const th = make("th");
      th.scope = "row";
      th.appendChild(make("code", "", o.name || "(unnamed)"));
      if (o.count) th.appendChild(make("small", "", o.count + " count"));
      if (o.line) th.appendChild(make("small", "", "of line " + o.line));
      const several = make("small", "", "");
      several.hidden = true;
      th.appendChild(several);
      alike.set(look, { number: 1, several: several });
      row.appendChild(th);
      const refs = make("td", "refs");
      refs.appendChild(make("b", "", (o.count && o.owned > 0 ? "+" : "") + o.owned));
      if (old && old.owned !== o.owned) refs.appendChild(make("span", "was", " was " + old.owned));
      row.appendChild(refs);
      const who = make("td");
      (o.count ? ["since the function began"] : owner(o)).forEach(function (t) { who.appendChild(make("small", "", t)); });
      row.appendChild(who);
    });
    const parts = [];
    if (objects.length) parts.push(table);
    else if (!now.depth) parts.push(make("p", "muted", "No object is tracked yet."));
    const modes = make("div", "modes");
    function mode(label, value, changed, tone) {
      const e = make("span", "mode" + (changed && pane.at > 0 ? " changed" : ""));
      e.append(label, make("b", tone, value));
      modes.appendChild(e);
      return e;
    }
    if (now.exception) mode("Exception", now.exception, now.exception !== before.exception, now.exception === "set" ? "bad" : now.exception === "not set" || now.exception === "cleared" ? "good" : "");
    if (now.lock) mode("GIL", now.lock, now.lock !== before.lock, now.lock === "held" ? "good" : "bad");
    if (now.depth) {
      mode("Protection stack", now.depth, now.depth !== before.depth, "");
      parts.push(protection(now, before));
    }
    if (modes.childElementCount) parts.push(modes);
    box.replaceChildren.apply(box, parts);
    const title = box.parentElement.querySelector(".state-at");
    if (title) title.textContent = "after step " + pane.stops[pane.at].number;
  }

  // ---- choosing a step
  function go(pane, i, quiet) {
    if (i < 0 || i >= pane.stops.length) return;
    active = pane.number;
    pane.at = i;
    panes.forEach(function (p) { p.element.classList.toggle("active", p === pane); });
    pane.element.querySelectorAll(".now").forEach(function (e) { e.classList.remove("now"); });
    const at = note(pane, i);
    at.classList.add("now");
    for (let box = at.parentElement; box; box = box.parentElement) if (box instanceof HTMLDetailsElement) box.open = true;
    // The source line a note belongs to is the nearest one above it.
    let line = at.previousElementSibling;
    while (line && !line.classList.contains("l")) line = line.previousElementSibling;
    if (line) line.classList.add("now");
    pane.element.querySelectorAll("button.step").forEach(function (b) {
      if (Number(b.dataset.stop) === i) {
        b.setAttribute("aria-current", "step");
        for (let box = b.parentElement; box; box = box.parentElement) {
          const fold = box.previousElementSibling;
          if (fold && fold.classList.contains("fold")) fold.setAttribute("aria-expanded", "true");
        }
        if (!quiet) keepInView(b);
      } else {
        b.removeAttribute("aria-current");
      }
    });
    const stop = pane.stops[i];
    pane.element.querySelector("output").textContent = "Step " + stop.number + " of " + pane.total;
    pane.element.querySelector(".back").disabled = next(pane, -1) < 0;
    pane.element.querySelector(".on").disabled = next(pane, 1) < 0;
    showState(pane);
    rails(pane);
    if (quiet) return;
    const scroller = line || at;
    const box = scroller.getBoundingClientRect();
    if (box.top < 110 || at.getBoundingClientRect().bottom > innerHeight - 60)
      scrollBy({ top: box.top - innerHeight * 0.38, behavior: calm() ? "instant" : "smooth" });
    document.getElementById("said").textContent = "Step " + stop.number + " of " + pane.total + ", line " + stop.line + ": " + stop.text;
    history.replaceState(null, "", "#" + (panes.length > 1 ? "path" + (pane.number + 1) + "-" : "") + "step" + (i + 1));
  }
  function calm() { return matchMedia("(prefers-reduced-motion: reduce)").matches; }
  function keepInView(button) {
    const card = button.closest(".steps-card");
    if (!card) return;
    const b = button.getBoundingClientRect(), c = card.getBoundingClientRect();
    if (b.top < c.top) card.scrollTop += b.top - c.top - 8;
    else if (b.bottom > c.bottom) card.scrollTop += b.bottom - c.bottom + 8;
  }
  // The next step that is shown, in the given direction; -1: none.
  function next(pane, direction) {
    for (let i = pane.at + direction; i >= 0 && i < pane.stops.length; i += direction) if (visible(pane.stops[i])) return i;
    return -1;
  }
  function move(direction) {
    const pane = panes[active];
    const i = next(pane, direction);
    if (i >= 0) go(pane, i);
  }
  function edge(last) {
    const pane = panes[active];
    const shown = pane.stops.map(function (s, i) { return visible(s) ? i : -1; }).filter(function (i) { return i >= 0; });
    go(pane, last ? shown[shown.length - 1] : shown[0]);
  }
  function showAll(on) {
    everything = on;
    document.body.classList.toggle("all-steps", on);
    document.querySelectorAll(".all").forEach(function (box) { box.checked = on; });
    number();
    panes.forEach(function (pane) {
      if (!visible(pane.stops[pane.at])) pane.at = Math.max(next(pane, 1), 0);
      const was = active;
      go(pane, pane.at, true);
      active = was;
    });
    panes.forEach(function (p) { p.element.classList.toggle("active", p.number === active); });
  }

  // ---- marks in the margin: from each step to the next, the one that leads to the chosen step in colour
  function rails(pane) {
    pane.element.querySelectorAll(".code").forEach(function (code) {
      const old = code.querySelector(":scope > svg.rail");
      if (old) old.remove();
      const box = code.getBoundingClientRect();
      if (box.height === 0) return;
      const marks = [];
      pane.stops.forEach(function (stop, i) {
        if (!visible(stop)) return;
        const e = note(pane, i);
        if (!e || e.closest(".code") !== code) { marks.push(null); return; }
        const n = e.querySelector(".num").getBoundingClientRect();
        if (n.height === 0) { marks.push(null); return; }
        marks.push({ i: i, x: n.left + n.width / 2 - box.left, y: n.top + n.height / 2 - box.top, r: n.height / 2 });
      });
      const ys = marks.filter(Boolean);
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("class", "rail");
      svg.setAttribute("aria-hidden", "true");
      svg.style.height = code.scrollHeight + "px";
      let prior = null;
      marks.forEach(function (m) {
        if (!m) return;
        if (prior) {
          const down = m.y > prior.y;
          const between = ys.some(function (o) { return o !== m && o !== prior && (o.y - prior.y) * (o.y - m.y) < 0; });
          const y1 = prior.y + (down ? prior.r : -prior.r), y2 = m.y + (down ? -m.r : m.r);
          let d;
          if (down && !between) d = "M" + prior.x + " " + y1 + "V" + y2;
          else {
            const out = prior.x + 17;
            d = "M" + (prior.x + prior.r) + " " + prior.y + "C" + (out + 8) + " " + prior.y + " " + (out + 8) + " " + m.y + " " + (m.x + m.r) + " " + m.y;
          }
          const path = document.createElementNS(svg.namespaceURI, "path");
          path.setAttribute("d", d);
          if (m.i === pane.at) {
            path.setAttribute("class", "lead");
            const tip = document.createElementNS(svg.namespaceURI, "path");
            tip.setAttribute("class", "tip");
            if (down && !between) tip.setAttribute("d", "M" + (m.x - 4.5) + " " + (y2 - 6) + "h9l-4.5 6z");
            else tip.setAttribute("d", "M" + (m.x + m.r + 6) + " " + (m.y - 4.5) + "v9l-6 -4.5z");
            svg.appendChild(tip);
          }
          svg.insertBefore(path, svg.firstChild);
        }
        prior = m;
      });
      code.appendChild(svg);
    });
  }

  // ---- neighbours: in the order the reader sorted the index in, if it is known
  function neighbours() {
    let order = null, index = "";
    try {
      const kept = JSON.parse(sessionStorage.getItem("reckon-order") || "null");
      const folder = location.pathname.replace(/findings\/[^/]*$/, "");
      if (kept && kept.of.replace(/[^/]*$/, "") === folder) {
        order = kept.ids;
        index = sessionStorage.getItem("reckon-index") || "";
      }
    } catch (e) {
      return;
    }
    if (!order) return;
    document.querySelectorAll('a[rel="up"], a.brand').forEach(function (a) { a.href = "../index.html" + index; });
    const k = order.indexOf(about.number);
    if (k < 0) return;
    const width = location.pathname.match(/(\d+)\.html$/)[1].length;
    [["prev", order[k - 1]], ["next", order[k + 1]]].forEach(function (pair) {
      const a = document.querySelector('a[rel="' + pair[0] + '"]');
      if (pair[1]) a.href = String(pair[1]).padStart(width, "0") + ".html";
      else a.removeAttribute("href");
    });
    document.querySelector(".position").textContent = (k + 1) + " of " + order.length;
  }
  function follow(rel) {
    const a = document.querySelector('a[rel="' + rel + '"][href]');
    if (a) location.href = a.href;
  }

  // ---- events
  panes.forEach(function (pane) {
    pane.element.addEventListener("click", function (event) {
      const at = event.target.closest("[data-stop]");
      if (at && pane.element.contains(at) && !String(getSelection())) go(pane, Number(at.dataset.stop));
    });
    pane.element.querySelector(".back").addEventListener("click", function () { active = pane.number; move(-1); });
    pane.element.querySelector(".on").addEventListener("click", function () { active = pane.number; move(1); });
    pane.element.querySelectorAll(".fold").forEach(function (b) {
      b.addEventListener("click", function () {
        const open = b.getAttribute("aria-expanded") !== "true";
        b.setAttribute("aria-expanded", String(open));
        const frame = document.getElementById(b.dataset.frame);
        if (frame) frame.open = open;
      });
    });
    pane.element.querySelectorAll("details").forEach(function (d) {
      d.addEventListener("toggle", function () { rails(pane); });
    });
  });
  document.querySelectorAll(".all").forEach(function (box) {
    box.addEventListener("change", function () { showAll(box.checked); });
  });
  document.querySelectorAll(".copy").forEach(function (b) {
    const label = b.textContent;
    b.addEventListener("click", function () {
      const text = b.closest(".repair").querySelector(".diff").textContent;
      const done = function (said) { b.textContent = said; setTimeout(function () { b.textContent = label; }, 1500); };
      if (!navigator.clipboard) { done("Not possible here"); return; }
      navigator.clipboard.writeText(text).then(function () { done("Copied"); }, function () { done("Not possible here"); });
    });
  });
  addEventListener("resize", function () { panes.forEach(rails); });
  document.addEventListener("keydown", function (event) {
    if (!window.reckon.plainKey(event)) return;
    const key = event.key;
    if (key === "j" || key === "ArrowRight") move(1);
    else if (key === "k" || key === "ArrowLeft") move(-1);
    else if (key === "g" || key === "Home") edge(false);
    else if (key === "G" || key === "End") edge(true);
    else if (key === "n") follow("next");
    else if (key === "p") follow("prev");
    else if (key === "u") follow("up");
    else if (key === "a") showAll(!everything);
    else if (key === "f") panes[active].element.querySelectorAll(".fold").forEach(function (b) { b.click(); });
    else if (key === "x" && panes.length > 1) go(panes[1 - active], panes[1 - active].at);
    else return;
    event.preventDefault();
  });

  neighbours();
  number();
  panes.slice().reverse().forEach(function (pane) {
    const first = pane.stops.findIndex(visible);
    go(pane, first < 0 ? 0 : first, true);
  });
  const wanted = location.hash.match(/^#(?:path([12])-)?step(\d+)$/);
  if (wanted) {
    const pane = panes[Math.min(panes.length, Number(wanted[1] || 1)) - 1];
    const i = Number(wanted[2]) - 1;
    if (pane.stops[i] && !visible(pane.stops[i])) showAll(true);
    go(pane, i);
  }
  addEventListener("load", function () { panes.forEach(rails); });
})();
