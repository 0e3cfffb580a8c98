import type { xdr } from '@stellar/stellar-sdk'
import type { Either } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { PathQuery, PaymentPath } from './exchange/payment-path.ts'
import type { FaultStore } from './faults/fault-store.ts'
import type { Faults } from './faults/faults.ts'

/**
 * An asset of the sandbox. `assetId` is the SEP-11 name: `native`, or `CODE:ISSUER`; the native asset has no issuer.
 */
export type SandboxAsset = { readonly assetId: string; readonly code: string; readonly issuer: string | null }

/** `now` in milliseconds since 1970; `ledger` is the sequence of the last closed ledger. */
export type ClockReading = { readonly now: number; readonly ledger: number }

/** A closed ledger. `closeTime` in whole seconds since 1970; `hash` is the SHA-256 of its header in hex. */
export type ClosedLedger = {
  readonly sequence: number
  readonly hash: string
  readonly closeTime: number
  readonly transactions: number
}

/** A node's answer to a submission. `errorResult` is the `TransactionResult` of the refusal, in base64. */
export type Submission =
  | { readonly status: 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER'; readonly hash: string }
  | { readonly status: 'ERROR'; readonly hash: string; readonly errorResult: string }

/** The text is not a base64 `TransactionEnvelope`. */
export type MalformedEnvelope = { readonly _tag: 'MalformedEnvelope' }

/** `address` is a `G…` account. Grants 10,000 XLM, or 10,000 of the asset to an account that trusts it. */
export type FundRequest = { readonly address: string; readonly assetId?: string }
export type Funding = { readonly hash: string; readonly ledger: number }

/**
 * The request cannot be met: an invalid address, an unknown asset, or a refusal by the ledger. `code` is then the
 * network's name of the reason, such as `createAccountAlreadyExist` or `paymentNoTrust`.
 */
export type FundingRefused = { readonly _tag: 'FundingRefused'; readonly code: string }

/** The target of an advance lies before `now`. */
export type TargetInThePast = { readonly _tag: 'TargetInThePast'; readonly now: number }

/**
 * How far to move the clock, and the worker's two hooks. `to` and the answer of `nextDue` are milliseconds since 1970;
 * `nextDue` answers null when nothing is waiting; `settle` runs the workers until nothing is due.
 */
export type AdvanceRequest = ({ readonly to: number } | { readonly seconds: number }) & {
  readonly nextDue: () => Promise<number | null>
  readonly settle: () => Promise<void>
}

/** A ledger's number and close time, in whole seconds since 1970. */
export type LedgerSummary = { readonly sequence: number; readonly closeTime: number }

/** A stored ledger; `meta` is its `LedgerCloseMeta`, in XDR. */
export type StoredLedger = LedgerSummary & { readonly hash: string; readonly meta: Uint8Array }

/**
 * A transaction of a stored ledger. Envelope, result and meta are XDR; `order` counts from 1 in the order of
 * application; `closeTime` is its ledger's.
 */
export type StoredTransaction = {
  readonly hash: string
  readonly ledger: number
  readonly closeTime: number
  readonly order: number
  readonly succeeded: boolean
  readonly envelope: Uint8Array
  readonly result: Uint8Array
  readonly meta: Uint8Array
}

/** An event's position: its ledger, its transaction there (from 1), and its index in that (from 0). */
export type EventPosition = { readonly ledger: number; readonly order: number; readonly index: number }

/**
 * An event that a contract emitted, a `ContractEvent` in XDR, with its transaction's hash and close time in seconds
 * since 1970.
 */
export type StoredEvent = EventPosition & {
  readonly hash: string
  readonly closeTime: number
  readonly event: Uint8Array
}

/** Reads closed ledgers. */
export interface LedgerReader {
  /** The first and the last stored ledger; at most 120,960 are stored. */
  readonly range: () => { readonly oldest: LedgerSummary; readonly latest: LedgerSummary }
  readonly ledgersFrom: (sequence: number, limit: number) => ReadonlyArray<StoredLedger>
  readonly findTransaction: (hash: string) => StoredTransaction | undefined
  /** Transactions from a position (ledger, order) on, in order. */
  readonly transactionsFrom: (ledger: number, order: number, limit: number) => ReadonlyArray<StoredTransaction>
  /** Events after a position, up to a ledger, in order. */
  readonly eventsBehind: (place: EventPosition, lastLedger: number, limit: number) => ReadonlyArray<StoredEvent>
  /** The inclusion fee per operation of each transaction in these ledgers, in stroops, ascending. */
  readonly feesBetween: (kind: 'classic' | 'contract', first: number, last: number) => ReadonlyArray<number>
  readonly findEntry: (key: xdr.LedgerKey) => xdr.LedgerEntry | undefined
  readonly findPaths: (query: PathQuery) => ReadonlyArray<PaymentPath>
  /** The assets that an account can pay with, the native one first, and the amounts, in stroops. */
  readonly spendable: (account: xdr.PublicKey) => ReadonlyArray<{ readonly asset: xdr.Asset; readonly amount: bigint }>
}

/** A fault knob names an impossible account, asset or entry: which field of which knob. */
export type FaultRefused = {
  readonly _tag: 'FaultRefused'
  readonly knob: 'deauthorise' | 'expired_allowance' | 'archived_entry'
  readonly field: 'account' | 'asset_id' | 'mandate' | 'key'
}

/** The network's fault knobs, stored with the ledger: they act in every process and survive restarts. */
export interface FaultKnobs extends Pick<FaultStore, 'present' | 'take'> {
  /** Sets these and turns off all others. */
  readonly set: (faults: Faults) => Either<FaultRefused, Faults>
}

/** A Stellar network in this process, stored in one database, which several processes may open. */
export interface Sandbox {
  readonly networkPassphrase: string
  /** XLM first, then the assets of the sandbox's own issuers. */
  readonly assets: () => ReadonlyArray<SandboxAsset>
  /** The mandate contract, `C…`. Code: `contracts/mandate/quittance_mandate.wasm`. */
  readonly mandateContract: string
  readonly clock: () => ClockReading
  /** Closed ledgers, whatever faults a node shows. */
  readonly read: LedgerReader
  readonly faults: FaultKnobs
  /** Queues a signed envelope (base64 XDR) for the next ledger. A PENDING answer is durable. */
  readonly submit: (envelope: string) => Either<MalformedEnvelope, Submission>
  /** Closes one ledger now with the queued transactions; moves the clock to its close time if that is ahead. */
  readonly close: () => ClosedLedger
  /** Closes a ledger each second until `stop`. */
  readonly start: () => void
  readonly stop: () => void
  /**
   * Moves the clock: settles, then repeats until the target: moves the clock to the earlier of the next due time and
   * the target, closes a ledger, settles. While transactions are queued, settling closes further ledgers a second
   * apart, so `now` may end seconds past the target. Pauses `start` meanwhile.
   */
  readonly advance: (request: AdvanceRequest) => TaskEither<TargetInThePast, ClockReading>
  /** Answers once the money is on the ledger: at the next timed close, or at an immediate one when stopped. */
  readonly fund: (request: FundRequest) => TaskEither<FundingRefused, Funding>
  /** Creates the account of this secret key (`S…`) with 10,000 XLM and its trustlines to all assets, where missing. */
  readonly provision: (secretKey: string) => TaskEither<FundingRefused, { readonly address: string }>
}
