import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { toldMeta } from '../faults/unknown-form.ts'
import { transactionMetaIn } from '../ledger/close-meta.ts'
import type { StoredTransaction } from '../sandbox-api.ts'
import { base64, invalidParams, method, rangeAsText } from './method.ts'
import { Page, pageStart } from './pagination.ts'
import { orderOf, sequenceOf, totalOrderId } from './total-order-id.ts'

const isClassic = (envelope: xdr.TransactionEnvelope): boolean => {
  const inner = envelope.type === 'envelopeTypeTxFeeBump' ? envelope.feeBump.tx.innerTx : envelope
  return inner.type !== 'envelopeTypeTx' || inner.v1.tx.ext.type === 'v0'
}

/** The events that contracts emitted, by operation, and the diagnostics. */
const eventsIn = (envelope: xdr.TransactionEnvelope, bytes: Uint8Array) => {
  if (isClassic(envelope)) return { events: { transactionEventsXdr: [], contractEventsXdr: [] } }
  const { operations, diagnosticEvents, sorobanMeta } = transactionMetaIn(xdr.TransactionMeta.fromXdr(bytes))
  const contractEventsXdr =
    sorobanMeta === null ? [] : operations.map(({ events }) => events.map((each) => each.toXdr('base64')))
  return {
    ...(diagnosticEvents.length > 0 && { diagnosticEventsXdr: diagnosticEvents.map((each) => each.toXdr('base64')) }),
    events: { transactionEventsXdr: [], contractEventsXdr },
  }
}

const details = ({ succeeded, hash, order, envelope: bytes, result, meta, ledger }: StoredTransaction) => {
  const envelope = xdr.TransactionEnvelope.fromXdr(bytes)
  return {
    status: succeeded ? 'SUCCESS' : 'FAILED',
    txHash: hash,
    applicationOrder: order,
    feeBump: envelope.type === 'envelopeTypeTxFeeBump',
    envelopeXdr: base64(bytes),
    resultXdr: base64(result),
    resultMetaXdr: base64(meta),
    ...eventsIn(envelope, meta),
    ledger,
  }
}

const hashDigits = 64

/**
 * Reads the range before the transaction: a caller that concludes from NOT_FOUND that a hash is dead must not see a
 * later ledger than the search covered.
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

export const getTransactions = method(Page, (page, context) => {
  const from = pageStart(page, context)
  if (E.isLeft(from)) return from
  const { read } = context
  const { oldest, latest } = read.range()
  const start =
    'cursor' in from.right
      ? { ledger: sequenceOf(from.right.cursor), order: orderOf(from.right.cursor) + 1 }
      : { ledger: from.right.startLedger, order: 1 }
  const found = read.transactionsFrom(start.ledger, start.order, from.right.limit)
  const last = found.at(-1)
  const isEnd = found.length < from.right.limit
  const end = isEnd ? totalOrderId(latest.sequence, last?.ledger === latest.sequence ? last.order : 0, 1) : undefined
  return E.right({
    transactions: found.map((each) => ({
      ...details(each),
      resultMetaXdr: base64(toldMeta(each, read, context.sandbox.faults)),
      createdAt: each.closeTime,
    })),
    latestLedger: latest.sequence,
    latestLedgerCloseTimestamp: latest.closeTime,
    oldestLedger: oldest.sequence,
    oldestLedgerCloseTimestamp: oldest.closeTime,
    cursor: (end ?? totalOrderId(last?.ledger ?? start.ledger, last?.order ?? 0, 1)).toString(),
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
