import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type { LedgerSequence } from '../shared/incoming-payment.ts'
import { noMetadata } from '../shared/metadata.ts'
import { type Stroops, stroops } from '../shared/stroops.ts'
import { positiveCount, type UnixMs } from '../shared/units.ts'
import type {
  ClaimPayout,
  CollectFees,
  EndPayoutClaim,
  Observed,
  PayoutBookCommand,
  RunPayoutSchedule,
  SetPayoutSchedule,
} from './commands.ts'
import type { PayoutBookEvent } from './events.ts'
import type { PayoutBookRejection } from './rejections.ts'
import { feesOwed, type PayoutBookState } from './state.ts'

type Decision = E.Either<PayoutBookRejection, ReadonlyArray<PayoutBookEvent>>

/** So many payouts of one asset may be under way at once. */
export const mostPayoutClaims = 50

/** What no payout has claimed yet; below zero where money was claimed that has gone another way since. */
const unclaimedOf = ({ claims }: PayoutBookState, { spendable }: Pick<Observed, 'spendable'>): bigint =>
  claims.reduce((left, { details }) => left - details.amount, BigInt(spendable))

/** What of that is not owed to the operator. */
const freeOf = (state: PayoutBookState, observed: Pick<Observed, 'spendable' | 'bookedFees'>): bigint =>
  unclaimedOf(state, observed) - positive(feesOwed(state, observed.bookedFees ?? 0n))

const positive = (amount: bigint): Stroops => stroops(amount > 0n ? amount : 0n)

const sourceOf = ({ source }: Pick<Observed, 'source'>) => (source === undefined ? {} : { source })

/** After a reset ledgers are numbered anew: a payout of an earlier epoch says nothing of the balance. */
const outdated = (
  { paidThrough, paidInEpoch }: PayoutBookState,
  { observedAt, epoch = 0 }: Pick<Observed, 'observedAt' | 'epoch'>,
): E.Either<PayoutBookRejection, never> | null => {
  const paidIn = paidInEpoch ?? 0
  if (paidThrough === null || epoch > paidIn) return null
  const isOld = epoch < paidIn || observedAt < paidThrough
  return isOld ? E.left({ _tag: 'BalanceOutdated', paidThrough }) : null
}

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

const collect = (command: CollectFees, state: PayoutBookState): Decision => {
  const { payoutId, bookedFees = 0n, minimum, details, at } = command
  if (state.claims.some((each) => each.payoutId === payoutId)) return nothing
  const stale = outdated(state, command)
  if (stale !== null) return stale
  if (state.claims.length >= mostPayoutClaims) return E.left({ _tag: 'TooManyPayouts', most: mostPayoutClaims })
  const [owed, free] = [positive(feesOwed(state, bookedFees)), positive(unclaimedOf(state, command))]
  const amount = owed < free ? owed : free
  if (amount === 0n || amount < minimum) return E.left({ _tag: 'BalanceTooLow', available: amount })
  const paid = { ...details, amount, keep: stroops(0n), purpose: 'platform_fee' as const }
  return E.right([{ type: 'PayoutClaimed', data: { payoutId, details: paid, claimedAt: at, ...sourceOf(command) } }])
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

const endClaim = ({ payoutId, paidIn, epoch = 0 }: EndPayoutClaim, { claims }: PayoutBookState): Decision =>
  claims.some((each) => each.payoutId === payoutId)
    ? E.right([{ type: 'PayoutClaimEnded', data: { payoutId, paidIn, ...paidAfter(paidIn, epoch) } }])
    : nothing

const paidAfter = (paidIn: LedgerSequence | null, epoch: number) =>
  paidIn === null || epoch === 0 ? {} : { epoch: positiveCount(epoch) }

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
      case 'CollectFees':
        return collect(command, state)
      case 'RecoverCollection':
        return state.claims.some(({ payoutId }) => payoutId === command.claim.payoutId)
          ? nothing
          : E.right([{ type: 'PayoutClaimed', data: command.claim }])
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
