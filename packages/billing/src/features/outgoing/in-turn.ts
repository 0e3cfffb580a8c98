import type { Environment } from '@quittance/domain'
import { PAYOUTS_AT_ONCE } from '@quittance/ledger'
import type { Found, IntentRow } from '@quittance/projections'
import { dueBy, type Outgoing } from './outgoing.ts'

/** As many as fill a few transactions, and those that cannot go now between them. */
const mostOfEach = 10 * PAYOUTS_AT_ONCE

/**
 * The waiting intents of an environment, one of each merchant after the other: the longest waiting of each, and first of who
 * was served longest ago. However many one merchant has waiting, the next one's first is not behind them. No more than
 * `mostOfEach` of a merchant are read.
 */
export function* inTurn(
  { services, ingested, turns }: Pick<Outgoing, 'services' | 'ingested' | 'turns'>,
  environment: Environment,
): Generator<Found<IntentRow>, undefined> {
  const { intents } = services.readModels
  const until = dueBy({ services, ingested })
  const asOf = `${ingested.sequence} ${intents.countDue(environment, 0, until)}`
  const waiting = turns.waiting(asOf, () => intents.ownersDue(environment, 0, until))
  const first = waiting.toSorted((one, other) => turns.of(one) - turns.of(other))
  let queues = first.map((merchantId) => someOf(intents.ofStatus({ merchantId, environment }, 'waiting')))
  while (queues.length > 0) {
    const left: typeof queues = []
    for (const queue of queues) {
      const next = queue.next()
      if (next.done === true) continue
      yield next.value
      left.push(queue)
    }
    queues = left
  }
}

function* someOf(waiting: Iterable<Found<IntentRow>>): Generator<Found<IntentRow>, undefined> {
  let read = 0
  for (const intent of waiting) {
    if (++read > mostOfEach) return
    yield intent
  }
}
