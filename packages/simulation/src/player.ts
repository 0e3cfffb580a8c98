import type { Move } from './move.ts'

/**
 * Acts beside the customers: an enemy of the service, or somebody who operates it. Its moves join those of the customers. In
 * the rounds that follow them, it `attends`; before the last ones, without faults, it comes to `rest`.
 */
export type Player = {
  readonly moves: ReadonlyArray<Move>
  readonly rest: () => void
  readonly attend: () => void | Promise<void>
  /** So many such rounds come before the moves of all others, who would disturb it. */
  readonly siege?: number
}
