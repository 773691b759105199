// Runs before the page is painted: the reader's choice of colours, kept between pages where the browser allows
// it, and what all pages share: the theme button and the help dialog.
(function () {
  "use strict";
  const root = document.documentElement;
  const key = "reckon-theme";

  function stored() {
    try {
      return localStorage.getItem(key);
    } catch (e) {
      return null; // storage is off for local files: the system's choice stays
    }
  }
  function dark() {
    const chosen = root.dataset.theme;
    if (chosen) return chosen === "dark";
    return matchMedia("(prefers-color-scheme: dark)").matches;
  }
  const before = stored();
  if (before === "dark" || before === "light") root.dataset.theme = before;

  function toggle() {
    root.dataset.theme = dark() ? "light" : "dark";
    try {
      localStorage.setItem(key, root.dataset.theme);
    } catch (e) {
      // It lasts as long as the page, then.
    }
    label();
  }
  function label() {
    const button = document.getElementById("theme");
    if (!button) return;
    button.textContent = dark() ? "\u263E" : "\u2600";
    button.setAttribute("aria-label", dark() ? "Dark colours; switch to light" : "Light colours; switch to dark");
    button.title = button.getAttribute("aria-label") + " (t)";
  }

  window.reckon = {
    toggleTheme: toggle,
    // Keys are for the page unless somebody types, or means the browser.
    plainKey: function (event) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
      const at = event.target;
      return !(at instanceof Element && at.closest("input, select, textarea, dialog"));
    },
    help: function () {
      const dialog = document.getElementById("keys");
      if (dialog.open) dialog.close();
      else dialog.showModal();
    },
  };

  document.addEventListener("DOMContentLoaded", function () {
    label();
    document.getElementById("theme").addEventListener("click", toggle);
    document.getElementById("help").addEventListener("click", window.reckon.help);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
    document.addEventListener("keydown", function (event) {
      if (!window.reckon.plainKey(event)) return;
      if (event.key === "?") window.reckon.help();
      else if (event.key === "t") toggle();
      else return;
      event.preventDefault();
    });
  });
})();
