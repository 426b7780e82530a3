(function () {
  "use strict";
  var sets = [];

  // Parts of a section that do not fit one screen together, one at a time. Without a script,
  // and on paper, they stand one below the other under their headings.
  function make(box, number) {
    var views = Array.prototype.filter.call(box.children, function (each) { return each.classList.contains("view"); });
    if (views.length < 2) { return; }
    var list = document.createElement("div"), section = box.closest("section");
    var set = { views: views, tabs: [], place: 0 };
    list.className = "tabs";
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-labelledby", section.getAttribute("aria-labelledby"));
    views.forEach(function (view, place) {
      var tab = document.createElement("button");
      tab.type = "button";
      tab.id = "tab-" + number + "-" + place;
      view.id = view.id || "view-" + number + "-" + place;
      var heading = view.querySelector("h3");
      tab.textContent = heading.dataset.tab || heading.textContent;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", view.id);
      view.setAttribute("role", "tabpanel");
      view.setAttribute("aria-labelledby", tab.id);
      tab.addEventListener("click", function () { choose(set, place); });
      tab.addEventListener("keydown", function (event) { step(set, place, event); });
      // What a search on the page finds in a part that is not shown is shown.
      view.addEventListener("beforematch", function () { choose(set, place); });
      set.tabs.push(tab);
      list.appendChild(tab);
    });
    box.insertBefore(list, box.firstChild);
    box.classList.add("tabbed");
    sets.push(set);
    choose(set, 0);
  }

  function choose(set, place) {
    set.place = place;
    set.views.forEach(function (view, each) {
      var tab = set.tabs[each], here = each === place;
      tab.setAttribute("aria-selected", String(here));
      tab.tabIndex = here ? 0 : -1;
      if (here) { view.removeAttribute("hidden"); } else { view.setAttribute("hidden", "until-found"); }
    });
    set.views[place].dispatchEvent(new CustomEvent("infimum-shown", { bubbles: true }));
  }

  function step(set, place, event) {
    var last = set.tabs.length - 1;
    var goes = {
      ArrowRight: place === last ? 0 : place + 1, ArrowLeft: place === 0 ? last : place - 1, Home: 0, End: last
    };
    if (!(event.key in goes)) { return; }
    event.preventDefault();
    choose(set, goes[event.key]);
    set.tabs[goes[event.key]].focus();
  }

  document.querySelectorAll(".views").forEach(make);
  window.addEventListener("beforeprint", function () {
    sets.forEach(function (set) { set.views.forEach(function (view) { view.removeAttribute("hidden"); }); });
  });
  window.addEventListener("afterprint", function () {
    sets.forEach(function (set) { choose(set, set.place); });
  });
})();
