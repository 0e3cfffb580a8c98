import { Account, type Keypair, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { requireAccount } from '../ledger/accounts.ts'
import type { ClosingLedger, LedgerView } from '../ledger/draft.ts'
import { readStoredEnvelope, type SignedTransaction } from '../ledger/envelope.ts'
import { baseFee, type Network, signatureOf } from '../network.ts'

/** Time bound of the root account's transactions, in seconds. */
const maxWaitSeconds = 60

/** Drops repeated keys, since a surplus signature fails the transaction. */
export const distinct = (signers: ReadonlyArray<Keypair>): ReadonlyArray<Keypair> => [
  ...new Map(signers.map((signer) => [signer.publicKey(), signer])).values(),
]

/** Builds the root account's next transaction, signed by it and by the accounts it acts for. */
export const rootTransaction = (
  network: Network,
  view: LedgerView,
  { closeTime, baseFee: fee = baseFee }: ClosingLedger,
  operations: ReadonlyArray<xdr.Operation>,
  cosigners: ReadonlyArray<Keypair>,
): SignedTransaction => {
  const { seqNum } = requireAccount(view, network.root.xdrAccountId())
  const builder = new TransactionBuilder(new Account(network.root.publicKey(), seqNum.toString()), {
    fee: fee.toString(),
    networkPassphrase: network.passphrase,
    timebounds: { minTime: 0, maxTime: Number(closeTime) + maxWaitSeconds },
  })
  for (const operation of operations) builder.addOperation(operation)
  const transaction = builder.build()
  const hash = transaction.hash()
  for (const signer of distinct([network.root, ...cosigners])) {
    const signature = signatureOf(signer, hash)
    transaction.addDecoratedSignature(new xdr.DecoratedSignature({ hint: signer.signatureHint(), signature }))
  }
  return readStoredEnvelope(transaction.toEnvelope().toXdr(), network)
}
