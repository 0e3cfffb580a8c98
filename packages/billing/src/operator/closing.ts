import { AssetId, asText, closingOf, dayMs, Merchant, stroops, type Text, type UnixMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { payoutSchedules, type ScheduleFailure } from '../features/payouts/schedules.ts'
import { destinationOf } from '../features/payouts/target.ts'
import type { MerchantNotFound } from '../features/settlement-account/change-assets.ts'
import { cancelAllForClosing } from '../features/subscriptions/cancel-for-closing.ts'
import { deploymentTime } from '../kernel/clock.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { derivedCommandId } from '../kernel/derive.ts'
import type { CommandContext } from '../kernel/execute.ts'
import { stateOf } from '../kernel/load.ts'
import type { Services } from '../services/services.ts'

/** `destination`: where the balance is paid to in the end, in the context's environment; by its id or its address. */
export type CloseRequest = {
  readonly destination: string
  readonly refundDays: number
  readonly by: Text
  readonly reason: Text
}

/** `canceled`: how many subscriptions end at their period's end because of this call. */
export type ClosingBegun = {
  readonly refundsUntil: UnixMs
  readonly isNew: boolean
  readonly canceled: number
  readonly assets: ReadonlyArray<string>
}

export type CloseFailure = ScheduleFailure | MerchantNotFound

/**
 * Closes a merchant: nothing is sold any more, subscriptions end at their period's end, refunds go on for some days; then
 * the balance is paid out once a day, and the merchant's keys change nothing. Again, it only does what is missing.
 */
export type CloseMerchant = (
  context: CommandContext,
  request: CloseRequest,
) => TE.TaskEither<CloseFailure, ClosingBegun>

type CloseServices = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'freezing' | 'clock'>

export const closeMerchant =
  (services: CloseServices): CloseMerchant =>
  (context, { destination, refundDays, by, reason }) =>
  async () => {
    const { merchantId, environment } = context
    const merchant = await stateOf(services.store)(Merchant, merchantId)
    if (E.isLeft(merchant)) return merchant
    const { state } = merchant.right
    if (state.status === 'absent') return E.left({ _tag: 'MerchantNotFound' })
    // Without a destination nothing is begun.
    const known = await destinationOf(services, context, destination)
    if (E.isLeft(known))
      return E.left(known.left._tag === 'StoreUnavailable' ? known.left : { _tag: 'PayoutDestinationNotFound' })
    const at = deploymentTime(services.clock)
    const closing = { merchantId: asText(merchantId), refundsUntil: unixMs(at + refundDays * dayMs), by, reason, at }
    const decided = await services.freezing.decide({ type: 'BeginClosing', ...closing })
    if (E.isLeft(decided)) return decided
    const accepted = state.environments[environment].assets?.accepted ?? []
    const assets = [...new Set([decodeOrThrow(AssetId, 'native'), ...accepted.map(({ assetId }) => assetId)])]
    for (const assetId of assets) {
      const own = { ...context, commandId: derivedCommandId(context.commandId, `pay out ${assetId}`) }
      const wanted = { assetId, interval: { type: 'daily' as const }, reserve: stroops(0n), destination }
      const set = await payoutSchedules(services).set(own, wanted)()
      if (E.isLeft(set)) return set
    }
    let canceled = 0
    for (const each of ['testnet', 'mainnet'] as const) {
      const ended = await cancelAllForClosing(services, merchantId, each, decided.right.state)
      if (E.isLeft(ended)) return ended
      canceled += ended.right
    }
    const { refundsUntil } = closingOf(decided.right.state, merchantId) ?? closing
    return E.right({ refundsUntil, isNew: decided.right.isRecorded, canceled, assets })
  }
