import { channelKey } from '@quittance/billing/testing/internals'
import { keyPairFromSeed } from '@quittance/ledger'
import { Keypair, Operation } from '@stellar/stellar-sdk'
import type { Move } from './move.ts'
import { ownTransaction } from './own-transactions.ts'
import type { Requests } from './requests.ts'
import type { Stage } from './stage.ts'

/**
 * A merchant who refunds payments, and a stranger with the channels' keys who uses their sequence numbers: the service
 * takes that for transactions that it has forgotten, until an operator accepts them.
 */
export const refundMoves = (stage: Stage, { put }: Requests): ReadonlyArray<Move> => {
  const { random, network, submitDirectly, faultFree, acceptLog } = stage
  const refund = async (): Promise<void> => {
    const confirmed = (await faultFree.readModels.payments.all()).filter(({ row }) => row.status === 'confirmed')
    const { id } = random.oneOf(confirmed)
    const wanted = { paymentId: id, reason: null, destination: null, metadata: {} }
    put(
      `a refund of ${id}`,
      ({ refunds }, context) => refunds.request(context, wanted),
      (made) => made.id,
    )
  }
  const useNumber = async (): Promise<void> => {
    const key = channelKey('testnet', random.oneOf([1, 2]))
    const pair = Keypair.fromSecret((await faultFree.vault.carriage.withSeed(key, keyPairFromSeed)).secret)
    const envelope = ownTransaction(network, pair, [Operation.bumpSequence({ bumpTo: '0' })], { fee: 10_000n })
    if (envelope !== null) submitDirectly(envelope)
  }
  return [
    { name: 'a refund', weight: 4, act: refund },
    { name: 'a stranger uses a channel', weight: 1, act: useNumber },
    { name: 'an operator accepts the log', weight: 1, act: acceptLog },
  ]
}
