import {
  AuthorizationId,
  asText,
  type Environment,
  InvoiceId,
  idTime,
  makeId,
  type PaymentId,
  Reference,
  type Text,
  type UnixMs,
} from '@quittance/domain'
import type * as t from 'io-ts'
import { createdId } from '../kernel/derive.ts'
import type { SessionId } from '../kernel/session-kinds.ts'
import type { Services } from './services.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 22
const hexDigits = 32

/**
 * The reference of a new checkout, invoice or request for an authorization, which is recorded with it: the time of the id,
 * so that indexes grow at their end, and 80 bits of the id's keyed hash, which nobody else can make.
 */
export const payableReference = async (
  { vault }: Pick<Services, 'vault'>,
  environment: Environment,
  id: SessionId | AuthorizationId,
): Promise<Reference> => {
  const at = idTime(id)
  if (at === null) throw new RangeError(`${id} has no time`)
  const purpose = AuthorizationId.is(id) ? 'authorization' : InvoiceId.is(id) ? 'invoice' : 'checkout'
  const hash = await vault.keyedHash(`reference/${purpose}`, `${environment}/${id}`)
  return makeId(Reference, at, Buffer.from(hash, 'hex').subarray(0, 10))
}

/**
 * The id of an invoice or a request for an authorization that a process opens. Who knows it may pay or sign there, and its
 * cause can be computed from the ledger, as the id of a subscription can: so only a vault makes it, always the same.
 */
export const payableId = async <A extends InvoiceId | AuthorizationId>(
  { vault }: Pick<Services, 'vault'>,
  codec: t.Type<A, string, unknown> & { readonly prefix: string },
  at: UnixMs,
  cause: string,
): Promise<A> => createdId(codec, at, await vault.keyedHash('payable id', cause))

const ofRefund = 'qr_'
const refundMemo = new RegExp(`^${ofRefund}[0-9A-Za-z]{${length}}$`)

/** The first 128 bits of a hash. */
const inBase62 = (hash: string): string => {
  let number = BigInt(`0x${hash.slice(0, hexDigits)}`)
  let made = ''
  for (let position = 0; position < length; position++) {
    made = `${alphabet[Number(number % 62n)]}${made}`
    number /= 62n
  }
  return made
}

/**
 * The memo of a payment's refund. It derives from the payment, which has one refund at a time, so that a restored log knows
 * the refund of a payment of its own even where it has lost the refund.
 */
export const refundReference = async (
  { vault }: Pick<Services, 'vault'>,
  environment: Environment,
  paymentId: PaymentId,
): Promise<Text> =>
  asText(`${ofRefund}${inBase62(await vault.keyedHash('reference/refund', `${environment}/${paymentId}`))}`)

/** Whether a memo has the form of a refund's, of this service or any like it. */
export const isRefundReference = (memo: string): boolean => refundMemo.test(memo)
