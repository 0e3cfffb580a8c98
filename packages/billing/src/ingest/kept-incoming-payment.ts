import { IncomingPayment, IncomingPaymentOrigin } from '@quittance/domain'
import type { IncomingPayment as LedgerIncomingPayment } from '@quittance/ledger'
import { decodeOrThrow } from '../kernel/decode.ts'

/** The part of an incoming payment that the domain records. */
export const keptIncomingPayment = (received: LedgerIncomingPayment): IncomingPayment => {
  const { kind, fromMuxedId, fromContract, muxedId } = received
  const origin = decodeOrThrow(IncomingPaymentOrigin, { kind, fromMuxedId, fromContract, muxedId })
  return { ...decodeOrThrow(IncomingPayment, IncomingPayment.encode(received)), origin }
}
