(function () {
  "use strict";
  var news = document.querySelector(".news");

  function value(row, place) {
    var cell = row.cells[place];
    var told = cell.dataset.value === undefined ? cell.textContent.trim() : cell.dataset.value;
    var number = Number(told);
    return told !== "" && !isNaN(number) ? number : told;
  }

  // Numbers before texts, nothing always last.
  function compare(a, b, sign) {
    if (a === "" || b === "") { return (a === "") - (b === ""); }
    if (typeof a !== typeof b) { return typeof a === "number" ? -1 : 1; }
    return sign * (typeof a === "number" ? a - b : a.localeCompare(b));
  }

  function sort(table, place, heading) {
    var up = heading.getAttribute("aria-sort") !== "ascending";
    var body = table.tBodies[0], rows = Array.prototype.slice.call(body.rows);
    rows.sort(function (a, b) { return compare(value(a, place), value(b, place), up ? 1 : -1); });
    rows.forEach(function (row) { body.appendChild(row); });
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (each) {
      each.removeAttribute("aria-sort");
    });
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    if (news) {
      news.textContent = "Sorted by " + heading.textContent + ", " + (up ? "ascending" : "descending");
    }
  }

  function sortable(table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (heading, place) {
      var button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      while (heading.firstChild) { button.appendChild(heading.firstChild); }
      heading.appendChild(button);
      button.addEventListener("click", function () { sort(table, place, heading); });
    });
  }

  // A box is a stop of the Tab key only while something in it is out of sight.
  function stops() {
    document.querySelectorAll(".scroll, pre").forEach(function (box) {
      var hides = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      if (hides) { box.tabIndex = 0; } else { box.removeAttribute("tabindex"); }
      shade(box);
    });
  }

  function shade(box) {
    var more = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
    box.classList.toggle("more", more);
  }

  window.infimumSortable = sortable;
  document.querySelectorAll("table.sortable").forEach(sortable);
  window.addEventListener("resize", stops);
  document.addEventListener("infimum-shown", stops);
  stops();
  document.querySelectorAll(".scroll").forEach(function (box) {
    box.addEventListener("scroll", function () { shade(box); }, { passive: true });
  });
})();
