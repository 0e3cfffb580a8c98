import { type Environment, Payment, PaymentId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { Item } from '../../stores/setbacks/setbacks.ts'
import { grantCredits } from './grant.ts'
import type { CreditsServices } from './services.ts'

/**
 * Grants what payments have bought that were confirmed before credits existed, by reading the log once. Ids derive from the
 * payments, so a repetition after a crash grants nothing twice.
 */
export const backfillCredits = async (
  services: CreditsServices,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const name = `credits ${environment}`
  const isRead = await services.backfills.isDone(name)
  const confirmed = isRead ? E.right([]) : await confirmedPayments(services, environment)
  if (E.isLeft(confirmed)) return confirmed
  const granted = await eachIsolated(services, environment, {
    loop: 'backfill',
    items: confirmed.right,
    again: async (setback) => setback,
    work: ({ id }) => grant(services, id),
  })
  // The setbacks keep what has failed, so the log need not be read again.
  if (E.isRight(granted) && !isRead) await services.backfills.finish(name)
  return granted
}

const grant = async (
  services: Pick<Services, 'store' | 'readModels'>,
  id: string,
): Promise<E.Either<ExecuteFailure, void>> => {
  const payment = await stateOf(services.store)(Payment, id)
  return E.isLeft(payment) ? payment : grantCredits(services, decodeOrThrow(PaymentId, id), payment.right)
}

const confirmedPayments = async (
  { store }: Pick<Services, 'store'>,
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
