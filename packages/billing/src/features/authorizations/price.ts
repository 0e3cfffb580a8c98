import { Stroops as Amount, type NewQuote, type Stroops } from '@quittance/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Services } from '../../services/services.ts'
import { capOf } from '../mandates/numbers.ts'
import { type PriceFailure, priceAt } from '../subscriptions/price.ts'
import type { Asked } from './asked.ts'

/** What a period costs now, and the most that may be collected for one by what is asked for. */
export type AskedPrice = { readonly quote: NewQuote; readonly cap: Stroops }

/** A new mandate has its cap from the price as it is quoted now; a further approval leaves it as it is. */
export const askedPrice =
  (services: Services) =>
  ({ scope, state, kind, terms }: Asked): TE.TaskEither<PriceFailure, AskedPrice> =>
    pipe(
      priceAt(services)(scope, terms.price, state.details, services.clock.now()),
      TE.chainW((quote) => {
        const cap = kind === 'mandate' ? capOf(quote.amount, quote.pegged) : state.authorization.mandate.cap
        return Amount.is(cap) ? TE.right({ quote, cap }) : TE.left({ _tag: 'AmountTooLarge' as const })
      }),
    )
