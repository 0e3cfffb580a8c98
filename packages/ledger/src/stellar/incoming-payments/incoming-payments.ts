import { type IncomingPaymentKind, IncomingPaymentOrdinal, stroops } from '@quittance/domain'
import type { IncomingPayment } from '../../incoming-payment.ts'
import type { Movement, MovementKind } from '../../movement.ts'
import { named } from '../../named.ts'

const incomingKinds: Readonly<Record<IncomingPaymentKind, true>> = {
  payment: true,
  path_payment: true,
  account_created: true,
  account_merged: true,
  claimable_balance_claimed: true,
  contract_transfer: true,
  contract_mint: true,
  contract_call: true,
}

/** Whether a gain of this kind is an incoming payment; a gain by an offer is a trade, and a fee refund is no income. */
export const isIncomingKind = (kind: MovementKind): kind is IncomingPaymentKind => Object.hasOwn(incomingKinds, kind)

type Sender = Pick<IncomingPayment, 'from' | 'fromMuxedId' | 'fromContract'>

const senderOf = ({ counterparty, source }: Movement): Sender => {
  const unknown = { from: source, fromMuxedId: null, fromContract: null }
  switch (counterparty?._tag) {
    case 'account':
      return { ...unknown, from: counterparty.account, fromMuxedId: counterparty.muxedId }
    case 'contract':
      return { ...unknown, fromContract: counterparty.contract }
    case 'claimable_balance':
      return { ...unknown, from: counterparty.sponsor ?? source }
    case 'liquidity_pool':
    case undefined:
      return unknown
  }
}

/** The incoming payments among movements. */
export const incomingPaymentsAmong = (movements: ReadonlyArray<Movement>): ReadonlyArray<IncomingPayment> =>
  movements.flatMap((movement) => {
    const { _tag: kind, operationIndex, ordinal, delta } = movement
    if (!isIncomingKind(kind) || operationIndex === null || delta <= 0n) return []
    return [
      {
        kind,
        transactionHash: movement.transactionHash,
        ...(movement.innerHash === null ? {} : { innerHash: movement.innerHash }),
        operationIndex,
        ...(ordinal === 0 ? {} : { ordinal: named(IncomingPaymentOrdinal, ordinal) }),
        ledger: movement.ledger,
        closedAt: movement.closedAt,
        ...senderOf(movement),
        destination: movement.account,
        muxedId: movement.muxedId,
        assetId: movement.assetId,
        amount: stroops(delta),
        memo: movement.memo,
      },
    ]
  })
