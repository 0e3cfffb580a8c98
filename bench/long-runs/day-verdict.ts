import { done } from '@quittance/billing/testing/outcomes'
import {
  type AccountId,
  defaultPolicy,
  hourMs,
  nextStep,
  Subscription,
  type SubscriptionState,
} from '@quittance/domain'
import { walletOf } from '../copied-wallets.ts'
import { subscriptionIdOf } from '../renewal-subscribers.ts'
import { clubOf, dueAtOf, isPoor, numbersOf } from './day-plan.ts'
import type { DayShop } from './day-shop.ts'

const price = 100_000_000n
const firstBalance = 100_000_000_000n
/** A retry comes later than its schedule says by at most this, and is decided once an hour has begun. */
const latenessMs = 1.5 * hourMs
const walletsAtOnce = 10_000

type Row = { readonly type: string; readonly schemaVersion: number; readonly data: string }

const stateOf = (rows: ReadonlyArray<Row>): SubscriptionState => {
  const { initial, evolve } = Subscription.decider
  return rows.reduce((state, { type, schemaVersion, data }) => {
    const event = Subscription.events.decodeEvent({ type, schemaVersion, data: JSON.parse(data) })
    if (event._tag === 'Left') throw new Error(event.left.problem)
    return evolve(state, event.right)
  }, initial)
}

/** How many attempts the rules allow, and demand, some time after the first. */
const attemptsAfter = (ms: number) => {
  const passed = (late: number): number =>
    1 + defaultPolicy.dunningScheduleHours.filter((hours) => hours * hourMs + late <= ms).length
  return { least: passed(latenessMs), most: passed(0) }
}

/** Compares what became of each subscription, by the log and by its wallet, with what the rules say. */
export const judgeDay = async ({ plan, club, reader, network }: DayShop, hoursPassed: number, enrolled: number) => {
  const wrong: Array<string> = []
  const now = network.now()
  const events = reader.prepare(
    'SELECT type, schema_version AS schemaVersion, data FROM events WHERE stream = ? ORDER BY revision',
  )
  const rowsOf = (stream: string): ReadonlyArray<Row> =>
    events.all(stream).map(({ type, schemaVersion, data }) => ({
      type: String(type),
      schemaVersion: Number(schemaVersion),
      data: String(data),
    }))
  const touched = new Set(
    reader
      .prepare(`SELECT DISTINCT stream FROM events WHERE position > ? AND stream GLOB 'subscription-*'`)
      .all(enrolled)
      .map(({ stream }) => String(stream)),
  )
  const judgePoor = (stream: string, rows: ReadonlyArray<Row>, dueAt: number): void => {
    const state = stateOf(rows)
    const failures = rows.filter(({ type }) => type === 'ChargeFailed').length
    const { least, most } = attemptsAfter(now - dueAt)
    const isDunned =
      state.status !== 'absent' &&
      state.collection._tag === 'dunning' &&
      state.collection.overdueAt === null &&
      nextStep(state, now, defaultPolicy)._tag === 'nothing'
    if (!isDunned || failures < least || failures > most || rows.some(({ type }) => type === 'ChargeConfirmed'))
      wrong.push(`${stream} without money: ${rows.map(({ type }) => type).join(', ')}`)
  }
  const balances = new Map<AccountId, bigint>()
  const counts = { 'charged once': 0, 'in dunning': 0 }
  for (let hour = 0; hour < plan.hours; hour += 1) {
    const isPassed = hour < hoursPassed
    for (const number of numbersOf(plan, hour)) {
      const poor = isPoor(plan, number)
      const stream = `${Subscription.category}-${subscriptionIdOf(clubOf(club, hour), number)}`
      balances.set(walletOf(number), poor ? 0n : isPassed ? firstBalance - price : firstBalance)
      if (!isPassed) continue
      const isTouched = touched.delete(stream)
      const rows = rowsOf(stream)
      const charges = rows.filter(({ type }) => type === 'ChargeConfirmed').length
      const failures = rows.filter(({ type }) => type === 'ChargeFailed').length
      if (poor) judgePoor(stream, rows, dueAtOf(club, hour))
      else if (!isTouched || charges !== 1 || failures !== 0)
        wrong.push(`${stream}: ${rows.map(({ type }) => type).join(', ')}`)
      counts[poor ? 'in dunning' : 'charged once'] += 1
    }
  }
  // What is left was not due.
  wrong.push(...[...touched].map((stream) => `${stream} was not due`))
  const expected = [...balances]
  for (let from = 0; from < expected.length; from += walletsAtOnce) {
    const some = expected.slice(from, from + walletsAtOnce)
    const holdings = some.map(([account]) => ({ account, assetId: club.assetId }))
    for (const [index, { held }] of (await done(network.network.gateway.balances(holdings))).entries())
      if (held !== some[index]?.[1]) wrong.push(`${some[index]?.[0]} has ${held} stroops left`)
  }
  const [shop] = await done(network.network.gateway.balances([{ account: club.payee, assetId: club.assetId }]))
  if (shop?.held !== price * BigInt(counts['charged once'])) wrong.push(`the shop has ${shop?.held} stroops`)
  return { counts, wallets: balances.size, wrong }
}
