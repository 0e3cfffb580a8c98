import type { AccountId, AssetId } from '../shared/asset.ts'
import { CorruptStream } from '../shared/decider.ts'
import type { Environment } from '../shared/environment.ts'
import type { ApiKeyId } from '../shared/ids.ts'
import type { LedgerSequence } from '../shared/incoming-payment.ts'
import type { PlatformFeeDecision } from '../shared/platform-fee.ts'
import type { MerchantProfile } from '../shared/profile.ts'
import { stroops } from '../shared/stroops.ts'
import type { Text } from '../shared/text.ts'
import { count, positiveCount } from '../shared/units.ts'
import type { AcceptedAsset, ApiKey, Arrival, Departure, MerchantEvent, Policy } from './events.ts'

/** Where money arrives, after the ledger `setUpThrough`. `former` are the accounts that were used before, the oldest first. */
type Settlement = {
  readonly account: AccountId
  readonly networkPassphrase: Text
  readonly setUpThrough: LedgerSequence
  readonly custody: 'service' | 'merchant'
  readonly former: ReadonlyArray<AccountId>
  /** The books that ended with a reset of the network: of which account, and with which epoch. */
  readonly closedBooks: ReadonlyArray<{ readonly account: AccountId; readonly epoch: number }>
}

type Assets = { readonly accepted: ReadonlyArray<AcceptedAsset>; readonly defaultAsset: AssetId }

/**
 * What one environment of a merchant has been given so far. `isSponsored`: the operator's account keeps the reserves of what
 * is set up. `isSetUp`: since the last change, the account was found to be as it should.
 */
type MerchantEnvironment = {
  readonly settlement: Settlement | null
  readonly assets: Assets | null
  readonly isSponsored: boolean
  readonly isSetUp: boolean
  /** The account that charges new mandates; null: the service's. */
  readonly operator: AccountId | null
  readonly fundingAccounts: ReadonlyArray<AccountId>
  readonly profile: MerchantProfile
  /** A `data:` URI. */
  readonly logo: Text | null
  /** What the operator takes, in the order in which it counts: at most the last one is ahead. */
  readonly platformFees: ReadonlyArray<PlatformFeeDecision>
}

/** `replacedBy`: the key that has taken its place. */
type KnownKey = ApiKey & { readonly isRevoked: boolean; readonly replacedBy: ApiKeyId | null }

/** What the events of its stream say about a merchant. */
export type MerchantState =
  | { readonly status: 'absent' }
  | {
      readonly status: 'active'
      readonly name: Text
      readonly environments: Readonly<Record<Environment, MerchantEnvironment>>
      readonly policy: Policy
      readonly apiKeys: ReadonlyArray<KnownKey>
      /** Set while the merchant is gone. */
      readonly left: Departure | null
      readonly arrived: Arrival | null
    }

/** The policy of a merchant until they set one. */
export const defaultPolicy: Policy = {
  accessGraceDays: count(0),
  dunningScheduleHours: [6, 24, 72, 120, 168, 240, 336].map(positiveCount),
  afterRetries: 'overdue',
  underpaymentTolerance: stroops(0n),
}

export const initial: MerchantState = { status: 'absent' }

const noProfile: MerchantProfile = { legalName: null, address: null, taxId: null, supportContact: null, terms: null }

const nothingYet: MerchantEnvironment = {
  settlement: null,
  assets: null,
  isSponsored: false,
  isSetUp: false,
  operator: null,
  fundingAccounts: [],
  profile: noProfile,
  logo: null,
  platformFees: [],
}

type Active = Extract<MerchantState, { readonly status: 'active' }>

const withEnvironment = (
  state: Active,
  environment: Environment,
  change: (current: MerchantEnvironment) => MerchantEnvironment,
): Active => ({
  ...state,
  environments: { ...state.environments, [environment]: change(state.environments[environment]) },
})

const withKey = (state: Active, keyId: ApiKeyId, change: Partial<KnownKey>): Active => ({
  ...state,
  apiKeys: state.apiKeys.map((key) => (key.keyId === keyId ? { ...key, ...change } : key)),
})

export const evolve = (state: MerchantState, { type, data }: MerchantEvent): MerchantState => {
  if (type === 'MerchantCreated') {
    if (state.status !== 'absent') throw new CorruptStream(type, state.status)
    const environments = { testnet: nothingYet, mainnet: nothingYet }
    const nothingElse = { policy: defaultPolicy, apiKeys: [], left: null, arrived: null }
    return { status: 'active', name: data.name, environments, ...nothingElse }
  }
  if (state.status === 'absent') throw new CorruptStream(type, state.status)
  switch (type) {
    case 'SettlementAccountSet': {
      const { environment, account, networkPassphrase, setUpThrough } = data
      return withEnvironment(state, environment, (known) => {
        const { settlement } = known
        const former = settlement === null ? [] : [...settlement.former, settlement.account]
        return {
          ...known,
          isSetUp: false,
          settlement: {
            ...{ account, networkPassphrase, setUpThrough, custody: data.custody ?? 'service', former },
            closedBooks: settlement?.closedBooks ?? [],
          },
        }
      })
    }
    case 'SettlementBooksClosed': {
      const { environment, account, epoch, setUpThrough } = data
      return withEnvironment(state, environment, (known) => {
        const { settlement } = known
        if (settlement === null) throw new CorruptStream(type, 'no settlement account')
        const closedBooks = [...settlement.closedBooks, { account, epoch }]
        const begun = settlement.account === account ? { setUpThrough } : {}
        return { ...known, isSetUp: false, settlement: { ...settlement, ...begun, closedBooks } }
      })
    }
    case 'AssetsAccepted': {
      const assets = { accepted: data.assets, defaultAsset: data.defaultAsset }
      return withEnvironment(state, data.environment, (known) => ({ ...known, assets, isSetUp: false }))
    }
    case 'SetUpCompleted': {
      return withEnvironment(state, data.environment, (known) => ({ ...known, isSetUp: true }))
    }
    case 'SetUpRequested':
      return withEnvironment(state, data.environment, (known) => ({ ...known, isSetUp: false }))
    case 'SponsorshipSet': {
      const { environment, isSponsored } = data
      return withEnvironment(state, environment, (known) => ({ ...known, isSponsored, isSetUp: false }))
    }
    case 'OperatorAccountSet':
      return withEnvironment(state, data.environment, (current) => ({ ...current, operator: data.account }))
    case 'FundingAccountsDeclared':
      return withEnvironment(state, data.environment, (current) => ({ ...current, fundingAccounts: data.accounts }))
    case 'PolicySet':
      return { ...state, policy: data }
    case 'ProfileSet':
      return withEnvironment(state, data.environment, (current) => ({ ...current, profile: data.profile }))
    case 'LogoSet':
      return withEnvironment(state, data.environment, (current) => ({ ...current, logo: data.logo }))
    case 'PlatformFeeSet': {
      const { environment, ...decision } = data
      return withEnvironment(state, environment, (current) => {
        const begun = current.platformFees.filter(({ from }) => from <= decision.setAt)
        return { ...current, platformFees: [...begun, decision] }
      })
    }
    case 'ApiKeyCreated':
      return { ...state, apiKeys: [...state.apiKeys, { ...data, isRevoked: false, replacedBy: null }] }
    case 'ApiKeyReplaced':
      return withKey(state, data.keyId, { replacedBy: data.by })
    case 'ApiKeyRevoked':
      return withKey(state, data.keyId, { isRevoked: true })
    case 'MerchantLeft':
      return { ...state, left: data }
    case 'MerchantArrived':
      return { ...state, left: null, arrived: data }
  }
}
