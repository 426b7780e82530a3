(function () {
  "use strict";
  var root = document.documentElement;
  var source = document.getElementById("figures");
  var figures = source ? JSON.parse(source.textContent) : {};
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var chosen = null;

  function theme() { return chosen || (dark.matches ? "dark" : "light"); }

  // Figures name their colours "@accent"; the style sheet knows what that is today.
  function paint(value, style) {
    if (typeof value === "string" && value.charAt(0) === "@") {
      return style.getPropertyValue("--" + value.slice(1)).trim();
    }
    if (Array.isArray(value)) { return value.map(function (v) { return paint(v, style); }); }
    if (value && typeof value === "object") {
      var painted = {};
      Object.keys(value).forEach(function (key) { painted[key] = paint(value[key], style); });
      return painted;
    }
    return value;
  }

  function draw() {
    var style = getComputedStyle(root);
    document.querySelectorAll(".figure").forEach(function (place) {
      var figure = paint(figures[place.dataset.figure], style);
      figure.layout.font.family = getComputedStyle(document.body).fontFamily;
      figure.layout.autosize = true;
      // On a phone the legend is a column: give it room instead of squeezing the plot.
      if (figure.layout.showlegend && place.clientWidth < 520) {
        figure.layout.height += 16 * figure.data.length;
      }
      Plotly.react(place, figure.data, figure.layout, {
        displayModeBar: false, responsive: true, scrollZoom: false
      });
    });
  }

  function show(name) {
    root.dataset.theme = name;
    var button = document.querySelector("button.theme");
    if (button) { button.textContent = name === "dark" ? "Light" : "Dark"; }
    if (window.Plotly) { draw(); }
  }

  document.querySelector("button.theme").addEventListener("click", function () {
    chosen = theme() === "dark" ? "light" : "dark";
    show(chosen);
  });
  dark.addEventListener("change", function () { show(theme()); });
  window.addEventListener("beforeprint", function () { show("light"); });
  window.addEventListener("afterprint", function () { show(theme()); });
  show(theme());
})();
