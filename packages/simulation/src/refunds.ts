import { channelKey } from '@quittance/billing/testing/internals'
import { keyPairFromSeed } from '@quittance/ledger'
import { Account, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Move } from './customers.ts'
import type { Requests } from './requests.ts'
import type { Stage } from './stage.ts'

/** A merchant who gives payments back, and somebody else who has the keys that they are sent with. */
export const refundsOn = (stage: Stage, { put }: Requests): ReadonlyArray<Move> => {
  const { draws, network, hand, untroubled } = stage
  const { sandbox } = network
  const refund = (): void => {
    const confirmed = untroubled.readModels.payments.all().filter(({ row }) => row.status === 'confirmed')
    const { id } = draws.oneOf(confirmed)
    const wanted = { paymentId: id, reason: null, destination: null, metadata: {} }
    put(`a refund of ${id}`, ({ refunds }, context) =>
      pipe(
        refunds.request(context, wanted),
        TE.map((made) => made.id),
      ),
    )
  }
  const useNumber = (): void => {
    const key = channelKey('testnet', draws.oneOf([1, 2]))
    const pair = Keypair.fromSecret(untroubled.vault.withSeed(key, keyPairFromSeed).secret)
    const entry = sandbox.read.findEntry(
      xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: pair.xdrAccountId() })),
    )
    if (entry?.data.type !== 'account') return
    const account = new Account(pair.publicKey(), entry.data.account.seqNum.toString())
    const timebounds = { minTime: 0, maxTime: 0 }
    const transaction = new TransactionBuilder(account, {
      fee: '10000',
      networkPassphrase: sandbox.networkPassphrase,
      timebounds,
    })
      .addOperation(Operation.bumpSequence({ bumpTo: '0' }))
      .build()
    transaction.sign(pair)
    hand(transaction.toEnvelope().toXdr('base64'))
  }
  return [
    { name: 'a refund', weight: 4, act: refund },
    { name: 'a channel used by somebody else', weight: 1, act: useNumber },
  ]
}
