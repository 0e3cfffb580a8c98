import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { StoredTransaction } from '../sandbox-api.ts'
import { base64, invalidParams, method, rangeAsText } from './method.ts'
import { Page, pageStart } from './pagination.ts'

const details = ({ succeeded, hash, order, envelope, result, meta, ledger }: StoredTransaction) => ({
  status: succeeded ? 'SUCCESS' : 'FAILED',
  txHash: hash,
  applicationOrder: order,
  feeBump: xdr.TransactionEnvelope.fromXdr(envelope).type === 'envelopeTypeTxFeeBump',
  envelopeXdr: base64(envelope),
  resultXdr: base64(result),
  resultMetaXdr: base64(meta),
  events: { transactionEventsXdr: [], contractEventsXdr: [] },
  ledger,
})

const hashDigits = 64

/**
 * The range is read before the transaction: whoever concludes from NOT_FOUND that a hash is dead must not be shown a
 * later ledger than was searched.
 */
export const getTransaction = method(t.type({ hash: t.string }), ({ hash }, context) => {
  if (hash.length !== hashDigits) return invalidParams(`unexpected hash length (${hash.length})`)
  if (!/^[0-9a-fA-F]+$/.test(hash)) return invalidParams('incorrect hash: invalid byte')
  const range = rangeAsText(context)
  const found = context.read.findTransaction(hash.toLowerCase())
  return found === undefined
    ? E.right({ ...range, status: 'NOT_FOUND', txHash: hash })
    : E.right({ ...range, ...details(found), createdAt: found.closeTime.toString() })
})

/** A place in the history as one number: 32 bits of ledger, 20 of order, 12 of operation (SEP-35). */
const placeId = (ledger: number, order: number): bigint => (BigInt(ledger) << 32n) | (BigInt(order) << 12n) | 1n
const ledgerOf = (id: bigint): number => Number(id >> 32n)
const orderOf = (id: bigint): number => Number((id >> 12n) & 0xfffffn)

export const getTransactions = method(Page, (page, context) => {
  const from = pageStart(page, context)
  if (E.isLeft(from)) return from
  const { read } = context
  const { oldest, latest } = read.range()
  const start =
    'cursor' in from.right
      ? { ledger: ledgerOf(from.right.cursor), order: orderOf(from.right.cursor) + 1 }
      : { ledger: from.right.startLedger, order: 1 }
  const found = read.transactionsFrom(start.ledger, start.order, from.right.limit)
  const last = found.at(-1)
  const isEnd = found.length < from.right.limit
  const end = isEnd ? placeId(latest.sequence, last?.ledger === latest.sequence ? last.order : 0) : undefined
  return E.right({
    transactions: found.map((each) => ({ ...details(each), createdAt: each.closeTime })),
    latestLedger: latest.sequence,
    latestLedgerCloseTimestamp: latest.closeTime,
    oldestLedger: oldest.sequence,
    oldestLedgerCloseTimestamp: oldest.closeTime,
    cursor: (end ?? placeId(last?.ledger ?? start.ledger, last?.order ?? 0)).toString(),
  })
})

const Envelope = t.type({ transaction: t.string })

export const sendTransaction = method(Envelope, ({ transaction }, context) => {
  const { latestLedger, latestLedgerCloseTime } = rangeAsText(context)
  const submitted = context.sandbox.submit(transaction)
  if (E.isLeft(submitted)) return invalidParams('invalid_xdr')
  const { status, hash } = submitted.right
  if (status === 'PENDING' && context.sandbox.faults.take('lose_reply') !== undefined) context.loseReply()
  const answer = { status, hash, latestLedger, latestLedgerCloseTime }
  return E.right(status === 'ERROR' ? { errorResultXdr: submitted.right.errorResult, ...answer } : answer)
})

/** Simulation is for contract calls. */
export const simulateTransaction = method(Envelope, (_, context) => {
  const { latestLedger } = rangeAsText(context)
  return E.right({ error: 'contracts are not available in this network', events: [], latestLedger })
})
