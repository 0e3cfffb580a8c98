import type { TimelineEntry } from './timeline.ts'

/** An entry with what has caused it, back to what no entry has: the root first. */
export const causesOf = <Entry extends TimelineEntry>(
  entries: ReadonlyArray<Entry>,
  entry: Entry,
): ReadonlyArray<Entry> => {
  const byId = new Map(entries.map((each) => [each.id, each]))
  const chain: Array<Entry> = []
  // A cause stands before its effect, so the chain ends.
  for (let each: Entry | undefined = entry; each !== undefined; each = byId.get(each.cause.entry_id ?? ''))
    chain.unshift(each)
  return chain
}

/**
 * Why a resource has, or last had, a status: the entry that last brought it there, with its causes, the root first. Null if
 * it never had it.
 */
export const whyStatus = <Entry extends TimelineEntry>(
  entries: ReadonlyArray<Entry>,
  resourceId: string,
  status: string,
): ReadonlyArray<Entry> | null => {
  const own = entries.filter(({ resource }) => resource.id === resourceId)
  const entered = own.findLast((each, place) => each.status === status && own[place - 1]?.status !== status)
  return entered === undefined ? null : causesOf(entries, entered)
}
