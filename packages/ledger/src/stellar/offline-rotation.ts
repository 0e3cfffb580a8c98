import { AccountId, type Stroops, stroops, type TransactionHash, type UnixMs } from '@quittance/domain'
import { Operation, SignerKey, xdr } from '@stellar/stellar-sdk'
import { type Authority, heaviestThreshold, payingThreshold, weightOf } from '../gateway.ts'
import { isSignatureOf } from '../signing/ed25519.ts'
import { accountIdOf, addressOf } from './addresses.ts'
import { sponsored } from './build-set-up.ts'
import { maxTimeOf, signedTransaction } from './envelope.ts'
import { publicKeyOf } from './strkey.ts'
import { networkId, transactionHashes } from './transaction-hash.ts'
import { type TransactionFrame, type UnsignedTransaction, withoutMemo } from './unsigned-transaction.ts'

/**
 * The key `to` gets an account's weight, and every other key but `recoveryKey` loses its own. The recovery key signs alone: the
 * transaction takes the sequence number, the fee and the reserve of the new signer from the account that the key names, which
 * nobody else can use, so that no holder of another key can use the number up or spend what pays for it.
 */
export type OfflineRotationOrder = Omit<TransactionFrame, 'accountSequence' | 'memoText' | 'sourceAccount'> & {
  readonly nextAccountSequence: bigint
  readonly account: AccountId
  readonly authority: Authority
  readonly to: AccountId
  readonly recoveryKey: AccountId
}

/** Builds the transaction by which the recovery key replaces an account's lost key. */
export const buildOfflineRotation = (order: OfflineRotationOrder): UnsignedTransaction => {
  const { account, recoveryKey } = order
  const operations = sponsored(recoveryKey, account, operationsOf(order))
  return withoutMemo({ ...order, sourceAccount: recoveryKey }, operations)
}

const operationsOf = ({ account, authority, to, recoveryKey }: OfflineRotationOrder): ReadonlyArray<xdr.Operation> => {
  const losing = authority.signers.filter(({ key, weight }) => weight > 0 && key !== to && key !== recoveryKey)
  const removed = losing
    .filter(({ key }) => key !== account)
    .map(({ key }) => Operation.setOptions({ source: account, signer: { ...signerOption(key), weight: 0 } }))
  // Where the thresholds leave signers to the recovery key alone, the new key only pays.
  const isAbove = authority.highThreshold > payingThreshold(authority)
  const added = Operation.setOptions({
    source: account,
    signer: { ed25519PublicKey: to, weight: (isAbove ? payingThreshold : heaviestThreshold)(authority) },
    ...(weightOf(authority, account) > 0 ? { masterWeight: 0 } : {}),
  })
  return [...removed, added]
}

/** A signer of any kind, as the SDK names it. */
const signerOption = (key: string) => {
  const decoded = SignerKey.decodeAddress(key)
  switch (decoded.type) {
    case 'signerKeyTypeEd25519':
      return { ed25519PublicKey: key }
    case 'signerKeyTypePreAuthTx':
      return { preAuthTx: decoded.preAuthTx.value }
    case 'signerKeyTypeHashX':
      return { sha256Hash: decoded.hashX.value }
    case 'signerKeyTypeEd25519SignedPayload':
      return { ed25519SignedPayload: key }
  }
}

/**
 * All that a transaction for an offline rotation does. `fee` is the most that it costs (stroops). `removed` are the signers of
 * `account` that lose their weight, its own key among them; `isSigned`: by the recovery key, and by nobody else.
 */
export type OfflineRotation = {
  readonly transactionHash: TransactionHash
  readonly account: AccountId
  readonly to: AccountId
  readonly weight: number
  readonly removed: ReadonlyArray<string>
  readonly recoveryKey: AccountId
  readonly accountSequence: bigint
  readonly fee: Stroops
  readonly maxTime: UnixMs
  readonly isSigned: boolean
}

/** Reads a transaction that anyone may have written; null unless it is an offline rotation and does nothing else. Never throws. */
export const readOfflineRotation = (envelopeXdr: string, networkPassphrase: string): OfflineRotation | null => {
  try {
    return read(xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64'), networkPassphrase)
  } catch {
    return null
  }
}

const read = (envelope: xdr.TransactionEnvelope, networkPassphrase: string): OfflineRotation | null => {
  if (envelope.type !== 'envelopeTypeTx') return null
  const transaction = signedTransaction(envelope)
  const { source, operations, memo, fee, accountSequence, signatures } = transaction
  const maxTime = maxTimeOf(transaction)
  const [first, ...rest] = operations
  const last = rest.pop()
  if (memo.type !== 'memoNone' || envelope.v1.tx.cond.type !== 'precondTime' || maxTime === null) return null
  if (source.muxedId !== null || first?.body.type !== 'beginSponsoringFutureReserves') return null
  const recoveryKey = source.account
  const sourceOf = ({ sourceAccount }: xdr.Operation) => (sourceAccount === null ? source : addressOf(sourceAccount))
  const account = accountIdOf(first.body.beginSponsoringFutureReservesOp.sponsoredId.ed25519)
  if (sourceOf(first).account !== recoveryKey || account === recoveryKey) return null
  if (last?.body.type !== 'endSponsoringFutureReserves') return null
  if ([...rest, last].some((each) => sourceOf(each).account !== account)) return null
  const changes = rest.map(({ body }) => (body.type === 'setOptions' ? changeOf(body.setOptionsOp) : null))
  const [added, ...more] = changes.flatMap((change) => (change !== null && change.weight > 0 ? [change] : []))
  if (changes.includes(null) || added === undefined || more.length > 0 || !AccountId.is(added.key)) return null
  if (changes.some((change) => change?.key === recoveryKey)) return null
  const { transactionHash } = transactionHashes(networkId(networkPassphrase), envelope)
  const hash = Buffer.from(transactionHash, 'hex')
  const [signature, ...others] = signatures
  return {
    transactionHash,
    account: account,
    to: added.key,
    weight: added.weight,
    removed: changes.flatMap((change) =>
      change === null
        ? []
        : [...(change.weight === 0 ? [change.key] : []), ...(change.isMasterLosing ? [account] : [])],
    ),
    recoveryKey,
    accountSequence,
    fee: stroops(BigInt(fee)),
    maxTime,
    isSigned:
      signature !== undefined &&
      others.length === 0 &&
      isSignatureOf(publicKeyOf(recoveryKey), hash, signature.signature.value),
  }
}

/** A signer that comes or goes, and perhaps the account's own key with it; null if the operation does anything else. */
const changeOf = (options: xdr.SetOptionsOp) => {
  const { masterWeight, signer, inflationDest, homeDomain, lowThreshold, medThreshold, highThreshold } = options
  const others = [inflationDest, homeDomain, lowThreshold, medThreshold, highThreshold]
  if (signer === null || others.some((each) => each !== null) || (masterWeight ?? 0) !== 0) return null
  if ((options.setFlags ?? 0) !== 0 || (options.clearFlags ?? 0) !== 0) return null
  const isMasterLosing = masterWeight === 0
  return { key: SignerKey.encodeSignerKey(signer.key), weight: signer.weight, isMasterLosing }
}

/** What a transaction asks for, by the network's names of its operations; null for what is no transaction. Never throws. */
export const operationNames = (envelopeXdr: string): ReadonlyArray<string> | null => {
  try {
    const envelope = xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64')
    return signedTransaction(envelope).operations.map(({ body }) => body.type)
  } catch {
    return null
  }
}
