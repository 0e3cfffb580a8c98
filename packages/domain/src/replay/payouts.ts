import type { Payout } from '../payout/index.ts'
import type { PayoutBook, PayoutClaim } from '../payout-book/index.ts'
import type { PayoutDestination } from '../payout-destination/index.ts'
import { maximumStroops, stroops } from '../shared/stroops.ts'
import type { Behind } from './behind.ts'
import { anyAsset, anyLedger, anyPayout, least, most } from './fillers.ts'

export const behindPayout: Behind<typeof Payout> = (_, { type, data }) => {
  switch (type) {
    case 'PayoutRequested':
      return [{ type: 'RequestPayout', ...data }]
    case 'PayoutCanceled':
      return [{ type: 'CancelPayout', at: data.canceledAt }]
    case 'PayoutSucceeded':
      return [{ type: 'SettlePayout', ...data }]
    case 'PayoutFailed': {
      const { failedAt, ...failure } = data
      return [{ type: 'FailPayout', ...failure, at: failedAt }]
    }
  }
}

export const behindPayoutDestination: Behind<typeof PayoutDestination> = (_, { type, data }) => {
  switch (type) {
    case 'PayoutDestinationRegistered':
      return [{ type: 'RegisterPayoutDestination', ...data }]
    case 'PayoutDestinationProven':
      return [{ type: 'ProvePayoutDestination', at: data.provenAt }]
    case 'PayoutDestinationRemoved':
      return [{ type: 'RemovePayoutDestination', at: data.removedAt }]
  }
}

type Explain = Behind<typeof PayoutBook>

export const behindPayoutBook: Explain = (state, { type, data }) => {
  switch (type) {
    case 'PayoutClaimed':
      return claiming(state, data)
    case 'PayoutClaimEnded':
      return [{ type: 'EndPayoutClaim', ...data }]
    case 'PayoutScheduleSet':
      return [{ type: 'SetPayoutSchedule', schedule: data.schedule, at: data.setAt }]
    case 'PayoutScheduleRemoved':
      return [{ type: 'RemovePayoutSchedule', at: data.removedAt }]
    case 'PayoutSkipped': {
      const due = { type: 'RunPayoutSchedule' as const, payoutId: anyPayout, dueAt: data.dueAt, assetId: anyAsset }
      return [
        { ...due, target: null, ...observed(state), spendable: least },
        { ...due, target: null, ...observed(state), spendable: most },
      ]
    }
  }
}

/** As the ledger was seen, which no event repeats, it was new enough. */
const observed = ({ paidThrough, paidInEpoch }: Parameters<Explain>[0]) => ({
  observedAt: paidThrough ?? anyLedger,
  ...(paidInEpoch === undefined ? {} : { epoch: paidInEpoch }),
})

const claiming = (state: Parameters<Explain>[0], claim: PayoutClaim): ReturnType<Explain> => {
  const { payoutId, details, claimedAt, source } = claim
  if (details.purpose === 'platform_fee') return [{ type: 'RecoverCollection', claim }]
  const claimed = state.claims.reduce((sum, each) => sum + each.details.amount, 0n)
  const spendable = claimed + details.amount + details.keep
  if (spendable > maximumStroops) return []
  const seen = { ...observed(state), spendable: stroops(spendable), ...(source === undefined ? {} : { source }) }
  const { assetId, target, metadata, amount, dueAt } = details
  return dueAt === undefined
    ? [{ type: 'ClaimPayout', payoutId, amount, details: { assetId, target, metadata }, at: claimedAt, ...seen }]
    : [{ type: 'RunPayoutSchedule', payoutId, dueAt, assetId, target, ...seen }]
}
