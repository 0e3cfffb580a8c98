import type { Environment, LogAcceptance } from '@quittance/domain'
import { PAYOUT_LIFETIME_MS } from '@quittance/ledger'
import type { Found, IntentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type Frozen, frozenNow, type IsFrozen } from '../features/outgoing/frozen.ts'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { screenWaiting } from '../features/outgoing/screened.ts'
import { giveUp, type Spent, stillWaiting } from '../features/outgoing/waiting.ts'
import { lookAgain } from '../features/outgoing/weightless.ts'
import { coveredPayouts, longestPayoutWaitMs } from '../features/payouts/covered.ts'
import { waitingPayouts } from '../features/payouts/waiting-payouts.ts'
import { longestRefundWaitMs, shortRefunds } from '../features/refunds/covered.ts'
import { everyInTurn, someInTurn } from '../kernel/checks-in-turn.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Item } from '../stores/setbacks/setbacks.ts'
import { type Share, sendRotations, sendWaiting } from './send-waiting.ts'

/**
 * Puts an environment's waiting intents into transactions and sends these: one at a time for each free sequence source,
 * each merchant in turn. Refunds that would take what belongs to others wait. Refunds and returns go before payouts.
 * Payouts that had to wait go before them the next time, on half of the channels, so that a flood of returns delays
 * nobody's payouts for ever. Gives up intents that failed too often or are too late. What is frozen waits, and so does what a
 * screening holds.
 */
export const dispatch = async (
  outgoing: Outgoing,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const awaited = await mayBeUnderWay(outgoing)
  if (E.isLeft(awaited)) return awaited
  if (awaited.right) return E.right(undefined)
  const looked = await lookAgain(outgoing, environment)
  if (E.isLeft(looked)) return looked
  const rotated = await sendRotations(outgoing, environment)
  if (E.isLeft(rotated)) return rotated
  const spent: Array<Spent> = []
  const { services, turns } = outgoing
  const frozen = await frozenNow(services)
  if (E.isLeft(frozen)) return frozen
  const { waitsSince } = frozen.right
  const all = await waitingPayouts(services, turns, environment)
  const screened = await screenWaiting(outgoing, environment, frozen.right.isFrozen, all)
  if (E.isLeft(screened)) return screened
  spent.push(...screened.right.refused)
  const isFrozen: IsFrozen = (intent) => frozen.right.isFrozen(intent) || screened.right.isHeld(intent)
  const short = await shortRefunds(outgoing, environment, isFrozen)
  for (const { intent, isObserved, since } of short)
    if (isObserved && hasWaited(outgoing, waitsSince(intent, since), longestRefundWaitMs))
      spent.push({ intent, reason: 'insufficient_funds' })
  const shortIds = new Set(short.map(({ intent }) => intent.id))
  const others = seen(othersOf(stillWaiting(outgoing, environment, spent, isFrozen), shortIds))
  const payouts = all.filter((each) => !isFrozen(each))
  const steps = [
    () => sendWaiting(outgoing, environment, others.intents, 'all'),
    () =>
      sendPayouts(outgoing, environment, { payouts, waitsSince, spent, share: turns.payoutsFirst() ? 'half' : 'all' }),
  ]
  for (const step of turns.payoutsFirst() ? steps.toReversed() : steps) {
    const sent = await step()
    if (E.isLeft(sent)) return sent
  }
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const isWaiting = async ({ id }: Item) => (await services.readModels.intents.withId(id))?.row.status === 'waiting'
  turns.sent({
    payouts: !(await everyInTurn(payouts, isWaiting)),
    others: !(await everyInTurn(others.met, isWaiting)),
    payoutsWait: await someInTurn(payouts, isWaiting),
  })
  return giveUp(outgoing, environment, spent)
}

/**
 * Whether a transaction that the log has lost may still enter a ledger. None is valid for longer than this after it was
 * signed: before a person accepted a log that went back, or before this process started on a copy that was put back whole,
 * marks included, which nothing shows until the transaction is on the ledger.
 */
const mayBeUnderWay = async ({
  services,
  network,
  ingested,
  firstSeen,
}: Pick<Outgoing, 'services' | 'network' | 'ingested' | 'firstSeen'>): Promise<E.Either<ProcessFailure, boolean>> =>
  E.map((acceptances: ReadonlyArray<LogAcceptance>) => {
    const started = network.isInBackups ? [] : [firstSeen.closedAt]
    const last = Math.max(...acceptances.slice(-1).map(({ acceptedAt }) => acceptedAt), ...started)
    return ingested.closedAt <= last + PAYOUT_LIFETIME_MS
  })(await services.logStanding.acceptances())

/** Rotations go first, and payouts are judged apart: refunds and returns go before them, in every other turn half the way. */
async function* othersOf(
  waiting: AsyncIterable<Found<IntentRow>>,
  short: ReadonlySet<string>,
): AsyncGenerator<Found<IntentRow>, undefined> {
  for await (const intent of waiting) {
    const { class: of } = intent.row.details
    if (of !== 'payout' && of !== 'rotation' && !short.has(intent.id)) yield intent
  }
}

const hasWaited = ({ ingested }: Outgoing, since: number, longestMs: number): boolean =>
  since + longestMs <= ingested.closedAt

/** Intents that are read lazily, and those that were. */
const seen = (waiting: AsyncIterable<Found<IntentRow>>) => {
  const met: Array<Found<IntentRow>> = []
  const read = async function* (): AsyncGenerator<Found<IntentRow>, undefined> {
    for await (const intent of waiting) {
      met.push(intent)
      yield intent
    }
  }
  return { intents: read(), met }
}

type PayoutsToSend = Pick<Frozen, 'waitsSince'> & {
  readonly payouts: ReadonlyArray<Found<IntentRow>>
  readonly spent: Array<Spent>
  readonly share: Share
}

/** Sends the payouts that the balance covers. Gives up those that have waited too long for their money. */
const sendPayouts = async (
  outgoing: Outgoing,
  environment: Environment,
  { payouts, waitsSince, spent, share }: PayoutsToSend,
): Promise<E.Either<ProcessFailure, void>> => {
  if (payouts.length === 0) return E.right(undefined)
  const coverage = await coveredPayouts(outgoing.services, environment, payouts)
  if (E.isLeft(coverage)) return coverage
  const { covered, short } = coverage.right
  for (const intent of short)
    if (hasWaited(outgoing, waitsSince(intent, intent.row.createdAt), longestPayoutWaitMs))
      spent.push({ intent, reason: 'insufficient_funds' })
  return sendWaiting(outgoing, environment, covered.values(), share)
}
