import { Account, type Keypair, type Memo, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import type { SimulatedNetwork } from './network.ts'

type Content = { readonly memo?: Memo; readonly sorobanData?: xdr.SorobanTransactionData; readonly fee?: bigint }

/** Signs a transaction without a time limit by an account's own key; null where the ledger does not hold the account. */
export const ownTransaction = (
  { sandbox }: Pick<SimulatedNetwork, 'sandbox'>,
  pair: Keypair,
  operations: ReadonlyArray<xdr.Operation>,
  { memo, sorobanData, fee = 100_000n }: Content = {},
): string | null => {
  const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: pair.xdrAccountId() }))
  const entry = sandbox.read.findEntry(key)
  if (entry?.data.type !== 'account') return null
  const builder = new TransactionBuilder(new Account(pair.publicKey(), entry.data.account.seqNum.toString()), {
    fee: fee.toString(),
    networkPassphrase: sandbox.networkPassphrase,
    timebounds: { minTime: 0, maxTime: 0 },
    ...(memo && { memo }),
  })
  for (const operation of operations) builder.addOperation(operation)
  if (sorobanData !== undefined) builder.setSorobanData(sorobanData)
  const transaction = builder.build()
  transaction.sign(pair)
  return transaction.toXdr()
}
