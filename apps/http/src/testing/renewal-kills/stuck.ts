import { join } from 'node:path'
import { defaultPolicy, nextStep, Subscription, type SubscriptionState, unixMs } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import type { Stage } from '../kills/stage.ts'

/** All subscriptions, folded from the log. */
const statesIn = (dataDir: string): ReadonlyMap<string, SubscriptionState> => {
  const { initial, evolve } = Subscription.decider
  const states = new Map<string, SubscriptionState>()
  const database = openDatabase(join(dataDir, 'quittance.db'), { durability: 'full', readOnly: true })
  const rows = database.prepare(
    'SELECT stream, type, schema_version, data FROM events WHERE stream GLOB ? ORDER BY position',
  )
  for (const { stream, type, schema_version, data } of rows.iterate(`${Subscription.category}-*`)) {
    const encoded = { type: String(type), schemaVersion: Number(schema_version), data: JSON.parse(String(data)) }
    const event = Subscription.events.decodeEvent(encoded)
    if (E.isLeft(event)) throw new Error(`${stream}: ${event.left.problem}`)
    states.set(String(stream), evolve(states.get(String(stream)) ?? initial, event.right))
  }
  database.close()
  return states
}

/** Subscriptions with overdue work or an open attempt at the end of a run. */
export const stuckIn = ({ dataDir, network }: Stage): ReadonlyArray<string> => {
  const now = unixMs(network.sandbox.read.range().latest.closeTime * 1_000)
  return [...statesIn(dataDir)].flatMap(([stream, state]) => {
    const step = nextStep(state, now, defaultPolicy)
    const isOpen = state.status !== 'absent' && state.attempts.some(({ status }) => status === 'under_way')
    return step._tag === 'nothing' && !isOpen
      ? []
      : [`${stream}: ${step._tag}${isOpen ? ', an attempt is under way' : ''}`]
  })
}
