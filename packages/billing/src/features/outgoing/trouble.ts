import type {
  AccountId,
  ContractId,
  ExceptionId,
  LedgerSequence,
  Stroops,
  SubscriptionId,
  TransactionHash,
} from '@quittance/domain'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'

/**
 * Why money does not go out as it should, so that a person has to look. A trouble lasts until a pass no longer meets it;
 * `FeeCapReached` until its transaction is in a ledger or has ended; a contradiction until the process ends.
 */
export type SettlementTrouble =
  /** The account cannot pay fees, does not exist, or has no sequence number left. Its intents keep waiting. */
  | { readonly _tag: 'FeeSourceCannotPay'; readonly account: AccountId }
  /** The network asks for more than a transaction may ever bid. */
  | { readonly _tag: 'FeeCapReached'; readonly transactionHash: TransactionHash; readonly feeCap: Stroops }
  /** The network refuses our bytes as invalid. */
  | { readonly _tag: 'SubmissionRefused'; readonly transactionHash: TransactionHash; readonly code: string }
  /** The vault has no key for an account that is to pay, or cannot use it. */
  | { readonly _tag: 'CannotSign'; readonly account: AccountId; readonly cause: string }
  /** Nobody can be asked whether those who would be paid are listed: their money waits. */
  | { readonly _tag: 'ScreeningUnavailable'; readonly cause: string }
  /** Charges cannot be simulated, or the simulation refuses all of them. */
  | { readonly _tag: 'CannotCharge'; readonly contractId: ContractId; readonly cause: string }
  /** The rent of a contract that mandates name cannot be paid, or costs more than it may. */
  | { readonly _tag: 'CannotKeepContract'; readonly contractId: ContractId; readonly cause: string }
  /** No checkpoint of the log can be put on the ledger, or the last one did not get there. */
  | { readonly _tag: 'CannotAnchor'; readonly cause: string }
  /** A contract that mandates name is archived soon, or is (0 days left): its rent should have been paid by now. */
  | {
      readonly _tag: 'ContractEnding'
      readonly contractId: ContractId
      readonly entry: 'instance' | 'code'
      readonly daysLeft: number
    }
  /** The network runs a protocol that this release does not know: what is new in its ledgers cannot be read. */
  | { readonly _tag: 'ProtocolUnknown'; readonly protocol: number; readonly readable: number }
  /** The network moves to such a protocol. `daysLeft` is null where nobody has said when. */
  | {
      readonly _tag: 'ProtocolComing'
      readonly protocol: number
      readonly readable: number
      readonly daysLeft: number | null
    }
  /** Ingestion has halted at a ledger that nodes drop in so many days; null where none says how long it keeps ledgers. */
  | { readonly _tag: 'LedgersUnread'; readonly ledger: LedgerSequence; readonly daysLeft: number | null }
  /** After ledgers that could not be read and were passed over, so many balances are not what the books say. */
  | { readonly _tag: 'PassedOverDiffers'; readonly ledger: LedgerSequence; readonly differing: number }
  /** The testnet was reset: nothing is sent or ingested until the operator has started it anew. */
  | { readonly _tag: 'NetworkReset' }
  /** Other ledgers have taken the place of the mainnet's that were ingested: nothing is sent. */
  | { readonly _tag: 'LedgerReplaced' }
  /** A ledger or a node tells of another end than the recorded or ingested one. */
  | {
      readonly _tag: 'OutcomeContradicted'
      readonly transactionHash: TransactionHash
      readonly ledger: LedgerSequence
      readonly cause: string
    }
  /** Its end lies in ledgers that were skipped or that no node holds. It is neither sent again nor given up. */
  | { readonly _tag: 'OutcomeUnprovable'; readonly transactionHash: TransactionHash }
  /** A charge has had no end for a day, or cannot be made. */
  | {
      readonly _tag: 'SubscriptionStuck'
      readonly subscriptionId: SubscriptionId
      readonly cause: 'outcome_unknown' | 'charge_stuck'
    }
  /** Several charges failed in ledgers within a day. No more are made for a day unless an operator allows it. */
  | { readonly _tag: 'AttemptsStopped'; readonly subscriptionId: SubscriptionId }
  /** An account cannot be set up, for a reason that is not its merchant's. It is retried with growing pauses. */
  | {
      readonly _tag: 'SetUpStuck'
      readonly account: AccountId
      readonly reason: 'friendbot_failed' | 'sponsor_missing' | 'sponsor_cannot_pay' | 'step_failed'
      readonly cause: string
    }
  /** The oldest of the exceptions that have waited for a decision for days. */
  | { readonly _tag: 'ExceptionWaits'; readonly exceptionId: ExceptionId }

export type Raise = (trouble: SettlementTrouble) => void

/** The troubles of the last pass and of the present one. */
export interface Troubles {
  readonly raise: Raise
  /** Ends a complete pass: the troubles that it did not meet are over. */
  readonly settled: () => Promise<void>
  readonly present: () => ReadonlyArray<SettlementTrouble>
}

const keyOf = (trouble: SettlementTrouble): string =>
  JSON.stringify(trouble, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

/**
 * Calls `alarm` once for each new trouble; one that was over is new again. `isReleased`: whether a transaction of ours is
 * still on its way, by the ingested ledgers.
 */
export const openTroubles = (
  alarm: Raise,
  isReleased: (transactionHash: TransactionHash) => Promise<boolean>,
): Troubles => {
  const lasts = async (trouble: SettlementTrouble): Promise<boolean> =>
    trouble._tag === 'OutcomeContradicted' ||
    (trouble._tag === 'FeeCapReached' && (await isReleased(trouble.transactionHash)))
  let known = new Map<string, SettlementTrouble>()
  let met = new Map<string, SettlementTrouble>()
  return {
    raise: (trouble) => {
      const key = keyOf(trouble)
      if (!known.has(key) && !met.has(key)) alarm(trouble)
      met.set(key, trouble)
    },
    settled: async () => {
      known = new Map([...(await filterInTurn([...known], ([, trouble]) => lasts(trouble))), ...met])
      met = new Map()
    },
    present: () => [...new Map([...known, ...met]).values()],
  }
}
