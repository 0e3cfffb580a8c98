import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../kernel/load.ts'

/** How current the read models are: what lists, look-ups and to-do lists wait for before they are read. */
export interface CaughtUp {
  /** Waits for what this process has written for a merchant: half a second at the most, then goes on without it. */
  readonly withOwnWrites: (merchantId: string) => Promise<void>
  /** Everything that the log holds at the time of the call is in the read models then, whoever wrote it. */
  readonly withLog: TE.TaskEither<StoreUnavailable, void>
}

/** Of read models that are written in the transaction of each append: nothing waits. */
export const alwaysCaughtUp: CaughtUp = {
  withOwnWrites: () => Promise.resolve(),
  withLog: TE.right(undefined),
}
