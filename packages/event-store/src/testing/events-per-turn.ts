/** Counts events by turns of the event loop; `most` ends the counting and answers the most that one turn had. */
export const eventsPerTurn = (): { readonly count: () => void; readonly most: () => number } => {
  let [now, most, isOver] = [0, 0, false]
  const turn = (): void => {
    now = 0
    if (!isOver) setImmediate(turn).unref()
  }
  setImmediate(turn).unref()
  return {
    count: () => {
      now += 1
      most = Math.max(most, now)
    },
    most: () => {
      isOver = true
      return most
    },
  }
}
