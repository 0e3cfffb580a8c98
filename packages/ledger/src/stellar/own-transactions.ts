import { type AccountId, accountSequence, OperationIndex, stroops } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import type { LedgerHead } from '../gateway.ts'
import { named } from '../named.ts'
import type { OwnPayment, OwnTransaction } from '../own-transaction.ts'
import { isSignatureOf } from '../signing/ed25519.ts'
import { addressOf } from './addresses.ts'
import { assetIdOf } from './assets.ts'
import { maxTimeOf, signedTransaction } from './envelope.ts'
import type { SettledTransaction } from './incoming-payments/settled-transaction.ts'
import { outcomesAmong } from './outcomes.ts'
import { publicKeyOf } from './strkey.ts'

type IsOurs = (account: AccountId) => boolean

/** The transaction itself: of a fee bump, the one inside. */
const innermost = (envelope: xdr.TransactionEnvelope): xdr.TransactionEnvelope =>
  envelope.type === 'envelopeTypeTxFeeBump'
    ? xdr.TransactionEnvelope.envelopeTypeTx(envelope.feeBump.tx.innerTx.v1)
    : envelope

const setsUp: ReadonlySet<xdr.OperationBody['type']> = new Set([
  'createAccount',
  'changeTrust',
  'beginSponsoringFutureReserves',
  'endSponsoringFutureReserves',
])

/** An operation that leaves the account's own money and rights where they are: the account only consents. */
const isConsent = ({ type }: xdr.OperationBody): boolean =>
  type === 'changeTrust' || type === 'endSponsoringFutureReserves'

const ownTransaction = (settled: SettledTransaction, head: LedgerHead, isOurs: IsOurs): OwnTransaction | null => {
  const { transactionHash, innerHash, memo } = settled
  const envelope = innermost(settled.envelope)
  const { source, accountSequence: sequence, operations, signatures, fee, ...transaction } = signedTransaction(envelope)
  const sourceOf = ({ sourceAccount }: xdr.Operation): AccountId =>
    sourceAccount === null ? source.account : addressOf(sourceAccount).account
  const users = operations.filter(({ body }) => !isConsent(body)).map(sourceOf)
  const used = [...new Set([source.account, ...users])].filter(isOurs)
  if (used.length === 0) return null
  const signed = Buffer.from(innerHash ?? transactionHash, 'hex')
  const signers = used.filter((account) =>
    signatures.some(({ signature }) => isSignatureOf(publicKeyOf(account), signed, signature.value)),
  )
  if (signers.length === 0) return null
  const payments = operations.flatMap((operation, index): ReadonlyArray<OwnPayment> => {
    const { body } = operation
    const from = sourceOf(operation)
    if (body.type !== 'payment' || !signers.includes(from)) return []
    const { account: destination, muxedId } = addressOf(body.paymentOp.destination)
    const { asset, amount } = body.paymentOp
    const operationIndex = named(OperationIndex, index)
    return [{ operationIndex, from, destination, muxedId, assetId: assetIdOf(asset), amount: stroops(amount) }]
  })
  const [outcome] = outcomesAmong([settled], head, () => true)
  if (outcome === undefined) return null
  return {
    outcome,
    envelopeXdr: envelope.toXdr('base64'),
    sourceAccount: source.account,
    accountSequence: accountSequence(sequence),
    maxTime: maxTimeOf(transaction),
    fee: stroops(BigInt(fee) / BigInt(Math.max(1, operations.length))),
    memo,
    signers,
    payments,
    isCall: operations.some(({ body }) => body.type === 'invokeHostFunction'),
    isSetUp: operations.every(({ body }) => setsUp.has(body.type)),
  }
}

/** The transactions that use accounts of ours by their own keys, in order of application. */
export const ownTransactions = (
  transactions: ReadonlyArray<SettledTransaction>,
  head: LedgerHead,
  isOurs: IsOurs,
): ReadonlyArray<OwnTransaction> =>
  transactions.flatMap((transaction) => ownTransaction(transaction, head, isOurs) ?? [])
