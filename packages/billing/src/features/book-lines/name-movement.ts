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

/**
 * An entry of the log that is the sum of `count` gains, of one ledger and account and in one asset. `isOfSession`: they
 * named a session, all by the same memo or transaction; else they named none.
 */
export type SummedGains = {
  readonly name: MovementName
  readonly count: number
  readonly amount: bigint
  readonly isOfSession: boolean
  /** Called when all of them were found. */
  readonly found: () => void
}

/** What the log says of a movement, by its position on the ledger; null if it says nothing. */
export interface NamingFacts {
  /** Whether it belongs to the account's set-up. */
  readonly isSetUp: (movement: Movement) => Promise<boolean>
  /** What recorded this gain as an incoming payment. */
  readonly creditedTo: (movement: Movement) => Promise<MovementName | null>
  /** The sum whose first gain this is. */
  readonly summedFrom: (movement: Movement) => Promise<SummedGains | null>
  /** The session that its memo names. */
  readonly sessionOf: (movement: Movement) => Promise<string | null>
  /** What this loss was paid out for. */
  readonly paidOutFor: (movement: Movement) => Promise<MovementName | null>
  /** Our transaction that this fee, or its refund, belongs to. */
  readonly feeFor: (movement: Movement) => Promise<MovementName | null>
}

/** Names a movement by what is recorded; null if nothing of ours accounts for it. */
export const nameMovement = async (facts: NamingFacts, movement: Movement): Promise<MovementName | null> => {
  if (await facts.isSetUp(movement)) return { _tag: 'set_up', id: null }
  if (isCredit(movement)) return facts.creditedTo(movement)
  switch (movement._tag) {
    case 'fee':
    case 'fee_refund':
      return facts.feeFor(movement)
    case 'payment':
      return facts.paidOutFor(movement)
    case 'path_payment':
    case 'account_created':
    case 'account_merged':
    case 'claimable_balance_claimed':
    case 'contract_transfer':
    case 'contract_mint':
    case 'contract_call':
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

const creditKinds: ReadonlySet<Movement['_tag']> = new Set([
  'payment',
  'path_payment',
  'account_created',
  'account_merged',
  'claimable_balance_claimed',
  'contract_transfer',
  'contract_mint',
  'contract_call',
])

/** Whether the movement is an incoming payment. */
export const isCredit = ({ _tag, delta }: Movement): boolean => delta > 0n && creditKinds.has(_tag)
