import * as E from 'fp-ts/lib/Either.js'
import type { CheckoutEvent } from './events.ts'
import type { CheckoutRejection } from './rejections.ts'
import type { CheckoutRecord, Open } from './state.ts'

export type Decision = E.Either<CheckoutRejection, ReadonlyArray<CheckoutEvent>>

export const reject = (rejection: CheckoutRejection): Decision => E.left(rejection)

/** Why a session that is no longer open refuses what only an open one takes. */
export const notOpen = (state: Exclude<CheckoutRecord, Open>): Decision => {
  switch (state.status) {
    case 'settled':
      return reject({ _tag: 'CompletionUnderWay', paymentId: state.settlement.paymentId })
    case 'enrolled':
      return reject({ _tag: 'CompletionUnderWay', paymentId: null })
    case 'completed':
      return reject({ _tag: 'CheckoutIsCompleted', paymentId: state.settlement?.paymentId ?? null })
    case 'expired':
      return reject({ _tag: 'CheckoutIsExpired', endedAt: state.endedAt })
    case 'failed':
      return reject({ _tag: 'CheckoutIsFailed', reason: state.reason })
  }
}
