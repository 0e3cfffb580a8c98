/** The items for which a check holds. Each check begins when the one before it has ended. */
export const filterInTurn = async <A>(
  items: Iterable<A>,
  holds: (item: A) => Promise<boolean>,
): Promise<ReadonlyArray<A>> => {
  const kept: Array<A> = []
  for (const item of items) if (await holds(item)) kept.push(item)
  return kept
}

/** The first item for which a check holds; those after it are not checked. */
export const findInTurn = async <A>(
  items: Iterable<A>,
  holds: (item: A) => Promise<boolean>,
): Promise<A | undefined> => {
  for (const item of items) if (await holds(item)) return item
  return undefined
}

/** Whether a check holds for an item; those after it are not checked. */
export const someInTurn = async <A>(items: Iterable<A>, holds: (item: A) => Promise<boolean>): Promise<boolean> => {
  for (const item of items) if (await holds(item)) return true
  return false
}

/** Whether a check holds for all items; those after the first for which it does not are not checked. */
export const everyInTurn = async <A>(items: Iterable<A>, holds: (item: A) => Promise<boolean>): Promise<boolean> =>
  !(await someInTurn(items, async (item) => !(await holds(item))))
