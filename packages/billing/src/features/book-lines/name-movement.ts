import type { Movement } from '@quittance/ledger'

/**
 * What names a change of a settlement account's balance. `id` is that of the payment, the exception, the funding, the
 * refund, the return or the payout, of the checkout whose credit waits for a rate, or the hash of the transaction of ours
 * that cost a fee. Of a set-up, it is that of the payment that created the account; null for what came before a merchant
 * was told of the account.
 */
export type MovementName =
  | { readonly _tag: 'set_up'; readonly id: string | null }
  | {
      readonly _tag: 'payment' | 'awaiting_rate' | 'exception' | 'funding' | 'refund' | 'return' | 'payout' | 'fee'
      readonly id: string
    }

/** What the log says of a movement, each asked by the place where the ledger holds it. Null where it says nothing. */
export interface NamingFacts {
  /** Whether it came while the account was being set up. */
  readonly isSetUp: (movement: Movement) => boolean
  /** What has recorded this very gain as a credit. */
  readonly creditedTo: (movement: Movement) => MovementName | null
  /** What this very loss was paid out for. */
  readonly paidOutFor: (movement: Movement) => MovementName | null
  /** The transaction of ours that this fee, or what was given back of it, belongs to. */
  readonly feeFor: (movement: Movement) => MovementName | null
}

/** Names a movement by what is recorded; null where nothing of ours accounts for it. */
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
