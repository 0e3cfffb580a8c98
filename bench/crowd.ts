import { done } from '@quittance/billing/testing/outcomes'
import type { Sandbox } from '@quittance/sandbox'
import { Account, Asset, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk'

/** A pseudorandom number from 0 to 1, determined by the seed (mulberry32). */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Strangers with accounts, each of whom pays itself a stroop whenever it has nothing queued. */
export const crowdOn = async (sandbox: Sandbox, strangers: number) => {
  const keys = Array.from({ length: strangers }, () => Keypair.random())
  for (const key of keys) await done(sandbox.fund({ address: key.publicKey() }))
  const sequenceOf = (key: Keypair): bigint => {
    const ledgerKey = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: key.xdrAccountId() }))
    const data = sandbox.read.findEntry(ledgerKey)?.data
    if (data?.type !== 'account') throw new Error('a stranger has no account')
    return data.account.seqNum
  }
  return {
    /** Each stranger submits a transaction with a bid in stroops; the queue refuses those that already wait. */
    send: (bid: () => number): void => {
      for (const key of keys) {
        const source = new Account(key.publicKey(), sequenceOf(key).toString())
        const destination = key.publicKey()
        const transaction = new TransactionBuilder(source, {
          fee: bid().toString(),
          networkPassphrase: sandbox.networkPassphrase,
          timebounds: { minTime: 0, maxTime: 0 },
        })
          .addOperation(Operation.payment({ destination, asset: Asset.native(), amount: '0.0000001' }))
          .build()
        transaction.sign(key)
        sandbox.submit(transaction.toEnvelope().toXdr('base64'))
      }
    },
  }
}
