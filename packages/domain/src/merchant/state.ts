import type { AccountId, AssetId } from '../shared/asset.ts'
import { CorruptStream } from '../shared/decider.ts'
import type { Environment } from '../shared/environment.ts'
import type { ApiKeyId } from '../shared/ids.ts'
import type { LedgerSequence } from '../shared/incoming-payment.ts'
import { stroops } from '../shared/stroops.ts'
import type { Text } from '../shared/text.ts'
import { count, positiveCount } from '../shared/units.ts'
import type { AcceptedAsset, ApiKey, MerchantEvent, Policy } from './events.ts'

/** Where money arrives, after the ledger `setUpThrough`. `former` are the accounts that were used before, the oldest first. */
type Settlement = {
  readonly account: AccountId
  readonly networkPassphrase: Text
  readonly setUpThrough: LedgerSequence
  readonly custody: 'service' | 'merchant'
  readonly former: ReadonlyArray<AccountId>
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
  readonly fundingAccounts: ReadonlyArray<AccountId>
}

/** `replacedBy`: the key that has taken its place. */
type KnownKey = ApiKey & { readonly isRevoked: boolean; readonly replacedBy: ApiKeyId | null }

export type MerchantState =
  | { readonly status: 'absent' }
  | {
      readonly status: 'active'
      readonly name: Text
      readonly environments: Readonly<Record<Environment, MerchantEnvironment>>
      readonly policy: Policy
      readonly apiKeys: ReadonlyArray<KnownKey>
    }

/** The policy of a merchant until they set one. */
export const defaultPolicy: Policy = {
  accessGraceDays: count(0),
  dunningScheduleHours: [6, 24, 72, 120, 168, 240, 336].map(positiveCount),
  afterRetries: 'overdue',
  underpaymentTolerance: stroops(0n),
}

export const initial: MerchantState = { status: 'absent' }

const nothingYet: MerchantEnvironment = {
  settlement: null,
  assets: null,
  isSponsored: false,
  isSetUp: false,
  fundingAccounts: [],
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
    return { status: 'active', name: data.name, environments, policy: defaultPolicy, apiKeys: [] }
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
          settlement: { account, networkPassphrase, setUpThrough, custody: data.custody ?? 'service', former },
        }
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
    case 'FundingAccountsDeclared':
      return withEnvironment(state, data.environment, (current) => ({ ...current, fundingAccounts: data.accounts }))
    case 'PolicySet':
      return { ...state, policy: data }
    case 'ApiKeyCreated':
      return { ...state, apiKeys: [...state.apiKeys, { ...data, isRevoked: false, replacedBy: null }] }
    case 'ApiKeyReplaced':
      return withKey(state, data.keyId, { replacedBy: data.by })
    case 'ApiKeyRevoked':
      return withKey(state, data.keyId, { isRevoked: true })
  }
}
