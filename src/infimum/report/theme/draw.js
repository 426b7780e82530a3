(function () {
  "use strict";
  var root = document.documentElement;
  var source = document.getElementById("figures");
  var figures = source ? JSON.parse(source.textContent) : {};
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var touch = window.matchMedia("(pointer: coarse)").matches;
  var chosen = null, printing = false;

  var options = { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: false };

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

  function place(name) { return document.querySelector('.figure[data-figure="' + name + '"]'); }

  function ranges(drawn) {
    var full = drawn._fullLayout;
    return { "xaxis.range": full.xaxis.range.slice(), "yaxis.range": full.yaxis.range.slice() };
  }

  function draw(within) {
    var style = getComputedStyle(root);
    (within || document).querySelectorAll(".figure").forEach(function (here) {
      // What has no width yet is drawn when its part of the section is shown.
      if (!printing && !here.getBoundingClientRect().width) { return; }
      var source = figures[here.dataset.figure];
      var figure = { data: paint(source.data, style), layout: paint(source.layout, style) };
      figure.layout.font.family = getComputedStyle(document.body).fontFamily;
      var wide = onPaper(here);
      if (!wide && here.clientWidth < 480) { narrow(figure.layout.yaxis); }
      figure.layout.autosize = !wide;
      if (wide) { figure.layout.width = wide; }
      // A finger that moves over a figure wants to scroll; the buttons zoom there.
      figure.layout.dragmode = touch ? false : "zoom";
      if (here.view) {
        ["xaxis", "yaxis"].forEach(function (axis) {
          figure.layout[axis].range = here.view[axis + ".range"];
          figure.layout[axis].autorange = false;
        });
      }
      var known = Boolean(here.whole);
      Plotly.react(here, figure.data, figure.layout, options);
      if (figure.layout.showlegend) { widen(here, figure); }
      if (!known) {
        // The figure is told in words; its lines and letters would only be noise.
        here.querySelector(".plot-container").setAttribute("aria-hidden", "true");
        here.whole = ranges(here);
        here.on("plotly_relayout", function () { here.view = ranges(here); });
        here.on("plotly_doubleclick", function () { reset(here); });
      }
    });
    // Where Plotly measures letters, nobody needs to look.
    var tester = document.getElementById("js-plotly-tester");
    if (tester) { tester.setAttribute("aria-hidden", "true"); }
  }

  // On a phone long names beside a plot would leave it no room; the table has them whole.
  function narrow(axis) {
    if (!axis.ticktext) { return; }
    axis.ticktext = axis.ticktext.map(function (name) {
      return name.split("<br>").map(function (line) {
        var plain = line.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
        if (plain.length > 18) { plain = plain.slice(0, 9) + "…" + plain.slice(-8); }
        return plain.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
      }).join("<br>");
    });
  }

  // A legend of many lines gets room of its own instead of squeezing the plot.
  function widen(here, figure) {
    var legend = here.querySelector(".legend");
    var room = legend ? Math.round(legend.getBoundingClientRect().height) - 26 : 0;
    if (room <= 0) { return; }
    figure.layout = Object.assign({}, figure.layout, { height: figure.layout.height + room });
    Plotly.react(here, figure.data, figure.layout, options);
  }

  // Paper has a width of its own, whatever the window; 0 on the screen.
  function onPaper(here) {
    if (!printing) { return 0; }
    if (here.closest(".triple")) { return 222; }
    var pair = here.closest(".pair");
    return pair && pair.children.length > 1 ? 340 : 700;
  }

  function zoom(here, factor) {
    var now = ranges(here);
    Object.keys(now).forEach(function (key) {
      var middle = (now[key][0] + now[key][1]) / 2, half = factor * (now[key][1] - now[key][0]) / 2;
      now[key] = [middle - half, middle + half];
    });
    Plotly.relayout(here, now);
  }

  // By a fifth of what is seen; on a turned axis "right" is still right on the screen.
  function move(here, axis, sign) {
    var now = ranges(here)[axis + ".range"], step = sign * 0.2 * (now[1] - now[0]), change = {};
    change[axis + ".range"] = [now[0] + step, now[1] + step];
    Plotly.relayout(here, change);
  }

  function reset(here) {
    Plotly.relayout(here, JSON.parse(JSON.stringify(here.whole)));
    here.view = null;
  }

  function cell(value) {
    if (value === null || value === undefined) { return ""; }
    if (typeof value === "number") { return String(value); }
    // A text that a spreadsheet would run as a formula stays a text.
    var text = /^[=+\-@\t]/.test(value) ? "'" + value : String(value);
    return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  }

  function csv(table) {
    return [table.columns].concat(table.rows).map(function (row) {
      return row.map(cell).join(",");
    }).join("\r\n") + "\r\n";
  }

  function download(name) {
    var blob = new Blob(["\ufeff" + csv(figures[name].table)], { type: "text/csv;charset=utf-8" });
    var link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name.replace(/_/g, "-") + ".csv";
    document.body.appendChild(link);
    link.click();
    link.remove();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 10000);
  }

  function shown(value) {
    if (value === null || value === undefined) { return "–"; }
    return typeof value === "number" ? String(Number(value.toPrecision(5))) : value;
  }

  function lay(tag, text, row) {
    var made = document.createElement(tag);
    made.textContent = text;
    if (tag === "th") { made.scope = "col"; }
    row.appendChild(made);
    return made;
  }

  // Built when it is asked for: most readers look at the picture.
  function tabulate(button, name) {
    var chart = button.closest(".chart"), old = chart.querySelector(".numbers");
    button.setAttribute("aria-expanded", String(!old));
    if (old) { old.remove(); return; }
    var box = document.createElement("div"), table = document.createElement("table");
    box.className = "numbers";
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Numbers of the figure");
    var head = table.createTHead().insertRow(), body = table.createTBody();
    figures[name].table.columns.forEach(function (text) { lay("th", text, head); });
    figures[name].table.rows.forEach(function (values) {
      var row = body.insertRow();
      values.forEach(function (value) {
        var made = lay("td", shown(value), row);
        if (typeof value === "number") { made.className = "n"; made.dataset.value = value; }
      });
    });
    box.appendChild(table);
    chart.appendChild(box);
    if (window.infimumSortable) { window.infimumSortable(table); }
    box.focus({ preventScroll: true });
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest("button[data-act]");
    if (!button) { return; }
    var name = button.dataset.of, act = button.dataset.act;
    if (act === "csv") { download(name); }
    if (act === "table") { tabulate(button, name); }
    if (act === "in") { zoom(place(name), 0.6); }
    if (act === "out") { zoom(place(name), 1 / 0.6); }
    if (act === "reset") { reset(place(name)); }
  });

  var arrows = {
    ArrowLeft: ["xaxis", -1], ArrowRight: ["xaxis", 1], ArrowDown: ["yaxis", -1], ArrowUp: ["yaxis", 1]
  };

  // Whoever cannot drag moves a zoomed figure from its buttons; a whole one stays.
  document.addEventListener("keydown", function (event) {
    var button = event.target.closest("button[data-act]"), way = arrows[event.key];
    var here = button && way ? place(button.dataset.of) : null;
    if (!here || !here.view) { return; }
    event.preventDefault();
    move(here, way[0], way[1]);
  });

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
  window.addEventListener("beforeprint", function () { printing = true; show("light"); });
  window.addEventListener("afterprint", function () { printing = false; show(theme()); });
  document.addEventListener("infimum-shown", function (event) {
    if (window.Plotly) { draw(event.target); }
  });
  show(theme());
})();
