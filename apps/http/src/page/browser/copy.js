import { byId } from './dom.js'
import { words } from './script-words.ts'

const SHOWN_FOR_MS = 2_000

/** @param {HTMLElement} target */
const select = (target) => {
  const range = document.createRange()
  range.selectNodeContents(target)
  const selection = getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}

/** @param {HTMLButtonElement} button */
const copy = async (button) => {
  const target = byId(button.dataset.copy ?? '')
  const label = button.firstChild
  if (target === null || label === null) return
  try {
    await navigator.clipboard.writeText(target.dataset.value ?? target.textContent ?? '')
    label.textContent = words.copied
  } catch {
    // Without clipboard access, the text is selected for the keyboard.
    select(target)
    label.textContent = words.selected
  }
  setTimeout(() => {
    label.textContent = words.copy
  }, SHOWN_FOR_MS)
}

/** Enables all copy buttons. A button names an element, and copies its `data-value` or else its text. */
export const enableCopyButtons = () => {
  for (const button of document.querySelectorAll('button[data-copy]')) {
    if (!(button instanceof HTMLButtonElement)) continue
    button.hidden = false
    button.addEventListener('click', () => void copy(button))
  }
}
