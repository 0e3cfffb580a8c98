import { join } from 'node:path'
import { defaultPolicy, nextStep, Subscription, type SubscriptionState, unixMs } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import type { Stage } from '../kills/stage.ts'

/** An event of a subscription as a log holds it; `data` is JSON. */
type Row = {
  readonly stream: string
  readonly type: string
  readonly schemaVersion: number
  readonly data: string
}

const rowsIn = (dataDir: string): ReadonlyArray<Row> => {
  const database = openDatabase(join(dataDir, 'quittance.db'), { durability: 'full', readOnly: true })
  const rows = database
    .prepare('SELECT stream, type, schema_version, data FROM events WHERE stream GLOB ? ORDER BY position')
    .all(`${Subscription.category}-*`)
  database.close()
  return rows.map(({ stream, type, schema_version, data }) => ({
    stream: String(stream),
    type: String(type),
    schemaVersion: Number(schema_version),
    data: String(data),
  }))
}

/** All subscriptions, folded from their events. */
const statesOf = (rows: ReadonlyArray<Row>): ReadonlyMap<string, SubscriptionState> => {
  const { initial, evolve } = Subscription.decider
  const states = new Map<string, SubscriptionState>()
  for (const { stream, type, schemaVersion, data } of rows) {
    const event = Subscription.events.decodeEvent({ type, schemaVersion, data: JSON.parse(data) })
    if (E.isLeft(event)) throw new Error(`${stream}: ${event.left.problem}`)
    states.set(stream, evolve(states.get(stream) ?? initial, event.right))
  }
  return states
}

/** Subscriptions with overdue work or an open attempt at the end of a run. */
export const stuckIn = ({ dataDir, network }: Stage): ReadonlyArray<string> => stuckAmong(rowsIn(dataDir), network)

/** The same, by the events of all subscriptions, in order. */
export const stuckAmong = (rows: ReadonlyArray<Row>, { sandbox }: Pick<Stage['network'], 'sandbox'>) => {
  const now = unixMs(sandbox.read.range().latest.closeTime * 1_000)
  return [...statesOf(rows)].flatMap(([stream, state]) => {
    const step = nextStep(state, now, defaultPolicy)
    const isOpen = state.status !== 'absent' && state.attempts.some(({ status }) => status === 'under_way')
    return step._tag === 'nothing' && !isOpen
      ? []
      : [`${stream}: ${step._tag}${isOpen ? ', an attempt is under way' : ''}`]
  })
}
