import type { AcceptedAsset, AccountId, ContractId, Environment, Stroops, UnixMs } from '@quittance/domain'
import type { EventStore, SqlDatabase } from '@quittance/event-store'
import type { ContractCode, Friendbot, LedgerGateway, PathFinder, Reference } from '@quittance/ledger'
import type { ReadModels } from '@quittance/projections'
import type { VerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Claims } from '../kernel/claims.ts'
import type { Clock } from '../kernel/clock.ts'
import type { AwaitingRate } from '../stores/awaiting-rate.ts'
import type { Backfills } from '../stores/backfills.ts'
import type { CaughtUp } from '../stores/caught-up.ts'
import type { Challenges } from '../stores/challenges.ts'
import type { ChangeNotifications } from '../stores/change-notifications.ts'
import type { Cursors } from '../stores/cursor.ts'
import type { ToDo } from '../stores/deliveries/to-do.ts'
import type { Halts } from '../stores/halts.ts'
import type { KeptCheckpoints } from '../stores/kept-checkpoints.ts'
import type { KeyUse } from '../stores/key-use.ts'
import type { LatestCheckpoint } from '../stores/latest-checkpoint.ts'
import type { LeftMerchants } from '../stores/left-merchants.ts'
import type { LogTree } from '../stores/log-tree/log-tree.ts'
import type { MailedCodes } from '../stores/mail/mailed-codes.ts'
import type { Mailers } from '../stores/mail/mailer.ts'
import type { Outbox } from '../stores/mail/outbox.ts'
import type { MemberStores } from '../stores/members/members.ts'
import type { Parked } from '../stores/parked/parked.ts'
import type { PortalSessions } from '../stores/portal-sessions.ts'
import type { Pricer } from '../stores/quotes/quoter.ts'
import type { Relays } from '../stores/relays.ts'
import type { Screening } from '../stores/screening/port.ts'
import type { SeenAccounts } from '../stores/seen-accounts.ts'
import type { SeenCollecting } from '../stores/seen-collecting.ts'
import type { Setbacks } from '../stores/setbacks/setbacks.ts'
import type { SignRequest } from '../stores/sign-request.ts'
import type { Vault } from '../stores/vault/port.ts'
import type { Violations } from '../stores/violations.ts'
import type { Freezing } from './freezing.ts'
import type { Holding } from './holding.ts'
import type { JustArrived } from './just-arrived.ts'
import type { LogStandings } from './log-standing.ts'
import type { NetworkEpochs } from './network-epochs.ts'
import type { Settlements } from './settlements.ts'

/** Finds paths to pay with other assets, their cost by the rates, and the assets that payers often hold, including XLM. */
export type PathMarket = {
  readonly finder: PathFinder
  readonly reference: Reference
  readonly assets: ReadonlyArray<AcceptedAsset>
}

/** A Stellar network that an environment settles on, with its quotes. */
export type Network = Pricer & {
  readonly gateway: LedgerGateway
  /** Null if payers can only pay with the requested asset. */
  readonly paths: PathMarket | null
  /** The contract of new mandates; null if none is configured, so that no subscription can be sold. */
  readonly mandateContract: ContractId | null
  /** The code of which the worker makes that contract where the ledger lacks it, if its id is that of the operator account's own. */
  readonly mandateCode?: ContractCode | null
  /** The assets that merchants accept unless they choose others; the first is the default. */
  readonly assets: ReadonlyArray<AcceptedAsset>
  /** Funds the account of a secret key and sets its trustlines. Null if an operator has to do it. */
  readonly provision: ((secret: string) => TaskEither<ProvisionFailed, void>) | null
  /** The native balance that `provision` leaves in an account without any incoming payment; 0 without `provision`. */
  readonly setUpBalance: Stroops
  /** Whether backups hold this network, as they hold the sandbox: what no ledger of it holds ends with the process. */
  readonly isInBackups: boolean
  /** Gives an account its first lumens for free; null if nobody does. */
  readonly friendbot: Friendbot | null
  /** The next upgrade of the network's protocol, as the operator has heard of it: no node knows when it comes. */
  readonly announcedUpgrade?: AnnouncedUpgrade | null
  /** Where the operator's fees are paid to; without one they are booked alone. */
  readonly feeAccount?: AccountId | null
  /** The recovery key of settlement accounts that are set up from now on. */
  readonly recoverySigner?: AccountId | null
  /** How often a checkpoint of the log is put on this ledger; never if null. */
  readonly anchorEveryMs?: number | null
}

/** The next protocol of the network, and from when on (Unix milliseconds). */
export type AnnouncedUpgrade = { readonly protocol: number; readonly at: UnixMs }

export type ProvisionFailed = { readonly _tag: 'ProvisionFailed'; readonly reason: string }

export type NetworkNotConfigured = { readonly _tag: 'NetworkNotConfigured'; readonly environment: Environment }

export const networkOf = (
  { networks }: Pick<Services, 'networks'>,
  environment: Environment,
): E.Either<NetworkNotConfigured, Network> =>
  E.fromNullable<NetworkNotConfigured>({ _tag: 'NetworkNotConfigured', environment })(networks[environment])

/** The contracts whose mandates count in an environment: that of new ones, and every one that the log has a mandate or an offer in. */
export const mandateContractsOf = async (
  { networks, readModels }: Pick<Services, 'networks' | 'readModels'>,
  environment: Environment,
): Promise<ReadonlySet<ContractId>> => {
  const { mandateContracts, offeredContracts } = readModels
  const known = [...(await mandateContracts.all()), ...(await offeredContracts.all())].filter(
    (found) => found.environment === environment,
  )
  const configured = networks[environment]?.mandateContract ?? null
  return new Set([...(configured === null ? [] : [configured]), ...known.map(({ row }) => row.contract)])
}

/** Everything that the application uses. A network is null if its environment is not configured. */
export type Services = {
  readonly store: EventStore
  readonly readModels: ReadModels
  readonly caughtUp: CaughtUp
  readonly claims: Claims
  readonly cursors: Cursors
  readonly halts: Halts
  readonly awaitingRate: AwaitingRate
  readonly relays: Relays
  readonly violations: Violations
  readonly backfills: Backfills
  readonly setbacks: Setbacks
  readonly parked: Parked
  readonly keyUse: KeyUse
  readonly challenges: Challenges
  readonly portalSessions: PortalSessions
  readonly mailedCodes: MailedCodes
  readonly mailers: Mailers
  readonly outbox: Outbox
  readonly members: MemberStores
  readonly toDo: ToDo
  readonly changes: ChangeNotifications
  readonly vault: Vault
  readonly clock: Clock
  readonly settlementOf: Settlements
  /** Settlement accounts that could be paid a moment ago. */
  readonly seenAccounts: SeenAccounts
  readonly seenCollecting: SeenCollecting
  /** What this process has read of ledgers that are not ingested yet. */
  readonly justArrived: JustArrived
  /** A fresh command id, for requests without an idempotency key. */
  readonly freshId: () => string
  readonly networks: Readonly<Record<Environment, Network | null>>
  readonly logStanding: LogStandings
  /** The Merkle tree over the log. */
  readonly logTree: LogTree
  readonly latestCheckpoint: LatestCheckpoint
  /** Null where nothing is kept beside the log. */
  readonly keptCheckpoints: KeptCheckpoints | null
  /** The keys of the witnesses that cosign checkpoints. */
  readonly witnessKeys: ReadonlyArray<VerifierKey>
  readonly epochs: NetworkEpochs
  readonly freezing: Freezing
  /** The file of the log, and of what is in no log; null where the log is on a server. */
  readonly logFile: SqlDatabase | null
  /** Nothing of these merchants is written or sent. */
  readonly left: LeftMerchants
  /** Tells with whom the service must not deal. */
  readonly screening: Screening
  readonly holding: Holding
  readonly signRequest: SignRequest
  /** Accounts that many owners share by memos: nothing is paid out to them. */
  readonly omnibusAccounts: ReadonlySet<AccountId>
  /** The address of the service for payers, without a trailing slash. */
  readonly publicUrl: () => string
}
