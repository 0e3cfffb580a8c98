import {
  AuthorizationId,
  asText,
  type Environment,
  InvoiceId,
  type PaymentId,
  Reference,
  type Text,
  type UnixMs,
} from '@quittance/domain'
import type * as t from 'io-ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { createdId } from '../kernel/derive.ts'
import type { SessionId } from '../kernel/session-kinds.ts'
import type { Services } from './services.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 22
const hexDigits = 32

/**
 * 22 base62 characters that stand for an id on a ledger: 128 bits of its keyed hash. They grant nothing, nobody else can
 * make them from the id or find the id by them, and a restored log makes them again.
 */
export const referenceOf = (
  { vault }: Pick<Services, 'vault'>,
  environment: Environment,
  purpose: string,
  id: string,
): string => {
  let number = BigInt(`0x${vault.keyedHash(`reference/${purpose}`, `${environment}/${id}`).slice(0, hexDigits)}`)
  let characters = ''
  for (let position = 0; position < length; position++) {
    characters = `${alphabet[Number(number % 62n)]}${characters}`
    number /= 62n
  }
  return characters
}

/** The reference of a new checkout, invoice or request for an authorization, which is recorded with it. */
export const payableReference = (
  services: Pick<Services, 'vault'>,
  environment: Environment,
  id: SessionId | AuthorizationId,
): Reference => {
  const purpose = AuthorizationId.is(id) ? 'authorization' : InvoiceId.is(id) ? 'invoice' : 'checkout'
  return decodeOrThrow(Reference, `${Reference.prefix}${referenceOf(services, environment, purpose, id)}`)
}

/**
 * The id of an invoice or a request for an authorization that a process opens. Who knows it may pay or sign there, and its
 * cause can be computed from the ledger, as the id of a subscription can: so only a vault makes it, always the same.
 */
export const payableId = <A extends InvoiceId | AuthorizationId>(
  { vault }: Pick<Services, 'vault'>,
  codec: t.Type<A, string, unknown> & { readonly prefix: string },
  at: UnixMs,
  cause: string,
): A => createdId(codec, at, vault.keyedHash('payable id', cause))

const ofRefund = 'qr_'
const refundMemo = new RegExp(`^${ofRefund}[0-9A-Za-z]{${length}}$`)

/**
 * The memo of a payment's refund. It derives from the payment, which has one refund at a time, so that a restored log knows
 * the refund of a payment of its own even where it has lost the refund.
 */
export const refundReference = (
  services: Pick<Services, 'vault'>,
  environment: Environment,
  paymentId: PaymentId,
): Text => asText(`${ofRefund}${referenceOf(services, environment, 'refund', paymentId)}`)

/** Whether a memo has the form of a refund's, of this service or any like it. */
export const isRefundReference = (memo: string): boolean => refundMemo.test(memo)
