import { walletsOn } from '@quittance/billing/testing/wallets'
import { type AssetId, type PayoutInterval, stroops } from '@quittance/domain'
import { Keypair, Operation } from '@stellar/stellar-sdk'
import type { Move } from './move.ts'
import { ownTransaction } from './own-transactions.ts'
import type { Requests } from './requests.ts'
import type { Stage } from './stage.ts'
import { ownNumbers } from './till.ts'

const intervals: ReadonlyArray<PayoutInterval> = [
  { type: 'daily' },
  { type: 'weekly', weekday: 'monday' },
  { type: 'threshold', threshold: stroops(1n) },
  { type: 'threshold', threshold: stroops(20_000_000n) },
]

/** A merchant who pays out by hand and by schedule, cancels, and closes a destination. */
export const payoutMoves = (stage: Stage, { put }: Requests): ReadonlyArray<Move> => {
  const { random, fixture, network, note, submitDirectly, faultFree } = stage
  const onNetwork = walletsOn(network)
  const [lasting, passing] = [onNetwork.again(ownNumbers.lasting), onNetwork.again(ownNumbers.passing)]
  const assets: ReadonlyArray<AssetId> = [network.usdc.assetId, network.xlm.assetId, network.eurc.assetId]

  const payout = (): void => {
    const assetId = random.oneOf(assets)
    const amount = random.oneOf(['all', 'all', 1n, 5_000_000n, 10_000_000n, 40_000_000n] as const)
    const wanted = {
      assetId,
      amount: amount === 'all' ? amount : stroops(amount),
      destination: random.oneOf(fixture.destinations),
      memo: null,
      mayChangeMemo: true,
      metadata: {},
    }
    put(
      'a payout',
      ({ payouts }, context) => payouts.request(context, wanted),
      ({ id }) => id,
    )
  }
  const cancel = async (): Promise<void> => {
    const pending = (await faultFree.readModels.payouts.all()).filter(({ row }) => row.status === 'pending')
    if (pending.length === 0) return
    const { id } = random.oneOf(pending)
    put(`a cancellation of ${id}`, ({ payouts }, context) => payouts.cancel(context, id))
  }
  const schedule = (): void => {
    const wanted = {
      assetId: random.oneOf(assets),
      interval: random.oneOf(intervals),
      reserve: stroops(random.oneOf([0n, 3_000_000n, 10_000_000n])),
      destination: random.oneOf(fixture.destinations),
    }
    put('a schedule', ({ payouts }, context) => payouts.schedules.set(context, wanted))
  }
  const unschedule = (): void => {
    const assetId = random.oneOf(assets)
    put('no schedule', ({ payouts }, context) => payouts.schedules.remove(context, assetId))
  }
  /** Closes the destination, so that pending payouts to it fail, or opens it again. */
  const close = async (): Promise<void> => {
    const pair = Keypair.fromSecret(passing.secret)
    const merge = Operation.accountMerge({ destination: lasting.account })
    const envelope = ownTransaction(network, pair, [merge])
    if (envelope === null) {
      note('the destination is open again')
      await network.sandbox.fund({ address: passing.account })()
      return
    }
    note('the destination is closed')
    submitDirectly(envelope)
  }
  return [
    { name: 'a payout', weight: 6, act: payout },
    { name: 'a cancellation', weight: 2, act: cancel },
    { name: 'a schedule', weight: 2, act: schedule },
    { name: 'no schedule', weight: 1, act: unschedule },
    { name: 'a destination closes or opens', weight: 1, act: close },
  ]
}
