/** Never shrinks; two equal counts: nothing has changed in between. NaN, which equals nothing: unknown. */
export type CountChanges = () => number

const most = 5_000

/** Caches the answers of `read` until something changes. Counts before it reads, so that a commit in between counts. */
export const whileUnchanged = <Asked extends ReadonlyArray<unknown>, Answer>(
  changes: CountChanges,
  keyOf: (...asked: Asked) => string,
  read: (...asked: Asked) => Promise<Answer>,
): ((...asked: Asked) => Promise<Answer>) => {
  const kept = new Map<string, Promise<Answer>>()
  let keptAt = Number.NaN
  return (...asked) => {
    const now = changes()
    if (now !== keptAt || kept.size >= most) kept.clear()
    keptAt = now
    const key = keyOf(...asked)
    const known = kept.get(key)
    if (known !== undefined) return known
    const answer = read(...asked)
    kept.set(key, answer)
    answer.catch(() => kept.delete(key))
    return answer
  }
}
