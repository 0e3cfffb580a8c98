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

const folder = new URL('../../../../../shared/conformance/ledger-close-meta/', import.meta.url)

/** A transaction that stellar-core has applied, with the entries it met, and what core made of it. */
export type Recorded = {
  readonly place: string
  readonly ledger: ClosingLedger
  readonly signed: SignedTransaction
  readonly view: LedgerView
  readonly result: xdr.TransactionResult
  readonly meta: xdr.TransactionMetaV4
}

const passphrases = (): ReadonlyMap<string, string> => {
  const { groups } = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'))
  return new Map(
    groups.map((each: { group: string; networkPassphrase: string }) => [each.group, each.networkPassphrase]),
  )
}

const envelopesIn = (set: xdr.GeneralizedTransactionSet): ReadonlyArray<xdr.TransactionEnvelope> =>
  set.v1TxSet.phases.flatMap((phase) =>
    phase.type === 'v0Components' ? phase.v0Components.flatMap((each) => each.txsMaybeDiscountedFee.txs) : [],
  )

/** Accounts that an operation only reads are in no change: issuers and payees of issued assets. */
const readOnly = (operation: xdr.Operation): ReadonlyArray<xdr.PublicKey> => {
  const { body } = operation
  if (body.type === 'payment') return [accountIdOf(body.paymentOp.destination)]
  if (body.type === 'pathPaymentStrictReceive') return [accountIdOf(body.pathPaymentStrictReceiveOp.destination)]
  if (body.type === 'pathPaymentStrictSend') return [accountIdOf(body.pathPaymentStrictSendOp.destination)]
  const issued = body.type === 'changeTrust' ? issuedAsset(body.changeTrustOp.line) : undefined
  return issued === undefined ? [] : [issuerOf(issued)]
}

/** The last number given before the transaction: one less than its first new offer's. */
const idBefore = (changes: ReadonlyArray<xdr.LedgerEntryChange>): bigint => {
  const ids = changes.flatMap((change) =>
    change.type === 'ledgerEntryCreated' && change.created.data.type === 'offer'
      ? [change.created.data.offer.offerId]
      : [],
  )
  return ids.reduce((least, id) => (id < least ? id : least), ids[0] ?? 1n) - 1n
}

/** The state before the transaction, as its own record tells it. */
const viewOf = (changes: ReadonlyArray<xdr.LedgerEntryChange>, signed: SignedTransaction): LedgerView => {
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

/** Sponsored reserves are not part of this ledger. */
const isSponsored = (changes: ReadonlyArray<xdr.LedgerEntryChange>): boolean =>
  changes.some((change) => {
    if (change.type === 'ledgerEntryRemoved') return false
    const { data, ext } = change.value
    const v2 = data.type === 'account' && data.account.ext.type === 'v1' ? data.account.ext.v1.ext : undefined
    return ext.type === 'v1' || (v2?.type === 'v2' && v2.v2.numSponsoring + v2.v2.numSponsored > 0)
  })

/** A line with flags of its own tells of an issuer's flags, which the record does not show. */
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
  if (!isOurs || isSponsored(changes) || dependsOnIssuer(changes)) return []
  const { ledgerSeq, scpValue } = close.v2.ledgerHeader.header
  const ledger = { sequence: ledgerSeq, closeTime: scpValue.closeTime }
  const { result } = processing.result
  const gone = frozenIn(signed, result, meta)
  const { view, retell } = withoutOffers(viewOf(changes, signed), ledger, gone)
  const operations = meta.operations.map((each) => new xdr.OperationMetaV2({ ...each, changes: retell(each.changes) }))
  return [{ place, ledger, signed, view, result, meta: new xdr.TransactionMetaV4({ ...meta, operations }) }]
}

/** Every recorded ledger of one transaction made of operations known here; none when the records are not at hand. */
export const recordedTransactions = (): ReadonlyArray<Recorded> => {
  if (!existsSync(folder)) return []
  const known = passphrases()
  return readdirSync(folder)
    .filter((name) => name.endsWith('.gz'))
    .flatMap((name) =>
      gunzipSync(readFileSync(new URL(name, folder)))
        .toString()
        .trim()
        .split('\n')
        .flatMap((line) => {
          const { source, ledger, group, xdr: text } = JSON.parse(line)
          return recordedIn(`${source}#${ledger}`, text, networkOf(known.get(group) ?? ''))
        }),
    )
}
