import type { Aim } from './comparison.ts'

/** How many times its aim a median is: from 1 on the aim is met. Null without an aim. */
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
