import type { AccountId, IntentDetails, PaymentAction, Text } from '@quittance/domain'

/** A movement out of an account, and what it is for. */
export type PaidFor = {
  readonly tag: 'refund' | 'return' | 'payout'
  readonly id: Text
  readonly account: AccountId
  readonly action: PaymentAction
}

/** The movement out of an intent's source; null for set-ups and calls of the mandate contract, which move nothing out. */
export const paidFor = ({ class: tag, owner: id, source: account, action }: IntentDetails): PaidFor | null =>
  action._tag === 'payment' && (tag === 'refund' || tag === 'return' || tag === 'payout')
    ? { tag, id, account, action }
    : null
