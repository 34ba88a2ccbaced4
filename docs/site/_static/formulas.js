// Formulas that are wider than their column are drawn smaller, down to half their size.
(function () {
  "use strict";

  function fit() {
    document.querySelectorAll("mjx-container").forEach(function (formula) {
      if (formula.dataset.size === undefined) {
        formula.dataset.size = formula.style.fontSize; // MathJax's own
      }
      formula.style.fontSize = formula.dataset.size;
      const is_display = formula.hasAttribute("display");
      const drawn = is_display ? formula.querySelector("mjx-math").scrollWidth
                               : formula.getBoundingClientRect().width;
      const share = formula.parentElement.closest("div, p, li, td, dd").clientWidth / drawn;
      if (share < 1) {
        const size = parseFloat(getComputedStyle(formula).fontSize);
        formula.style.fontSize = size * Math.max(0.5, 0.98 * share) + "px";
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
