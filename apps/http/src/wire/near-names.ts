import leven from 'leven'

const longest = 40

/** Names that errors may repeat: short ones, of letters, digits and underscores. */
const repeatable = /^[A-Za-z]\w*(\[[a-z]{1,3}\])?$/

/** Whether an error may repeat a name that a caller has made up. */
export const isRepeatable = (name: string): boolean => name.length <= longest && repeatable.test(name)

/**
 * The known name that a caller probably meant by another one; null if none is near. Near is what differs in two letters
 * at most (in short names one), in upper case and underscores, or by words between the first and the last.
 */
export const nearestName = (name: string, known: ReadonlyArray<string>): string | null => {
  if (name.length > longest) return null
  const near = known
    .map((each) => ({ each, distance: distanceOf(name, each) }))
    .filter(({ distance }) => distance <= farthest(name))
    .sort((one, other) => one.distance - other.distance)
  return near[0]?.each ?? null
}

/** Whether a name is a known one but for upper case, underscores, or words between the first and the last. */
export const isSpellingOf = (name: string, known: string): boolean =>
  name.length <= longest && (lettersOf(name) === lettersOf(known) || hasWordsBetween(name, known))

const farthest = (name: string): number => (lettersOf(name).length < 8 ? 1 : 2)

const distanceOf = (name: string, known: string): number =>
  hasWordsBetween(name, known) ? 0 : leven(lettersOf(name), lettersOf(known))

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

/** Whether a name is a known one of several words with others between, as `trial_period_days` is to `trial_days`. */
const hasWordsBetween = (name: string, known: string): boolean => {
  const [words, wanted] = [wordsOf(name), known.split('_')]
  if (wanted.length < 2 || words[0] !== wanted[0] || words.at(-1) !== wanted.at(-1)) return false
  let at = 0
  for (const word of words) if (word === wanted[at]) at += 1
  return at === wanted.length
}
