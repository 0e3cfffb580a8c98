import { CheckoutId, formatAmount, type UndecidedReason } from '@quittance/domain'
import type { ExceptionRow, Found } from '@quittance/projections'
import { timestamp, timestampOrNull } from './fields.ts'

/** Money that does not fit, as the interface shows it. */
export const exceptionResource = ({ id, environment, row }: Found<ExceptionRow>) => {
  const { details, createdAt } = row
  const undecided = row.status === 'open' ? row.undecided : null
  const resolution = row.status === 'resolved' ? row.resolution : null
  return {
    id,
    object: 'exception' as const,
    kind: details.kind,
    status: resolution === null ? ('open' as const) : ('resolved' as const),
    asset_id: details.assetId,
    amount: formatAmount(details.amount, details.assetId),
    amount_stroops: details.amount.toString(),
    payments: details.sum?.count ?? 1,
    transaction_hash: details.transactionHash,
    from_address: details.from,
    memo: details.memo?.value ?? null,
    paid_to: (details.paidTo ?? []).map(({ destination, destinationMuxedId, amount }) => ({
      address: destination,
      muxed_id: destinationMuxedId ?? null,
      amount: formatAmount(amount, details.assetId),
    })),
    checkout_id: details.checkoutId,
    payment_id: details.paymentId,
    decision_needed: undecided,
    decision_message: undecided === null ? null : messages[undecided],
    ...returnOf(row),
    applied_to: appliedTo(row),
    applied_from: details.appliedFrom ?? null,
    action: resolution?.action ?? null,
    note: resolution?.note ?? null,
    resolved_by: resolution?.actor ?? null,
    environment,
    created_at: timestamp(createdAt),
    resolved_at: timestampOrNull(resolution?.resolvedAt ?? null),
  }
}
export type ExceptionResource = ReturnType<typeof exceptionResource>

const appliedTo = (row: ExceptionRow) => {
  if (row.status === 'applying') return row.application.checkoutId
  return row.status === 'resolved' && CheckoutId.is(row.by) ? row.by : null
}

/** The last return that was tried. */
const returnOf = ({ moneyReturn, returnEnd }: ExceptionRow) => ({
  return_status: moneyReturn === null ? null : returnStatus(returnEnd),
  return_address: moneyReturn?.destination ?? null,
  return_sends_at: timestampOrNull(returnEnd === null ? (moneyReturn?.sendsAt ?? null) : null),
  return_transaction_hash: returnEnd?._tag === 'returned' ? returnEnd.transactionHash : null,
  return_failure_code: returnEnd?._tag === 'failed' ? returnEnd.code : null,
})

const returnStatus = (end: ExceptionRow['returnEnd']): 'pending' | 'succeeded' | 'failed' => {
  if (end === null) return 'pending'
  return end._tag === 'returned' ? 'succeeded' : 'failed'
}

const messages: Readonly<Record<UndecidedReason, string>> = {
  not_returnable: 'Nothing has come that could go back: look what has changed the balance',
  sender_unknown: 'Nobody can say which account it may go back to',
  sender_is_ours: 'It came from an account of this service',
  is_return: 'Its memo says that it is a return itself',
  unknown_lumens: "Nothing names this XLM: it may be the merchant's own",
  destination_not_found: 'The account that it would go back to does not exist on the ledger',
  destination_no_trustline: 'The account that it would go back to does not trust the asset',
  destination_not_authorized: 'The account that it would go back to may not hold the asset',
  destination_full: 'The account that it would go back to has no room for the amount',
  destination_requires_memo: 'The account that it would go back to takes nothing without a memo of its own',
  destination_is_omnibus: 'The account that it would go back to belongs to many, told apart by memos',
  destination_is_own: 'It came from the account that would pay it',
  insufficient_funds: 'The settlement account does not hold the amount, or would lose its reserve',
  log_rolled_back: 'It may have come for a checkout that was lost with the newest part of the log',
  perhaps_paid:
    'A payment whose purpose is not known any more may have been its return: see the unexplained exception about it',
  refused_by_ledger: 'The ledger refused the return',
  not_sent: 'The return could not be brought onto the ledger',
  network_reset: 'The network was reset while it was on its way back',
  return_canceled: 'Its return was canceled before it was sent',
  screening: 'It is being checked: the operator of the service decides',
  screening_kept: 'It stays held: the operator of the service has decided',
  screening_cleared: 'It was checked, and you decide about it',
}
