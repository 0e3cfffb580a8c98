import type {
  AccountId,
  ContractId,
  ExceptionId,
  LedgerSequence,
  Stroops,
  SubscriptionId,
  TransactionHash,
} from '@quittance/domain'

/**
 * Why money does not go out as it should: a person has to look. Each lasts until a pass no longer meets it; `FeeCapReached`
 * until its transaction is taken or has ended, whatever nodes answer meanwhile; a contradiction for as long as the process
 * does.
 */
export type SettlementTrouble =
  /** The account cannot pay fees, does not exist, or has no sequence number left: what waits for it goes on waiting. */
  | { readonly _tag: 'FeeSourceCannotPay'; readonly account: AccountId }
  /** The network asks for more than a transaction may ever bid. */
  | { readonly _tag: 'FeeCapReached'; readonly transactionHash: TransactionHash; readonly feeCap: Stroops }
  /** Our own bytes are not what the network takes. */
  | { readonly _tag: 'SubmissionRefused'; readonly transactionHash: TransactionHash; readonly code: string }
  /** The vault has no key for an account that is to pay, or cannot use it. */
  | { readonly _tag: 'CannotSign'; readonly account: AccountId; readonly cause: string }
  /** Nobody can say what would come of charges, or the network would have none of them. */
  | { readonly _tag: 'CannotCharge'; readonly contractId: ContractId; readonly cause: string }
  /** A ledger, or a node, tells another end than the one that was recorded or ingested. */
  | {
      readonly _tag: 'OutcomeContradicted'
      readonly transactionHash: TransactionHash
      readonly ledger: LedgerSequence
      readonly cause: string
    }
  /** Its end lies among ledgers that were skipped, or that no node holds: neither sent again nor given up. */
  | { readonly _tag: 'OutcomeUnprovable'; readonly transactionHash: TransactionHash }
  /** A charge has had no end for a day, or could not be made. */
  | {
      readonly _tag: 'SubscriptionStuck'
      readonly subscriptionId: SubscriptionId
      readonly cause: 'outcome_unknown' | 'charge_stuck'
    }
  /** Several charges of it reached a ledger within a day and failed: none is made for a day, unless a person allows it. */
  | { readonly _tag: 'AttemptsStopped'; readonly subscriptionId: SubscriptionId }
  /** An account cannot be set up, as far as it depends on others than its merchant. It is tried again, in growing pauses. */
  | {
      readonly _tag: 'SetUpStuck'
      readonly account: AccountId
      readonly reason: 'friendbot_failed' | 'sponsor_missing' | 'sponsor_cannot_pay' | 'step_failed'
      readonly cause: string
    }
  /** Of the exceptions that have waited for a person for days, the oldest. */
  | { readonly _tag: 'ExceptionWaits'; readonly exceptionId: ExceptionId }

export type Raise = (trouble: SettlementTrouble) => void

/** The troubles of the last pass, and of the one under way. */
export interface Troubles {
  readonly raise: Raise
  /** Ends a pass that came to everything: what it did not meet is over. */
  readonly settled: () => void
  readonly present: () => ReadonlyArray<SettlementTrouble>
}

const keyOf = (trouble: SettlementTrouble): string =>
  JSON.stringify(trouble, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

/**
 * Tells `alarm` once of each new trouble; one that was over is new again. `isReleased`: whether a transaction of ours is on
 * its way still, as far as its ledgers were ingested.
 */
export const troublesTold = (alarm: Raise, isReleased: (transactionHash: TransactionHash) => boolean): Troubles => {
  const lasts = (trouble: SettlementTrouble): boolean =>
    trouble._tag === 'OutcomeContradicted' || (trouble._tag === 'FeeCapReached' && isReleased(trouble.transactionHash))
  let known = new Map<string, SettlementTrouble>()
  let met = new Map<string, SettlementTrouble>()
  return {
    raise: (trouble) => {
      const key = keyOf(trouble)
      if (!known.has(key) && !met.has(key)) alarm(trouble)
      met.set(key, trouble)
    },
    settled: () => {
      known = new Map([...[...known].filter(([, trouble]) => lasts(trouble)), ...met])
      met = new Map()
    },
    present: () => [...new Map([...known, ...met]).values()],
  }
}
