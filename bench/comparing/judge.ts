import type { Aim } from './comparison.ts'

/** A figure beside its aim. `gap`: how far it is from the aim, as a share of the aim. */
export type Verdict =
  | { readonly _tag: 'no aim' }
  | { readonly _tag: 'met' }
  | { readonly _tag: 'first aim met'; readonly gap: number }
  | { readonly _tag: 'missed'; readonly gap: number }

/** Judges a median: of the ratios, or of our own figures where the aim is about these. */
export const judge = (aim: Aim, median: number): Verdict => {
  switch (aim._tag) {
    case 'none':
      return { _tag: 'no aim' }
    case 'ratio': {
      const { atLeast, later = atLeast } = aim
      if (median < atLeast) return { _tag: 'missed', gap: 1 - median / atLeast }
      return median < later ? { _tag: 'first aim met', gap: 1 - median / later } : { _tag: 'met' }
    }
    case 'at least':
      return median >= aim.figure ? { _tag: 'met' } : { _tag: 'missed', gap: 1 - median / aim.figure }
    case 'at most':
      return median <= aim.figure ? { _tag: 'met' } : { _tag: 'missed', gap: median / aim.figure - 1 }
  }
}

/** How many times the aim a median is: above 1 where it is better. Null without an aim. */
export const timesAim = (aim: Aim, median: number): number | null => {
  switch (aim._tag) {
    case 'none':
      return null
    case 'ratio':
      return median / aim.atLeast
    case 'at least':
      return median / aim.figure
    case 'at most':
      return aim.figure / median
  }
}
