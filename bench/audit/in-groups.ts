/** Runs work on each item, a group at once, and answers the results in the order of the items. */
export const inGroups = async <A, B>(
  items: ReadonlyArray<A>,
  size: number,
  work: (item: A) => Promise<B>,
): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  for (let from = 0; from < items.length; from += size)
    results.push(...(await Promise.all(items.slice(from, from + size).map(work))))
  return results
}
