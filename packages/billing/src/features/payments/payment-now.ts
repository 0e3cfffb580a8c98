import { Payment, PaymentId, type PaymentState } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Executed, fold } from '../../kernel/execute.ts'
import { isIn, type StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import type { PaymentNotFound } from './payments.ts'

/** A payment as its stream has it at this moment. */
export type KnownPayment = Executed<PaymentState> & { readonly paymentId: PaymentId }

/** Not found: what does not exist, or belongs to another merchant or environment. */
export const paymentNow =
  ({ store }: Services) =>
  (scope: Scope, id: string): TE.TaskEither<StoreUnavailable | PaymentNotFound, KnownPayment> =>
    pipe(
      store.readStream(`${Payment.category}-${id}`),
      TE.chainEitherKW(({ events }): E.Either<PaymentNotFound, KnownPayment> => {
        const [first] = events
        return first !== undefined && isIn(scope, first.metadata) && PaymentId.is(id)
          ? E.right({ paymentId: id, events, state: fold(Payment, events) })
          : E.left({ _tag: 'PaymentNotFound' })
      }),
    )
