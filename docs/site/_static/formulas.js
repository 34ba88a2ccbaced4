// Formulas that are wider than their column are drawn smaller, to 60 % at least; the rest scrolls.
(function () {
  "use strict";

  function fit() {
    document.querySelectorAll("mjx-container[display]").forEach(function (formula) {
      formula.style.fontSize = "";
      const base = parseFloat(getComputedStyle(formula).fontSize);
      const drawn = formula.querySelector("mjx-math");
      const share = formula.parentElement.clientWidth / drawn.scrollWidth;
      if (share < 1) {
        formula.style.fontSize = base * Math.max(0.6, 0.98 * share) + "px";
      }
    });
  }

  window.addEventListener("load", function () {
    if (window.MathJax && window.MathJax.startup) {
      window.MathJax.startup.promise.then(fit);
      window.addEventListener("resize", fit);
    }
  });
})();
