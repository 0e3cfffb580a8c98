import {
  Exception,
  type ExceptionEvent,
  Funding,
  type FundingEvent,
  Intent,
  type IntentEvent,
  LedgerTransaction,
  type LedgerTransactionEvent,
  Merchant,
  type MerchantEvent,
  Payment,
  type PaymentEvent,
  type RecordedEvent,
} from '@quittance/domain'
import { decodedBy } from '@quittance/projections'

/** An event of a stream that the journal reads, decoded. */
export type JournalFact =
  | { readonly _tag: 'payment'; readonly event: PaymentEvent }
  | { readonly _tag: 'exception'; readonly event: ExceptionEvent }
  | { readonly _tag: 'funding'; readonly event: FundingEvent }
  | { readonly _tag: 'intent'; readonly event: IntentEvent }
  | { readonly _tag: 'transaction'; readonly event: LedgerTransactionEvent }
  | { readonly _tag: 'merchant'; readonly event: MerchantEvent }

const payment = decodedBy(Payment)
const exception = decodedBy(Exception)
const funding = decodedBy(Funding)
const intent = decodedBy(Intent)
const transaction = decodedBy(LedgerTransaction)
const merchant = decodedBy(Merchant)

const decoders = new Map<string, (recorded: RecordedEvent) => JournalFact>([
  [Payment.category, (recorded) => ({ _tag: 'payment', event: payment(recorded) })],
  [Exception.category, (recorded) => ({ _tag: 'exception', event: exception(recorded) })],
  [Funding.category, (recorded) => ({ _tag: 'funding', event: funding(recorded) })],
  [Intent.category, (recorded) => ({ _tag: 'intent', event: intent(recorded) })],
  [LedgerTransaction.category, (recorded) => ({ _tag: 'transaction', event: transaction(recorded) })],
  [Merchant.category, (recorded) => ({ _tag: 'merchant', event: merchant(recorded) })],
])

/** The names of the streams that the journal reads begin with these. */
export const journalPrefixes: ReadonlyArray<string> = [...decoders.keys()].map((category) => `${category}-`)

const cutOf = (stream: string): number => stream.indexOf('-')

/** The id of the aggregate that an event belongs to. */
export const subjectOf = ({ stream }: Pick<RecordedEvent, 'stream'>): string => stream.slice(cutOf(stream) + 1)

/** Null for an event of another stream. */
export const journalFact = (recorded: RecordedEvent): JournalFact | null =>
  decoders.get(recorded.stream.slice(0, cutOf(recorded.stream)))?.(recorded) ?? null
