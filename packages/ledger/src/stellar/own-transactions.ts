import { type AccountId, accountSequence, OperationIndex, stroops } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import type { KeysOf, LedgerHead } from '../gateway.ts'
import { named } from '../named.ts'
import type { OwnPayment, OwnRotation, OwnTransaction } from '../own-transaction.ts'
import { isSignatureOf } from '../signing/ed25519.ts'
import { accountIdOf, addressOf } from './addresses.ts'
import { assetIdOf } from './assets.ts'
import { maxTimeOf, signedTransaction } from './envelope.ts'
import type { SettledTransaction } from './incoming-payments/settled-transaction.ts'
import { outcomesAmong } from './outcomes.ts'
import { publicKeyOf } from './strkey.ts'

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

/** The new key of an account, where a key of ours loses its weight by operations of one transaction. */
const rotationsOf = (
  operations: ReadonlyArray<{ readonly body: xdr.OperationBody; readonly account: AccountId }>,
  keysOf: KeysOf,
): ReadonlyArray<OwnRotation> => {
  const changes = operations.flatMap(({ body, account }, index) =>
    body.type === 'setOptions' ? [{ account, index, ...signerChange(body.setOptionsOp) }] : [],
  )
  const isLosing = (account: AccountId) =>
    changes.some(
      (each) =>
        each.account === account &&
        ((each.isOwnKeyLosing && keysOf(account).includes(account)) ||
          (each.key !== null && each.weight === 0 && keysOf(account).includes(each.key))),
    )
  return changes.flatMap(({ account, index, key, weight }) =>
    key === null || weight === 0 || !isLosing(account)
      ? []
      : [{ operationIndex: named(OperationIndex, index), account, to: key }],
  )
}

const signerChange = ({ masterWeight, signer }: xdr.SetOptionsOp) => ({
  isOwnKeyLosing: masterWeight === 0,
  key: signer?.key.type === 'signerKeyTypeEd25519' ? accountIdOf(signer.key.ed25519) : null,
  weight: signer?.weight ?? 0,
})

const ownTransaction = (settled: SettledTransaction, head: LedgerHead, keysOf: KeysOf): OwnTransaction | null => {
  const { transactionHash, innerHash, memo } = settled
  const envelope = innermost(settled.envelope)
  const { source, accountSequence: sequence, operations, signatures, fee, ...transaction } = signedTransaction(envelope)
  const sourceOf = ({ sourceAccount }: xdr.Operation): AccountId =>
    sourceAccount === null ? source.account : addressOf(sourceAccount).account
  const users = operations.filter(({ body }) => !isConsent(body)).map(sourceOf)
  const used = [...new Set([source.account, ...users])].filter((account) => keysOf(account).length > 0)
  if (used.length === 0) return null
  const signed = Buffer.from(innerHash ?? transactionHash, 'hex')
  const signers = used.filter((account) =>
    keysOf(account).some((key) =>
      signatures.some(({ signature }) => isSignatureOf(publicKeyOf(key), signed, signature.value)),
    ),
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
    rotations: rotationsOf(
      operations.map((operation) => ({ body: operation.body, account: sourceOf(operation) })),
      keysOf,
    ).filter(({ account }) => signers.includes(account)),
    isCall: operations.some(({ body }) => body.type === 'invokeHostFunction'),
    isSetUp: operations.every(({ body }) => setsUp.has(body.type)),
  }
}

/** The transactions that use accounts of ours by keys of ours, in order of application. */
export const ownTransactions = (
  transactions: ReadonlyArray<SettledTransaction>,
  head: LedgerHead,
  keysOf: KeysOf,
): ReadonlyArray<OwnTransaction> =>
  transactions.flatMap((transaction) => ownTransaction(transaction, head, keysOf) ?? [])
