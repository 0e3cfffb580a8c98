import type { AccountId, IntentDetails, PaymentAction, Text } from '@quittance/domain'

/** A movement out of an account, by what is paid for it. */
export type PaidFor = {
  readonly tag: 'refund' | 'return'
  readonly id: Text
  readonly account: AccountId
  readonly action: PaymentAction
}

/** What an intent moves out of its source; null for a charge, which moves a customer's money in. */
export const paidFor = ({ class: tag, owner: id, source: account, action }: IntentDetails): PaidFor | null =>
  action._tag === 'payment' && tag !== 'charge' ? { tag, id, account, action } : null
