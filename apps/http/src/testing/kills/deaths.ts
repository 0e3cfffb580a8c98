export type Side = 'before' | 'after'

/**
 * Where a process dies: at the append of a step (an event type, or `Type of category`), at a submission, or at a random
 * moment.
 */
export type Death =
  | { readonly _tag: 'append'; readonly step: string; readonly side: Side }
  | { readonly _tag: 'send'; readonly side: Side }
  | { readonly _tag: 'moment'; readonly of: 'start' | 'service'; readonly afterMs: number }

export const nameOf = (death: Death): string => {
  switch (death._tag) {
    case 'append':
      return `${death.side} the append of ${death.step}`
    case 'send':
      return `${death.side} a transaction is sent`
    case 'moment':
      return `at any moment of its ${death.of}`
  }
}

const sides: ReadonlyArray<Side> = ['before', 'after']
const longestMs = { start: 700, service: 2_000 } as const

/**
 * A plan of deaths from random numbers: four of six at the append of a step, each side of each step in turn, one at a
 * submission, and one at a random moment.
 */
export const drawDeaths = (count: number, random: () => number, steps: ReadonlyArray<string>): ReadonlyArray<Death> => {
  const turns = sides
    .flatMap((side) => steps.map((step): Death => ({ _tag: 'append', step, side })))
    .map((death) => ({ death, at: random() }))
    .toSorted((one, other) => one.at - other.at)
  return Array.from({ length: count }, (_, index): Death => {
    const turn = turns[(index - Math.floor(index / 3)) % turns.length]
    if (index % 3 !== 2 && turn !== undefined) return turn.death
    if (index % 6 === 5) return { _tag: 'send', side: random() < 0.5 ? 'before' : 'after' }
    const of = random() < 0.25 ? 'start' : 'service'
    return { _tag: 'moment', of, afterMs: random() * longestMs[of] }
  })
}

/** The variables that tell a process the append at which it dies. */
export const stepVariable = 'QUITTANCE_TEST_DIE_AT_STEP'
export const sideVariable = 'QUITTANCE_TEST_DIE_ON_SIDE'
