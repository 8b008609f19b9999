// A card under the pointer or the focus, shown larger beside itself.

const MARGIN = 8;

/** Shows the larger picture; it does nothing and is not read out, for it says nothing new. */
export class Preview {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    /** The card that is shown. @type {Element | null} */
    this.card = null;
    document.addEventListener("mouseover", (event) => this.#look(event.target));
    document.addEventListener("focusin", (event) => this.#look(event.target, true));
    document.addEventListener("focusout", () => this.#hide());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.#hide());
    document.addEventListener("click", () => this.#hide());
  }

  /**
   * @param {EventTarget | null} target
   * @param {boolean} byKeys whether the focus came here, which a click may bring along
   */
  #look(target, byKeys = false) {
    const card = target instanceof Element ? target.closest("button.card") : null;
    if (!card || (byKeys && !card.matches(":focus-visible"))) {
      this.#hide();
      return;
    }
    if (card === this.card) {
      return;
    }
    this.card = card;
    const copy = document.createElement("span");
    copy.className = card.className;
    copy.classList.remove("low");
    copy.append(...[...card.childNodes].map((node) => node.cloneNode(true)));
    copy.style.cssText = /** @type {HTMLElement} */ (card).style.cssText;
    this.box.replaceChildren(copy);
    this.box.hidden = false;
    this.#place(card.getBoundingClientRect());
  }

  /**
   * Above the card, or below it where there is no room.
   * @param {DOMRect} card
   */
  #place(card) {
    const { width, height } = this.box.getBoundingClientRect();
    const left = Math.min(Math.max(card.left + card.width / 2 - width / 2, MARGIN), innerWidth - width - MARGIN);
    const above = card.top - height - MARGIN;
    this.box.style.setProperty("left", `${left}px`);
    this.box.style.setProperty("top", `${above > MARGIN ? above : Math.min(card.bottom + MARGIN, innerHeight - height - MARGIN)}px`);
  }

  #hide() {
    this.card = null;
    this.box.hidden = true;
  }
}
