import { type Environment, Payment, PaymentId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type ExecuteFailure, fold } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { Item } from '../../stores/setbacks/setbacks.ts'
import { grantCredits } from './grant.ts'

/**
 * Grants what payments have bought that were confirmed before there were credits to grant: walks the log once. Ids
 * derive from the payments, so what was begun is begun again after a crash, and grants nothing twice.
 */
export const backfillCredits = async (
  services: Services,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const name = `credits ${environment}`
  const isWalked = services.backfills.isDone(name)
  const confirmed = isWalked ? E.right([]) : await confirmedPayments(services, environment)
  if (E.isLeft(confirmed)) return confirmed
  const granted = await eachIsolated(services, environment, {
    loop: 'backfill',
    items: confirmed.right,
    again: (setback) => setback,
    work: ({ id }) => grant(services, id),
  })
  // What was set back is kept as such, and does not need the walk any more.
  if (E.isRight(granted) && !isWalked) services.backfills.finish(name)
  return granted
}

const grant = async (services: Services, id: string): Promise<E.Either<ExecuteFailure, unknown>> => {
  const payment = await services.store.readStream(`${Payment.category}-${id}`)()
  if (E.isLeft(payment)) return payment
  const { events } = payment.right
  return grantCredits(services, decodeOrThrow(PaymentId, id), { state: fold(Payment, events), events })
}

/** An environment's payments that were confirmed, or why the log cannot be read. */
const confirmedPayments = async (
  { store }: Services,
  environment: Environment,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<Item>>> => {
  const found: Array<Item> = []
  try {
    for await (const { stream, type, metadata } of store.readAll(0n, { streamPrefixes: [`${Payment.category}-`] })) {
      if (type !== 'PaymentConfirmed' || metadata.environment !== environment) continue
      found.push({ merchantId: metadata.merchantId, environment, id: stream.slice(Payment.category.length + 1) })
    }
    return E.right(found)
  } catch (cause) {
    return E.left({ _tag: 'StoreUnavailable', cause })
  }
}
