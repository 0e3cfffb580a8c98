import { StrKey, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { withholdEvents } from '../faults/withheld-events.ts'
import type { EventPosition, LedgerReader, StoredEvent } from '../sandbox-api.ts'
import { Filter, type FilteredEvent, matcherOf } from './event-filter.ts'
import { invalidParams, invalidRequest, method, type RpcContext, type RpcError, rangeAsText } from './method.ts'
import { orderOf, sequenceOf, totalOrderId } from './total-order-id.ts'

const maxScanned = 10_000
const digits = 19
const indexDigits = 10
const defaultLimit = 100
const maxLimit = 10_000
const pageSize = 1_000

const Scan = t.partial({
  startLedger: t.Int,
  endLedger: t.Int,
  filters: t.union([t.null, t.readonlyArray(Filter)]),
  pagination: t.union([t.null, t.partial({ cursor: t.string, limit: t.Int })]),
})

const eventId = (id: bigint, index: number): string =>
  `${id.toString().padStart(digits, '0')}-${index.toString().padStart(indexDigits, '0')}`

/** The position after all events of a ledger. */
const behind = (ledger: number): string => eventId(totalOrderId(ledger + 1, 0, 0) - 1n, 4_294_967_295)

type Start = { readonly position: EventPosition; readonly last: number; readonly limit: number }

const positionIn = (cursor: string): EventPosition | undefined => {
  const parts = /^(\d{19})-(\d{10})$/.exec(cursor)
  if (parts?.[1] === undefined || parts[2] === undefined) return undefined
  const id = BigInt(parts[1])
  return { ledger: sequenceOf(id), order: orderOf(id), index: Number(parts[2]) }
}

/** Where a scan begins, its last ledger, and the most events it returns. */
const startOf = (
  { startLedger, endLedger, pagination }: t.TypeOf<typeof Scan>,
  { read }: RpcContext,
): E.Either<RpcError, Start> => {
  const { oldest, latest } = read.range()
  const cursor = pagination?.cursor ?? ''
  const limit: number = pagination?.limit ?? defaultLimit
  if (limit < 1 || limit > maxLimit) return invalidParams(`limit must not exceed ${maxLimit}`)
  if (cursor !== '' && (startLedger !== undefined || endLedger !== undefined))
    return invalidParams('startLedger/endLedger and cursor cannot both be set')
  const from = positionIn(cursor)
  if (cursor !== '' && from === undefined) return invalidParams(`invalid event id ${cursor}`)
  const first = from?.ledger ?? startLedger ?? 0
  if (from === undefined && (first < oldest.sequence || first > latest.sequence))
    return invalidRequest(`startLedger must be within the ledger range: ${oldest.sequence} - ${latest.sequence}`)
  const end: number = (endLedger ?? latest.sequence + 1) - 1
  const last = Math.min(first + maxScanned - 1, latest.sequence, end)
  return E.right({ position: from ?? { ledger: first, order: 0, index: 0 }, last, limit })
}

type Found = { readonly stored: StoredEvent; readonly event: xdr.ContractEvent; readonly seen: FilteredEvent }

const typeNames = { contract: 'contract', system: 'system', diagnostic: 'diagnostic' }

const foundIn = (stored: StoredEvent): Found => {
  const event = xdr.ContractEvent.fromXdr(stored.event)
  const { contractId, type, body } = event
  const topics = body.v0.topics.map((topic) => topic.toXdr('base64'))
  const id = contractId === null ? '' : StrKey.encodeContract(contractId.value)
  return { stored, event, seen: { type: typeNames[type.name], contractId: id, topics } }
}

/** The first matching events after a position. */
const scan = (
  read: LedgerReader,
  { position, last, limit }: Start,
  isWanted: (event: FilteredEvent) => boolean,
): ReadonlyArray<Found> => {
  const found: Found[] = []
  let from = position
  for (;;) {
    const page = read.eventsBehind(from, last, pageSize)
    for (const stored of page) {
      const each = foundIn(stored)
      if (isWanted(each.seen)) found.push(each)
      if (found.length === limit) return found
    }
    const end = page.at(-1)
    if (end === undefined || page.length < pageSize) return found
    from = end
  }
}

const idOf = ({ ledger, order, index }: EventPosition): string => eventId(totalOrderId(ledger, order, 0), index)

const eventBody = ({ stored, event, seen }: Found) => ({
  type: seen.type,
  ledger: stored.ledger,
  ledgerClosedAt: new Date(stored.closeTime * 1_000).toISOString().replace('.000', ''),
  contractId: seen.contractId,
  id: idOf(stored),
  transactionIndex: stored.order,
  operationIndex: 0,
  inSuccessfulContractCall: true,
  topic: seen.topics,
  value: event.body.v0.data.toXdr('base64'),
  txHash: stored.hash,
})

/** Answers the events that contracts emitted in successful transactions. */
export const getEvents = method(Scan, (asked, context) => {
  const start = startOf(asked, context)
  if (E.isLeft(start)) return start
  const matcher = matcherOf(asked.filters ?? [])
  if (E.isLeft(matcher)) return matcher
  const { position, last, limit } = start.right
  const found = scan(context.read, start.right, matcher.right)
  const end = found.length === limit ? found.at(-1) : undefined
  const events = withholdEvents(found.map(eventBody), context.sandbox.faults)
  const cursor = end === undefined ? behind(Math.max(position.ledger, last)) : idOf(end.stored)
  return E.right({ events, ...rangeAsText(context), cursor })
})
