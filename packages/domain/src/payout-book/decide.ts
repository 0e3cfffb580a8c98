import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import { noMetadata } from '../shared/metadata.ts'
import { type Stroops, stroops } from '../shared/stroops.ts'
import type { UnixMs } from '../shared/units.ts'
import type {
  ClaimPayout,
  EndPayoutClaim,
  Observed,
  PayoutBookCommand,
  RunPayoutSchedule,
  SetPayoutSchedule,
} from './commands.ts'
import type { PayoutBookEvent } from './events.ts'
import type { PayoutBookRejection } from './rejections.ts'
import type { PayoutBookState } from './state.ts'

type Decision = E.Either<PayoutBookRejection, ReadonlyArray<PayoutBookEvent>>

/** So many payouts of one asset may be under way at once. */
export const mostPayoutClaims = 50

/** What no payout has claimed yet; below zero where money was claimed that has gone another way since. */
const freeOf = ({ claims }: PayoutBookState, { spendable }: Pick<Observed, 'spendable'>): bigint =>
  claims.reduce((left, { details }) => left - details.amount, BigInt(spendable))

const positive = (amount: bigint): Stroops => stroops(amount > 0n ? amount : 0n)

const sourceOf = ({ source }: Pick<Observed, 'source'>) => (source === undefined ? {} : { source })

const outdated = (
  { paidThrough }: PayoutBookState,
  { observedAt }: Pick<Observed, 'observedAt'>,
): E.Either<PayoutBookRejection, never> | null =>
  paidThrough !== null && observedAt < paidThrough ? E.left({ _tag: 'BalanceOutdated', paidThrough }) : null

const claim = (command: ClaimPayout, state: PayoutBookState): Decision => {
  const { payoutId, details, at } = command
  if (state.claims.some((each) => each.payoutId === payoutId)) return nothing
  const stale = outdated(state, command)
  if (stale !== null) return stale
  if (state.claims.length >= mostPayoutClaims) return E.left({ _tag: 'TooManyPayouts', most: mostPayoutClaims })
  const available = positive(freeOf(state, command))
  const amount = command.amount === 'all' ? available : command.amount
  if (amount === 0n || amount > available) return E.left({ _tag: 'BalanceTooLow', available })
  const claimed = { payoutId, details: { ...details, amount, keep: stroops(0n) }, claimedAt: at, ...sourceOf(command) }
  return E.right([{ type: 'PayoutClaimed', data: claimed }])
}

/** Of several moments that have passed, the newest alone: what had piled up by then goes at once. */
const run = (command: RunPayoutSchedule, state: PayoutBookState): Decision => {
  const { payoutId, dueAt, assetId, target } = command
  const { schedule } = state
  if (schedule === null || dueAt <= state.ranThrough) return nothing
  const stale = outdated(state, command)
  if (stale !== null) return stale
  const { interval, reserve } = schedule
  const least = interval.type === 'threshold' ? interval.threshold : 1n
  const free = freeOf(state, command) - reserve
  if (free < least || free < 1n || state.claims.length >= mostPayoutClaims)
    return interval.type === 'threshold' ? nothing : skip(dueAt, 'nothing_available')
  if (target === null) return skip(dueAt, 'destination_unusable')
  const details = { assetId, amount: stroops(free), target, keep: reserve, metadata: noMetadata, dueAt }
  return E.right([{ type: 'PayoutClaimed', data: { payoutId, details, claimedAt: dueAt, ...sourceOf(command) } }])
}

const skip = (dueAt: UnixMs, reason: 'nothing_available' | 'destination_unusable'): Decision =>
  E.right([{ type: 'PayoutSkipped', data: { dueAt, reason } }])

const endClaim = ({ payoutId, paidIn }: EndPayoutClaim, { claims }: PayoutBookState): Decision =>
  claims.some((each) => each.payoutId === payoutId)
    ? E.right([{ type: 'PayoutClaimEnded', data: { payoutId, paidIn } }])
    : nothing

const setSchedule = ({ schedule, at }: SetPayoutSchedule, state: PayoutBookState): Decision =>
  isSame(state.schedule, schedule) ? nothing : E.right([{ type: 'PayoutScheduleSet', data: { schedule, setAt: at } }])

export const decide =
  (command: PayoutBookCommand) =>
  (state: PayoutBookState): Decision => {
    switch (command.type) {
      case 'ClaimPayout':
        return claim(command, state)
      case 'RunPayoutSchedule':
        return run(command, state)
      case 'EndPayoutClaim':
        return endClaim(command, state)
      case 'SetPayoutSchedule':
        return setSchedule(command, state)
      case 'RemovePayoutSchedule':
        return state.schedule === null
          ? nothing
          : E.right([{ type: 'PayoutScheduleRemoved', data: { removedAt: command.at } }])
    }
  }
