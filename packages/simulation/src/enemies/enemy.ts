import type { Move } from '../move.ts'

/** A player who acts against the service. Its moves join those of the customers; it `rests` before everything settles. */
export type Enemy = { readonly moves: ReadonlyArray<Move>; readonly rest: () => void }
