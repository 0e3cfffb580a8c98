import { payments as paymentModel, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { orNotFound, retrieve, type StoreUnavailable } from '../load.ts'
import type { PaymentNotFound } from '../payments/payments.ts'
import type { Services } from '../services.ts'

export type RefundFailure =
  | StoreUnavailable
  | PaymentNotFound
  | { readonly _tag: 'PaymentNotConfirmed'; readonly status: 'pending' | 'failed' }
  /** This version gives nothing back. */
  | { readonly _tag: 'RefundsNotAvailable' }

/** Gives a payment back; every payment is refused, each by the reason that is its own. */
export const requestRefund =
  ({ store }: Services) =>
  (scope: Scope, paymentId: string): TE.TaskEither<RefundFailure, never> =>
    pipe(
      retrieve(store)(paymentModel, paymentId, scope),
      TE.chainEitherKW(orNotFound<PaymentNotFound>({ _tag: 'PaymentNotFound' })),
      TE.chainEitherKW(({ row: { status } }) =>
        E.left<RefundFailure>(
          status === 'confirmed' ? { _tag: 'RefundsNotAvailable' } : { _tag: 'PaymentNotConfirmed', status },
        ),
      ),
    )
