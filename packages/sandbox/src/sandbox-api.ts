import type { xdr } from '@stellar/stellar-sdk'
import type { Either } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { PathQuery, PaymentPath } from './exchange/payment-path.ts'
import type { Faults } from './faults/faults.ts'
import type { KeptFaults } from './faults/kept-faults.ts'

/** An asset the sandbox issues. `assetId` is the SEP-11 name: `native`, or `CODE:ISSUER`; the native one has no issuer. */
export type SandboxAsset = { readonly assetId: string; readonly code: string; readonly issuer: string | null }

/** `now` in milliseconds since 1970, `ledger` the sequence of the last closed ledger. */
export type ClockReading = { readonly now: number; readonly ledger: number }

/** A closed ledger. `closeTime` in whole seconds since 1970, `hash` the SHA-256 of its header in hex. */
export type ClosedLedger = {
  readonly sequence: number
  readonly hash: string
  readonly closeTime: number
  readonly transactions: number
}

/** What a node answers to a submission. `errorResult` is the base64 `TransactionResult` that says why not. */
export type Submission =
  | { readonly status: 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER'; readonly hash: string }
  | { readonly status: 'ERROR'; readonly hash: string; readonly errorResult: string }

/** The text is no base64 `TransactionEnvelope`. */
export type MalformedEnvelope = { readonly _tag: 'MalformedEnvelope' }

/** `address` is a `G…` account. Without an asset: 10,000 XLM; with one: 10,000 of it, to an account that trusts it. */
export type FundRequest = { readonly address: string; readonly assetId?: string }
export type Funding = { readonly hash: string; readonly ledger: number }

/**
 * The request cannot be met: not an address, not an asset of the sandbox, or refused by the ledger. `code` is then the
 * network's own name of the reason, such as `createAccountAlreadyExist` or `paymentNoTrust`.
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

/** A place in the chain of ledgers; `closeTime` in whole seconds since 1970. */
export type LedgerPlace = { readonly sequence: number; readonly closeTime: number }

/** A kept ledger; `meta` is its `LedgerCloseMeta`, in XDR. */
export type StoredLedger = LedgerPlace & { readonly hash: string; readonly meta: Uint8Array }

/**
 * A transaction of a kept ledger. Envelope, result and meta are XDR; `order` counts from 1 in the order of
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

/** Where an event stands: its ledger, its transaction in there (counted from 1), and its index in that (from 0). */
export type EventPlace = { readonly ledger: number; readonly order: number; readonly index: number }

/** What a contract has announced, a `ContractEvent` in XDR, by which transaction, and when, in seconds since 1970. */
export type StoredEvent = EventPlace & { readonly hash: string; readonly closeTime: number; readonly event: Uint8Array }

/** Reads what the network has closed. */
export interface LedgerReader {
  /** The first and the last ledger kept: the last 120,960. */
  readonly range: () => { readonly oldest: LedgerPlace; readonly latest: LedgerPlace }
  readonly ledgersFrom: (sequence: number, limit: number) => ReadonlyArray<StoredLedger>
  readonly findTransaction: (hash: string) => StoredTransaction | undefined
  /** Those at or after a place (ledger, order), in order. */
  readonly transactionsFrom: (ledger: number, order: number, limit: number) => ReadonlyArray<StoredTransaction>
  /** The events of contracts behind a place, up to a ledger, in order. */
  readonly eventsBehind: (place: EventPlace, lastLedger: number, limit: number) => ReadonlyArray<StoredEvent>
  /** What each transaction of some ledgers was charged for one operation, without resources, in stroops, ascending. */
  readonly feesBetween: (kind: 'classic' | 'contract', first: number, last: number) => ReadonlyArray<number>
  readonly findEntry: (key: xdr.LedgerKey) => xdr.LedgerEntry | undefined
  readonly findPaths: (query: PathQuery) => ReadonlyArray<PaymentPath>
  /** Each asset that an account can pay with, the native one first, and how much of it, in stroops. */
  readonly spendable: (account: xdr.PublicKey) => ReadonlyArray<{ readonly asset: xdr.Asset; readonly amount: bigint }>
}

/** A fault names an account, an asset or an entry that there cannot be: which field of which knob is wrong. */
export type FaultRefused = {
  readonly _tag: 'FaultRefused'
  readonly knob: 'deauthorise' | 'expired_allowance' | 'archived_entry'
  readonly field: 'account' | 'asset_id' | 'mandate' | 'key'
}

/** The network's fault knobs. They are kept with the ledger: they act in every process, and after a restart. */
export interface FaultKnobs extends Pick<KeptFaults, 'present' | 'take'> {
  /** Sets these and turns off all others. */
  readonly set: (faults: Faults) => Either<FaultRefused, Faults>
}

/** A Stellar network in this process, kept in one database. Several processes may open the same one. */
export interface Sandbox {
  readonly networkPassphrase: string
  /** XLM first, then what the sandbox's own issuers issue. */
  readonly assets: () => ReadonlyArray<SandboxAsset>
  /** The contract that mandates are made with, `C…`. Code: `contracts/mandate/quittance_mandate.wasm`. */
  readonly mandateContract: string
  readonly clock: () => ClockReading
  /** What has been closed, whatever faults a node is told to show. */
  readonly read: LedgerReader
  readonly faults: FaultKnobs
  /** Puts a signed envelope (base64 XDR) in the queue of the next ledger. What was answered PENDING is durable. */
  readonly submit: (envelope: string) => Either<MalformedEnvelope, Submission>
  /** Closes one ledger now, with what is queued; the clock moves to its close time when that is ahead. */
  readonly close: () => ClosedLedger
  /** Closes a ledger each second until `stop`. */
  readonly start: () => void
  readonly stop: () => void
  /**
   * Moves the clock: settle; then, until the target, clock to the earlier of next due and target, close a ledger,
   * settle. While transactions are queued, settling closes further ledgers a second apart, so `now` may end seconds
   * past the target. Ledgers by clock wait meanwhile.
   */
  readonly advance: (request: AdvanceRequest) => TaskEither<TargetInThePast, ClockReading>
  /** Answers once the money is on the ledger: at the next close by clock, or at one of its own when stopped. */
  readonly fund: (request: FundRequest) => TaskEither<FundingRefused, Funding>
  /** Creates the account of this secret key (`S…`) with 10,000 XLM where missing, and its trustlines to all assets. */
  readonly provision: (secretKey: string) => TaskEither<FundingRefused, { readonly address: string }>
}
