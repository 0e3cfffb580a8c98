import { type Environment, LedgerTransaction, type LedgerTransactionState } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { type Anchor, anchorOf } from './anchor.ts'
import { anchorsOf, type RecordedAnchor } from './recorded.ts'

/** The checkpoints of the log that stand on ledgers. */
export interface Anchors {
  /** At most `limit` anchors of an environment, the newest first. */
  readonly list: (environment: Environment, limit: number) => TE.TaskEither<StoreUnavailable, ReadonlyArray<Anchor>>
}

export const anchors = (services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>): Anchors => ({
  list: (environment, limit) => async () => {
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const found: Array<Anchor> = []
    for await (const { intent } of anchorsOf(services.readModels, environment)) {
      if (found.length >= limit) break
      const carrier = await carrierOf(services, intent.row)
      if (E.isLeft(carrier)) return carrier
      found.push(anchorOf(environment, intent.row, carrier.right))
    }
    return E.right(found)
  },
})

const carrierOf = async (
  { store }: Pick<Services, 'store'>,
  { attachedTo }: RecordedAnchor['intent']['row'],
): Promise<E.Either<StoreUnavailable, LedgerTransactionState>> => {
  if (attachedTo === null) return E.right({ status: 'absent' })
  return E.map(({ state }: { readonly state: LedgerTransactionState }) => state)(
    await stateOf(store)(LedgerTransaction, attachedTo),
  )
}
