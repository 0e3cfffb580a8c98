import * as t from 'io-ts'
import { type UnixMs, unixMs } from './units.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const suffixLength = 22

/** A codec of ids: the prefix, then 22 base62 characters. */
export class IdCodec<Prefix extends string> extends t.Type<
  t.Branded<string, { readonly [P in Prefix]: symbol }>,
  string,
  unknown
> {
  readonly prefix: Prefix

  constructor(prefix: Prefix) {
    const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${suffixLength}}$`)
    const is = (input: unknown): input is t.Branded<string, { readonly [P in Prefix]: symbol }> =>
      typeof input === 'string' && pattern.test(input)
    super(`${prefix}id`, is, (input, context) => (is(input) ? t.success(input) : t.failure(input, context)), t.identity)
    this.prefix = prefix
  }
}

/** The id of a product. */
export const ProductId = new IdCodec('prod_')
export type ProductId = t.TypeOf<typeof ProductId>
/** The id of a customer. */
export const CustomerId = new IdCodec('cus_')
export type CustomerId = t.TypeOf<typeof CustomerId>
/** The id of a wallet. */
export const WalletId = new IdCodec('cwl_')
export type WalletId = t.TypeOf<typeof WalletId>
/** The id of a checkout. */
export const CheckoutId = new IdCodec('chk_')
export type CheckoutId = t.TypeOf<typeof CheckoutId>
/** The id of a payment. */
export const PaymentId = new IdCodec('pay_')
export type PaymentId = t.TypeOf<typeof PaymentId>
/** The id of a refund. */
export const RefundId = new IdCodec('rf_')
export type RefundId = t.TypeOf<typeof RefundId>
/** The id of a subscription. */
export const SubscriptionId = new IdCodec('sub_')
export type SubscriptionId = t.TypeOf<typeof SubscriptionId>
/** A new price for the subscribers that a product has. */
export const PriceChangeId = new IdCodec('prc_')
export type PriceChangeId = t.TypeOf<typeof PriceChangeId>
/** What an overdue subscription owes for one period. */
export const InvoiceId = new IdCodec('inv_')
export type InvoiceId = t.TypeOf<typeof InvoiceId>
/** A new mandate, or a new allowance, that a customer is asked for. */
export const AuthorizationId = new IdCodec('auth_')
export type AuthorizationId = t.TypeOf<typeof AuthorizationId>
/** Money that a merchant withdraws: what wants the movement. */
export const PayoutId = new IdCodec('po_')
export type PayoutId = t.TypeOf<typeof PayoutId>
/** An address that a merchant has registered to withdraw to. */
export const PayoutDestinationId = new IdCodec('pdst_')
export type PayoutDestinationId = t.TypeOf<typeof PayoutDestinationId>
/** Money over a limit that a second person decides about. */
export const ApprovalId = new IdCodec('apr_')
export type ApprovalId = t.TypeOf<typeof ApprovalId>
/** The id of an exception. */
export const ExceptionId = new IdCodec('exc_')
export type ExceptionId = t.TypeOf<typeof ExceptionId>
/** A return of money that does not fit: what wants the movement, one for each try. */
export const ReturnId = new IdCodec('ret_')
export type ReturnId = t.TypeOf<typeof ReturnId>
/** Money of the merchant's own that comes to a settlement account, or an announcement of it. */
export const FundingId = new IdCodec('fnd_')
export type FundingId = t.TypeOf<typeof FundingId>
/** The end of a mandate on the ledger: what wants it to be sent, one for each try. */
export const MandateEndId = new IdCodec('end_')
export type MandateEndId = t.TypeOf<typeof MandateEndId>
/** A step by which a settlement account is set up: one for each try. */
export const SetUpId = new IdCodec('set_')
export type SetUpId = t.TypeOf<typeof SetUpId>
/** A checkpoint of the log that is put on the ledger. */
export const AnchorId = new IdCodec('anc_')
export type AnchorId = t.TypeOf<typeof AnchorId>
/**
 * What stands on the ledger for a checkout, an invoice or a request for an authorization: a memo, or the reference of a
 * mandate. Everybody can read it, so it opens nothing.
 */
export const Reference = new IdCodec('q_')
export type Reference = t.TypeOf<typeof Reference>
/** The id of an intent. */
export const IntentId = new IdCodec('int_')
export type IntentId = t.TypeOf<typeof IntentId>
/** The id of a credit transaction. */
export const CreditTransactionId = new IdCodec('ctx_')
export type CreditTransactionId = t.TypeOf<typeof CreditTransactionId>
/** The id of an endpoint. */
export const WebhookId = new IdCodec('wh_')
export type WebhookId = t.TypeOf<typeof WebhookId>
/** A public event: the `id` of its body and the `webhook-id` of its deliveries. */
export const EventId = new IdCodec('evt_')
export type EventId = t.TypeOf<typeof EventId>
/** What is sent to one endpoint of one event, however many attempts it takes. */
export const DeliveryId = new IdCodec('dlv_')
export type DeliveryId = t.TypeOf<typeof DeliveryId>
/** The id of a merchant. */
export const MerchantId = new IdCodec('mer_')
export type MerchantId = t.TypeOf<typeof MerchantId>
/** The id of an API key. */
export const ApiKeyId = new IdCodec('key_')
export type ApiKeyId = t.TypeOf<typeof ApiKeyId>
/** The id of a member of a merchant's team. */
export const MemberId = new IdCodec('mem_')
export type MemberId = t.TypeOf<typeof MemberId>

/**
 * The 22 characters after an id's prefix: the 128-bit number of 48 bits of `at`, then the 80 bits of `digest`, in
 * base62 of fixed width, digits before capitals before small letters. So ids sort, as ASCII text, by time.
 * Throws a `RangeError` unless the digest has 10 bytes and the time fits 48 bits: the caller's bug.
 */
export const idSuffix = (at: UnixMs, digest: Uint8Array): string => {
  if (digest.length !== 10) throw new RangeError(`a digest of 10 bytes is wanted, not ${digest.length}`)
  if (at >= 2 ** 48) throw new RangeError(`${at} does not fit 48 bits`)
  const number = (BigInt(at) << 80n) | (BigInt(wholeOf(digest, 0, 5)) << 40n) | BigInt(wholeOf(digest, 5, 10))
  const [low, rest] = [number % eightDigits, number / eightDigits]
  const suffix = inBase62(rest / eightDigits, suffixLength - 16)
  return suffix + inBase62(rest % eightDigits, 8) + inBase62(low, 8)
}

// Numbers divide several times as fast as bigints. Eight digits are as many as they hold exactly.
const eightDigits = 62n ** 8n

/** Bytes as a number, the highest first. */
const wholeOf = (bytes: Uint8Array, from: number, to: number): number =>
  bytes.subarray(from, to).reduce((sum, byte) => sum * 256 + byte, 0)

/** As many digits, of a number that has no more. */
const inBase62 = (number: bigint, digits: number): string => {
  let rest = Number(number)
  let text = ''
  for (let position = 0; position < digits; position += 1) {
    text = `${alphabet[rest % 62]}${text}`
    rest = Math.floor(rest / 62)
  }
  return text
}

/** The moment that an id was made at; null for a text that is no id. */
export const idTime = (id: string): UnixMs | null => {
  const suffix = /_([0-9A-Za-z]{22})$/.exec(id)?.[1]
  if (suffix === undefined) return null
  const number = [...suffix].reduce((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n)
  return unixMs(Number(number >> 80n))
}

/**
 * A text that sorts after every id of the codec's kind that was made before a moment, and before every other. It is no
 * id itself.
 */
export const idBoundary = ({ prefix }: { readonly prefix: string }, at: UnixMs): string => {
  if (at === 0) return prefix
  if (at >= 2 ** 48) return `${prefix}~`
  return `${prefix}${idSuffix(unixMs(at - 1), new Uint8Array(10).fill(0xff))}0`
}

/** A new id of the codec's kind, such as `makeId(ProductId, at, digest)`; see `idSuffix`. */
export const makeId = <A extends string>(
  codec: t.Type<A, string, unknown> & { readonly prefix: string },
  at: UnixMs,
  digest: Uint8Array,
): A => {
  const id = `${codec.prefix}${idSuffix(at, digest)}`
  if (codec.is(id)) return id
  throw new RangeError(`${id} is no ${codec.name}`)
}
