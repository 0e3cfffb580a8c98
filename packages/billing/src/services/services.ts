import type { AcceptedAsset, AccountId, ContractId, Environment, Stroops } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import type { Friendbot, LedgerGateway, PathFinder, Reference } from '@quittance/ledger'
import type { ReadModels } from '@quittance/projections'
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
import type { KeyUse } from '../stores/key-use.ts'
import type { Parked } from '../stores/parked/parked.ts'
import type { PortalSessions } from '../stores/portal-sessions.ts'
import type { Quoter } from '../stores/quotes/quoter.ts'
import type { Relays } from '../stores/relays.ts'
import type { SeenAccounts } from '../stores/seen-accounts.ts'
import type { SeenCollecting } from '../stores/seen-collecting.ts'
import type { Setbacks } from '../stores/setbacks/setbacks.ts'
import type { SignRequest } from '../stores/sign-request.ts'
import type { Vault } from '../stores/vault/port.ts'
import type { Violations } from '../stores/violations.ts'
import type { Settlements } from './settlements.ts'

/** Who finds ways to pay with other assets, what they should cost by the rates, and what payers here often hold, XLM among it. */
export type PathMarket = {
  readonly finder: PathFinder
  readonly reference: Reference
  readonly assets: ReadonlyArray<AcceptedAsset>
}

/** A Stellar network that an environment settles on, and who prices in its assets. */
export type Network = {
  readonly gateway: LedgerGateway
  readonly quote: Quoter
  /** Null where payers can only pay with the asset that is asked for. */
  readonly paths: PathMarket | null
  /** The contract that collects for subscriptions; null where none is configured, and no subscription can be sold. */
  readonly mandateContract: ContractId | null
  /** What merchants take here unless they choose otherwise; the first is the default. */
  readonly assets: ReadonlyArray<AcceptedAsset>
  /** Funds the account of a secret key and sets its trustlines. Null where an operator has to do it. */
  readonly provision: ((secret: string) => TaskEither<ProvisionFailed, void>) | null
  /** What of the native asset `provision` leaves in an account, which no credit names; 0 without it. */
  readonly setUpBalance: Stroops
  /** Gives an account its first lumens for nothing; null where nobody does. */
  readonly friendbot: Friendbot | null
}

export type ProvisionFailed = { readonly _tag: 'ProvisionFailed'; readonly reason: string }

export type NetworkNotConfigured = { readonly _tag: 'NetworkNotConfigured'; readonly environment: Environment }

export const networkOf = (
  { networks }: Pick<Services, 'networks'>,
  environment: Environment,
): E.Either<NetworkNotConfigured, Network> =>
  E.fromNullable<NetworkNotConfigured>({ _tag: 'NetworkNotConfigured', environment })(networks[environment])

/** The contracts whose mandates count in an environment: the one it names, if any. */
export const mandateContractsOf = ({ mandateContract }: Pick<Network, 'mandateContract'>): ReadonlySet<ContractId> =>
  new Set(mandateContract === null ? [] : [mandateContract])

/** What the application stands on. `null`: the environment is not configured, and nothing can be sold in it. */
export type Services = {
  readonly store: EventStore
  readonly readModels: ReadModels
  readonly caughtUp: CaughtUp
  readonly claims: Claims
  readonly cursors: Cursors
  readonly awaitingRate: AwaitingRate
  readonly relays: Relays
  readonly violations: Violations
  readonly backfills: Backfills
  readonly setbacks: Setbacks
  readonly parked: Parked
  readonly keyUse: KeyUse
  readonly challenges: Challenges
  readonly portalSessions: PortalSessions
  /** What is to be delivered to endpoints. */
  readonly toDo: ToDo
  readonly changes: ChangeNotifications
  readonly vault: Vault
  readonly clock: Clock
  readonly settlementOf: Settlements
  /** Settlement accounts that could be paid a moment ago. */
  readonly seenAccounts: SeenAccounts
  readonly seenCollecting: SeenCollecting
  /** A fresh command id, for what nobody may repeat under a key of their own. */
  readonly freshId: () => string
  readonly networks: Readonly<Record<Environment, Network | null>>
  readonly signRequest: SignRequest
  /** Accounts that belong to many, who are told apart by memos: nothing is paid out to them. */
  readonly omnibusAccounts: ReadonlySet<AccountId>
  /** Where payers reach the service, without a slash at the end. */
  readonly publicUrl: () => string
}
