import type { Random } from './random.ts'

/** A random action of a run, and its weight among all moves. */
export type Move = { readonly name: string; readonly weight: number; readonly act: () => unknown }

export const chooseMove = (random: Random, moves: ReadonlyArray<Move>): Move => {
  let left = random.below(moves.reduce((sum, { weight }) => sum + weight, 0))
  const chosen = moves.find(({ weight }) => {
    left -= weight
    return left < 0
  })
  if (chosen === undefined) throw new Error('unreachable')
  return chosen
}
