import type { Movement } from '@quittance/ledger'

/**
 * The name of a change of a settlement account's balance. `id` is that of the payment, exception, funding, refund, return or
 * payout, of the checkout whose incoming payment waits for a rate, or the hash of our transaction that cost a fee. For a
 * set-up, it is that of the payment that created the account; null before the merchant had the account.
 */
export type MovementName =
  | { readonly _tag: 'set_up'; readonly id: string | null }
  | {
      readonly _tag: 'payment' | 'awaiting_rate' | 'exception' | 'funding' | 'refund' | 'return' | 'payout' | 'fee'
      readonly id: string
    }

/** What the log says of a movement, by its position on the ledger; null if it says nothing. */
export interface NamingFacts {
  /** Whether it belongs to the account's set-up. */
  readonly isSetUp: (movement: Movement) => boolean
  /** What recorded this gain as an incoming payment. */
  readonly creditedTo: (movement: Movement) => MovementName | null
  /** What this loss was paid out for. */
  readonly paidOutFor: (movement: Movement) => MovementName | null
  /** Our transaction that this fee, or its refund, belongs to. */
  readonly feeFor: (movement: Movement) => MovementName | null
}

/** Names a movement by what is recorded; null if nothing of ours accounts for it. */
export const nameMovement = (facts: NamingFacts, movement: Movement): MovementName | null => {
  if (facts.isSetUp(movement)) return { _tag: 'set_up', id: null }
  const isGain = movement.delta > 0n
  switch (movement._tag) {
    case 'fee':
    case 'fee_refund':
      return facts.feeFor(movement)
    case 'payment':
      return isGain ? facts.creditedTo(movement) : facts.paidOutFor(movement)
    case 'path_payment':
    case 'account_created':
    case 'account_merged':
    case 'claimable_balance_claimed':
    case 'contract_transfer':
    case 'contract_mint':
    case 'contract_call':
      return isGain ? facts.creditedTo(movement) : null
    case 'claimable_balance_created':
    case 'clawback':
    case 'trade':
    case 'pool_deposit':
    case 'pool_withdrawal':
    case 'contract_burn':
    case 'contract_clawback':
    case 'other':
      return null
  }
}
