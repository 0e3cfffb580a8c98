/** @param {string} id */
export const byId = (id) => document.getElementById(id)

/**
 * Does nothing where the page, as it was rendered, has no such element.
 * @param {string} id
 * @param {boolean} isVisible
 */
export const show = (id, isVisible) => {
  const element = byId(id)
  if (element !== null) element.hidden = !isVisible
}

/**
 * Writes only what changed, so that a screen reader is not told the same thing twice.
 * @param {string} id
 * @param {string} text
 */
export const write = (id, text) => {
  const element = byId(id)
  if (element !== null && element.textContent !== text) element.textContent = text
}
