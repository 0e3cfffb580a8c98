import type { Environment } from '@quittance/domain'
import { PAYOUTS_AT_ONCE } from '@quittance/ledger'
import type { Found, IntentRow, Scope } from '@quittance/projections'
import type { Services } from '../../services/services.ts'
import type { IsFrozen } from './frozen.ts'
import { dueBy, type Outgoing } from './outgoing.ts'

/** Enough to fill a few transactions, with those between them that cannot go now. */
const mostOfEach = 10 * PAYOUTS_AT_ONCE

/**
 * The waiting intents of an environment, one of each merchant in turn: each merchant's longest waiting first, and first the
 * merchant that was served longest ago. A merchant with many waiting intents does not delay the others. Answers no more
 * than `mostOfEach` of a merchant, and none that is frozen.
 */
export async function* inTurn(
  { services, ingested, turns }: Pick<Outgoing, 'services' | 'ingested' | 'turns'>,
  environment: Environment,
  isFrozen: IsFrozen,
): AsyncGenerator<Found<IntentRow>, undefined> {
  const waiting = await merchantsWaiting({ services, ingested, turns }, environment)
  const first = waiting.toSorted((one, other) => turns.lastTurnOf(one) - turns.lastTurnOf(other))
  let queues = first.map((merchantId) => waitingOf(services, { merchantId, environment }, isFrozen))
  while (queues.length > 0) {
    const left: typeof queues = []
    for (const queue of queues) {
      const next = await queue.next()
      if (next.done === true) continue
      yield next.value
      left.push(queue)
    }
    queues = left
  }
}

/** The merchants whose intents wait. */
export const merchantsWaiting = async (
  { services, ingested, turns }: Pick<Outgoing, 'services' | 'ingested' | 'turns'>,
  environment: Environment,
): Promise<ReadonlyArray<string>> => {
  const { intents } = services.readModels
  const until = dueBy({ services, ingested }, environment)
  const asOf = `${ingested.sequence} ${await intents.countDue(environment, 0, until)}`
  return turns.waiting(asOf, () => intents.ownersDue(environment, 0, until))
}

/** A merchant's waiting intents that are not frozen, the longest waiting first, as many as one step handles. */
export async function* waitingOf(
  { readModels }: Pick<Services, 'readModels'>,
  scope: Scope,
  isFrozen: IsFrozen,
): AsyncGenerator<Found<IntentRow>, undefined> {
  let read = 0
  for await (const intent of readModels.intents.ofStatus(scope, 'waiting')) {
    if (isFrozen(intent)) continue
    if (++read > mostOfEach) return
    yield intent
  }
}
