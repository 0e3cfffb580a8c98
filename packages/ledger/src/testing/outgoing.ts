import { stroops } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { Account, Keypair, TransactionBuilder, type xdr } from '@stellar/stellar-sdk'
import type * as E from 'fp-ts/lib/Either.js'
import { feeBump } from '../stellar/fee-bump.ts'
import type { StellarKeyPair } from '../stellar/keys.ts'
import { transactionHash } from '../stellar/transaction-hash.ts'
import type { SubmitFailure, Submitted } from '../submission.ts'
import { sequence } from './ledgers.ts'
import { payer, type StartedSandbox, sandboxPassphrase } from './sandbox.ts'

/** What is unusual about a transaction: `after` the sequence number that comes next, `fee` in stroops per operation. */
export type Unusual = {
  readonly source?: StellarKeyPair
  readonly signers?: ReadonlyArray<StellarKeyPair>
  readonly after?: bigint
  readonly fee?: bigint
  readonly lifetimeSeconds?: number
}

const signed = (envelopeXdr: string, signers: ReadonlyArray<StellarKeyPair>) => {
  const transaction = TransactionBuilder.fromXdr(envelopeXdr, sandboxPassphrase)
  transaction.sign(...signers.map(({ secret }) => Keypair.fromSecret(secret)))
  return { envelopeXdr: transaction.toXdr(), transactionHash: transactionHash(transaction.hash()) }
}

/** Transactions that go out to a sandbox network, and what becomes of them. */
export const outgoing = ({ gateway, sandbox }: StartedSandbox) => {
  /** Payer's transaction of these operations, signed by payer unless said otherwise. */
  const built = async (operations: ReadonlyArray<xdr.Operation>, unusual: Unusual = {}) => {
    const { source = payer, signers = [source], after = 0n, fee = 1_000n, lifetimeSeconds = 60 } = unusual
    const view = right(await gateway.accountView(source.accountId, [])())
    const closedAt = right(await gateway.latestLedger()()).closedAt / 1000
    const last = (view?.accountSequence ?? 0n) + after
    const builder = new TransactionBuilder(new Account(source.accountId, `${last}`), {
      fee: `${fee}`,
      networkPassphrase: sandboxPassphrase,
      timebounds: { minTime: 0, maxTime: closedAt + lifetimeSeconds },
    })
    for (const operation of operations) builder.addOperation(operation)
    return signed(builder.build().toXdr(), signers)
  }

  const bumped = (envelopeXdr: string, feeSource: StellarKeyPair, fee: bigint) => {
    const order = {
      envelopeXdr,
      feeSource: feeSource.accountId,
      fee: stroops(fee),
      networkPassphrase: sandboxPassphrase,
    }
    return signed(feeBump(order).envelopeXdr, [feeSource])
  }

  const sent = (envelopeXdr: string): Promise<E.Either<SubmitFailure, Submitted>> => gateway.submit(envelopeXdr)()

  /** How the transactions of the ledger that closes next end. */
  const closed = async () => {
    const { ledgers } = right(await gateway.readLedgers(sequence(sandbox.close().sequence), 1, null)())
    return [...ledgers].flatMap(({ outcomesOf }) => outcomesOf(() => true))
  }
  return { built, bumped, sent, closed }
}
