import { type BooksOf, type PaymentState, type Units, type UnixMs, units } from '@quittance/domain'
import { products as productModel, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Executed } from '../../kernel/execute.ts'
import { retrieveLater, type StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

/** The credits, in units, that a payment grants at its confirmation; `since` is a position of the log before that. */
export type Bought = {
  readonly scope: Scope
  readonly of: BooksOf
  readonly granted: Units
  readonly confirmedAt: UnixMs
  readonly since: bigint
}

/** What a payment grants; null where it grants nothing: not confirmed, a guest's, or of a product without credits. */
export const boughtBy =
  ({ store }: Services) =>
  ({ state, events: [first] }: Executed<PaymentState>): TE.TaskEither<StoreUnavailable, Bought | null> => {
    if (first === undefined || state.status !== 'confirmed') return TE.right(null)
    const { customerId, productId } = state.details
    if (customerId === null || productId === null) return TE.right(null)
    const { metadata: scope, position: since } = first
    return pipe(
      retrieveLater(store)(productModel, productId, scope),
      TE.map((product): Bought | null => {
        if (O.isNone(product)) throw new Error(`a payment is for ${productId}, which does not exist`)
        const { totalCredits, unitsPerCredit } = product.value.row.details
        const granted = units(BigInt(totalCredits) * BigInt(unitsPerCredit))
        const of = { customerId, productId }
        return granted === 0n ? null : { scope, of, granted, confirmedAt: state.confirmation.confirmedAt, since }
      }),
    )
  }
