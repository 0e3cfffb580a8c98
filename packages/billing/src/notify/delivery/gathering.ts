/** Changes that come within so long after a look began are looked at together. */
const gatherMs = 5

/** Gathers notifications of changes: calls `look` for one at once, or a little later for those that come soon after a look. */
export const gathering = (look: () => void) => {
  let [began, isWaiting] = [Number.NEGATIVE_INFINITY, false]
  const lookNow = (): void => {
    isWaiting = false
    look()
  }
  return {
    /** A look begins, which sees all changes until now. */
    began: (): void => {
      began = performance.now()
    },
    changed: (): void => {
      if (isWaiting) return
      const leftMs = began + gatherMs - performance.now()
      if (leftMs <= 0) lookNow()
      else {
        isWaiting = true
        setTimeout(lookNow, leftMs)
      }
    },
  }
}
