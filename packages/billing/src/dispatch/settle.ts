import { type Environment, secondMs, TransactionHash } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { dueBy, type Outgoing, type OutgoingServices } from '../features/outgoing/outgoing.ts'
import { channelAccounts, makeOwnKeys } from '../features/outgoing/signing-accounts.ts'
import { whileWaiting } from '../features/outgoing/waiting.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import { isUpToDate } from '../services/is-up-to-date.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Services } from '../services/services.ts'
import { advance } from './advance.ts'
import { whileAttached } from './close-out.ts'
import { dispatch } from './dispatch.ts'
import { whileAnyWaits } from './payers.ts'
import { reportEnds } from './report.ts'

/**
 * Moves an environment's outgoing money: advances open transactions after a new ledger (`isNewLedger`), sends waiting
 * intents, and reports ended ones to their owners.
 */
export const settle = async (
  outgoing: Outgoing,
  environment: Environment,
  isNewLedger: boolean,
): Promise<E.Either<ProcessFailure, void>> => {
  const { services, network, ingested } = outgoing
  await makeOwnKeys(services, network, environment)
  if (isNewLedger) {
    const advanced = await advanceAll(outgoing, environment)
    if (E.isLeft(advanced)) return advanced
  }
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const dispatched = await dispatch(outgoing, environment)
  if (E.isLeft(dispatched)) return dispatched
  const tidied = await endIdleSetbacks(services, environment)
  if (E.isLeft(tidied)) return tidied
  return reportEnds({ services, ingested }, environment)
}

/** Ends the setbacks of intents that no longer wait, such as canceled ones. */
const endIdleSetbacks = async (
  services: OutgoingServices,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const nothing = { items: [], work: async () => E.right(undefined) }
  const ways = [
    { loop: 'dispatch', again: whileAnyWaits(services) },
    { loop: 'attach', again: whileWaiting(services) },
    { loop: 'payout_funds', again: whileWaiting(services) },
    { loop: 'close_out', again: whileAttached(services) },
  ] as const
  for (const way of ways) {
    const ended = await eachIsolated(services, environment, { ...nothing, ...way })
    if (E.isLeft(ended)) return ended
  }
  return E.right(undefined)
}

const advanceAll = async (outgoing: Outgoing, environment: Environment): Promise<E.Either<ProcessFailure, void>> => {
  const { services } = outgoing
  const channels = await channelAccounts(services, environment)
  const { ledgerTransactions } = services.readModels
  return eachIsolated(services, environment, {
    loop: 'advance',
    items: ledgerTransactions.due(environment, dueBy(outgoing, environment)),
    again: ({ id }) => ledgerTransactions.withId(id),
    // A parked share may hold its outcome.
    isInTurn: async (found) =>
      (await isUpToDate(services)(found)) && (await isUpToDate(services)({ ...found, merchantId: found.id })),
    work: ({ id, merchantId }) =>
      advance(outgoing, channels, { merchantId, environment, hash: decodeOrThrow(TransactionHash, id) }),
  })
}

/** The moments (Unix milliseconds) when outgoing money can move further. */
export const settlementDues = async (
  { readModels }: Pick<Services, 'readModels'>,
  environment: Environment,
  after: number,
): Promise<ReadonlyArray<number>> => {
  const ends = (await Array.fromAsync(readModels.ledgerTransactions.due(environment, Number.MAX_SAFE_INTEGER))).map(
    ({ row }) => row.maxTime + secondMs,
  )
  const waiting = await readModels.intents.nextDue(environment, after)
  return [...ends.filter((end) => end > after), ...(waiting === null ? [] : [waiting])]
}
