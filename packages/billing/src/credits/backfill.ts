import { type Environment, Payment, PaymentId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../decode.ts'
import { type ExecuteFailure, fold } from '../execute.ts'
import type { StoreUnavailable } from '../load.ts'
import type { Services } from '../services.ts'
import { grantCredits } from './grant.ts'

/**
 * Grants what payments have bought that were confirmed before there were credits to grant: walks the log once. Ids
 * derive from the payments, so what was begun is begun again after a crash, and grants nothing twice.
 */
export const backfillCredits =
  (services: Services) =>
  (environment: Environment): TE.TaskEither<ExecuteFailure, void> =>
  async () => {
    const name = `credits ${environment}`
    if (services.backfills.isDone(name)) return E.right(undefined)
    for await (const found of confirmedPayments(services, environment)) {
      if (E.isLeft(found)) return found
      const payment = await services.store.readStream(found.right)()
      if (E.isLeft(payment)) return payment
      const { events } = payment.right
      const paymentId = decodeOrThrow(PaymentId, found.right.slice(Payment.category.length + 1))
      const granted = await grantCredits(services)(paymentId, { state: fold(Payment, events), events })()
      if (E.isLeft(granted)) return granted
    }
    services.backfills.finish(name)
    return E.right(undefined)
  }

/** The streams of an environment's payments that were confirmed, or why the log cannot be read on. */
async function* confirmedPayments(
  { store }: Services,
  environment: Environment,
): AsyncGenerator<E.Either<StoreUnavailable, string>, void> {
  try {
    for await (const { stream, type, metadata } of store.readAll(0n, { streamPrefixes: [`${Payment.category}-`] })) {
      if (type === 'PaymentConfirmed' && metadata.environment === environment) yield E.right(stream)
    }
  } catch (cause) {
    yield E.left({ _tag: 'StoreUnavailable', cause })
  }
}
