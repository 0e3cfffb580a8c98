import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../kernel/load.ts'

/** Lists, look-ups and to-do lists wait with it until the read models are current. */
export interface CaughtUp {
  /** Waits for what this process has written for a merchant, at most half a second. */
  readonly withOwnWrites: (merchantId: string) => Promise<void>
  /** Waits for what this process has written for anybody, at most half a second for each newest write. */
  readonly withAllOwnWrites: () => Promise<void>
  /** Waits until the read models hold everything that the log holds at the time of the call. */
  readonly withLog: TE.TaskEither<StoreUnavailable, void>
}

/** For read models that are written in the transaction of each append. */
export const alwaysCaughtUp: CaughtUp = {
  withOwnWrites: () => Promise.resolve(),
  withAllOwnWrites: () => Promise.resolve(),
  withLog: TE.right(undefined),
}
