import type { AccountId, IntentDetails, PaymentAction, Text } from '@quittance/domain'

/** A movement out of an account, by what is paid for it. */
export type PaidFor = {
  readonly tag: 'refund' | 'return' | 'payout'
  readonly id: Text
  readonly account: AccountId
  readonly action: PaymentAction
}

/** What an intent moves out of its source; null for a call of the mandate contract, which moves nothing out. */
export const paidFor = ({ class: tag, owner: id, source: account, action }: IntentDetails): PaidFor | null =>
  action._tag === 'payment' && (tag === 'refund' || tag === 'return' || tag === 'payout')
    ? { tag, id, account, action }
    : null
