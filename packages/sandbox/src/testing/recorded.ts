import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { bookOn, noOffers } from '../exchange/book.ts'
import { newAccount } from '../ledger/accounts.ts'
import { issuedAsset, issuerOf } from '../ledger/assets.ts'
import { operationSource } from '../ledger/check-transaction.ts'
import type { ClosingLedger, LedgerView } from '../ledger/draft.ts'
import { accountKey, dataOf, type EntryKey, keyOf } from '../ledger/entry-keys.ts'
import { readEnvelope, type SignedTransaction } from '../ledger/envelope.ts'
import { authorizedFlag } from '../ledger/trustlines.ts'
import { type Network, networkOf } from '../network.ts'
import { logicOf } from '../operations/index.ts'
import { accountIdOf } from '../operations/operation.ts'
import { frozenOffers, withoutOffers } from './frozen-offers.ts'

export const conformanceFolder = new URL('../../../../../shared/conformance/ledger-close-meta/', import.meta.url)

/** A transaction that stellar-core applied, with the entries it met and its outcome there. */
export type Recorded = {
  readonly place: string
  readonly ledger: ClosingLedger
  readonly signed: SignedTransaction
  readonly view: LedgerView
  readonly result: xdr.TransactionResult
  readonly meta: xdr.TransactionMetaV4
}

/** The network's passphrase of each group of records. */
export const passphrases = (): ReadonlyMap<string, string> => {
  const { groups } = JSON.parse(readFileSync(new URL('index.json', conformanceFolder), 'utf8'))
  return new Map(
    groups.map((each: { group: string; networkPassphrase: string }) => [each.group, each.networkPassphrase]),
  )
}

export const envelopesIn = (set: xdr.GeneralizedTransactionSet): ReadonlyArray<xdr.TransactionEnvelope> =>
  set.v1TxSet.phases.flatMap((phase) =>
    phase.type === 'v0Components' ? phase.v0Components.flatMap((each) => each.txsMaybeDiscountedFee.txs) : [],
  )

/** Accounts that an operation only reads, which appear in no change: issuers and payees of issued assets. */
const readOnly = (operation: xdr.Operation): ReadonlyArray<xdr.PublicKey> => {
  const { body } = operation
  if (body.type === 'payment') return [accountIdOf(body.paymentOp.destination)]
  if (body.type === 'pathPaymentStrictReceive') return [accountIdOf(body.pathPaymentStrictReceiveOp.destination)]
  if (body.type === 'pathPaymentStrictSend') return [accountIdOf(body.pathPaymentStrictSendOp.destination)]
  const issued = body.type === 'changeTrust' ? issuedAsset(body.changeTrustOp.line) : undefined
  return issued === undefined ? [] : [issuerOf(issued)]
}

/** The last offer id before the transaction: one less than its first new offer's. */
const idBefore = (changes: ReadonlyArray<xdr.LedgerEntryChange>): bigint => {
  const ids = changes.flatMap((change) =>
    change.type === 'ledgerEntryCreated' && change.created.data.type === 'offer'
      ? [change.created.data.offer.offerId]
      : [],
  )
  return ids.reduce((least, id) => (id < least ? id : least), ids[0] ?? 1n) - 1n
}

/** The state before the transaction, read from its own record. */
export const viewOf = (changes: ReadonlyArray<xdr.LedgerEntryChange>, signed: SignedTransaction): LedgerView => {
  const entries = new Map<EntryKey, xdr.LedgerEntry | undefined>()
  for (const change of changes) {
    if (change.type !== 'ledgerEntryState' && change.type !== 'ledgerEntryCreated') continue
    const entry = change.value
    const key = keyOf(dataOf(entry))
    if (!entries.has(key)) entries.set(key, change.type === 'ledgerEntryState' ? entry : undefined)
  }
  for (const accountId of signed.transaction.operations.flatMap((each) => [
    operationSource(each, signed),
    ...readOnly(each),
  ])) {
    const data = xdr.LedgerEntryData.account(newAccount(accountId, 0n, 0))
    const ext = xdr.LedgerEntryExt.v0()
    const key = accountKey(accountId)
    if (!entries.has(key)) entries.set(key, new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext }))
  }
  const { put, remove, ...book } = bookOn(noOffers)
  for (const [key, entry] of entries) if (entry?.data.type === 'offer') put(key, entry.data.offer)
  return { ...book, find: (key) => entries.get(key), lastId: () => idBefore(changes) }
}

/** A trustline's flags depend on the issuer's, which the record lacks. */
const dependsOnIssuer = (changes: ReadonlyArray<xdr.LedgerEntryChange>): boolean =>
  changes.some(
    (change) =>
      change.type === 'ledgerEntryCreated' &&
      change.created.data.type === 'trustline' &&
      change.created.data.trustLine.flags !== authorizedFlag,
  )

const frozenIn = (
  signed: SignedTransaction,
  { result }: xdr.TransactionResult,
  { operations }: xdr.TransactionMetaV4,
) => {
  const [operation, ...more] = signed.transaction.operations
  if (result.type !== 'txSuccess' || operation === undefined || more.length > 0) return []
  const changes = operations.flatMap((each) => each.changes)
  return result.results.flatMap((each) => frozenOffers(operationSource(operation, signed), each, changes))
}

/** Frozen keys are not supported by this ledger. */
const isFrozen = ({ result }: xdr.TransactionResult): boolean =>
  result.type === 'txFailed' &&
  result.results.some((each) => each.type === 'opInner' && each.tr.value.type.endsWith('Frozen'))

const recordedIn = (place: string, text: string, network: Network): ReadonlyArray<Recorded> => {
  const close = xdr.LedgerCloseMeta.fromXdr(text, 'base64')
  if (close.type !== 'v2') return []
  const [processing, ...more] = close.v2.txProcessing
  const [envelope] = envelopesIn(close.v2.txSet)
  if (processing?.txApplyProcessing.type !== 'v4' || envelope === undefined || more.length > 0) return []
  const read = readEnvelope(envelope.toXdr(), network)
  if (E.isLeft(read)) return []
  const signed = read.right
  const { v4: meta } = processing.txApplyProcessing
  const changes = [
    ...processing.feeProcessing,
    ...meta.txChangesBefore,
    ...meta.operations.flatMap((each) => each.changes),
  ]
  const isOurs = signed.transaction.operations.every(({ body }) => logicOf(body) !== undefined)
  if (!isOurs || dependsOnIssuer(changes) || isFrozen(processing.result.result)) return []
  const { ledgerSeq, scpValue } = close.v2.ledgerHeader.header
  const ledger = { sequence: ledgerSeq, closeTime: scpValue.closeTime }
  const { result } = processing.result
  const gone = frozenIn(signed, result, meta)
  const { view, retell } = withoutOffers(viewOf(changes, signed), ledger, gone)
  const operations = meta.operations.map((each) => new xdr.OperationMetaV2({ ...each, changes: retell(each.changes) }))
  return [{ place, ledger, signed, view, result, meta: new xdr.TransactionMetaV4({ ...meta, operations }) }]
}

/** A line of the records. */
type RecordedLedger = {
  readonly source: string
  readonly ledger: number
  readonly group: string
  readonly xdr: string
}

/** Every recorded ledger; none where the records are missing. */
export const recordedLedgers = (): ReadonlyArray<RecordedLedger> => {
  if (!existsSync(conformanceFolder)) return []
  return readdirSync(conformanceFolder)
    .filter((name) => name.endsWith('.gz'))
    .flatMap((name) =>
      gunzipSync(readFileSync(new URL(name, conformanceFolder)))
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
}

/** Every recorded ledger with a single, supported transaction; none where the records are missing. */
export const recordedTransactions = (): ReadonlyArray<Recorded> => {
  const ledgers = recordedLedgers()
  const known = ledgers.length === 0 ? new Map<string, string>() : passphrases()
  return ledgers.flatMap(({ source, ledger, group, xdr: text }) =>
    recordedIn(`${source}#${ledger}`, text, networkOf(known.get(group) ?? '')),
  )
}
