import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { Environment } from '../shared/environment.ts'
import { isSame } from '../shared/equality.ts'
import type {
  AcceptAssets,
  CloseBooks,
  CompleteSetUp,
  CreateApiKey,
  CreateMerchant,
  DeclareFundingAccounts,
  LeaveMerchant,
  MerchantCommand,
  ReceiveMerchant,
  ReplaceApiKey,
  RequestSetUp,
  RevokeApiKey,
  SetOperatorAccount,
  SetPlatformFee,
  SetPolicy,
  SetProfile,
  SetSettlementAccount,
  SetSponsorship,
} from './commands.ts'
import type { ApiKey, MerchantEvent } from './events.ts'
import type { MerchantRejection } from './rejections.ts'
import type { MerchantState } from './state.ts'
import { trustedAssets } from './trusted-assets.ts'

type Decision = E.Either<MerchantRejection, ReadonlyArray<MerchantEvent>>
type Active = Extract<MerchantState, { readonly status: 'active' }>

const create = ({ name }: CreateMerchant, state: MerchantState): Decision => {
  if (state.status === 'absent') return E.right([{ type: 'MerchantCreated', data: { name } }])
  return state.name === name ? nothing : E.left({ _tag: 'MerchantAlreadyExists' })
}

const otherOf = (environment: Environment): Environment => (environment === 'testnet' ? 'mainnet' : 'testnet')

/** An account that once received for the other environment stays known there: it is not shared even later. */
const setSettlementAccount = (command: SetSettlementAccount, { environments }: Active): Decision => {
  const { type: _, ...data } = command
  const { environment, account, networkPassphrase } = data
  const { settlement } = environments[environment]
  if (settlement?.account === account && settlement.networkPassphrase === networkPassphrase) return nothing
  const other = otherOf(environment)
  const elsewhere = environments[other].settlement
  if (elsewhere?.account === account || elsewhere?.former.includes(account)) {
    return E.left({ _tag: 'SettlementAccountShared', account, environment: other })
  }
  return E.right([{ type: 'SettlementAccountSet', data }])
}

const closeBooks = ({ type: _, ...data }: CloseBooks, { environments }: Active): Decision => {
  const { settlement } = environments[data.environment]
  const isKnown = settlement?.account === data.account || settlement?.former.includes(data.account) === true
  const isClosed = (settlement?.closedBooks ?? []).some(
    ({ account, epoch }) => account === data.account && epoch >= data.epoch,
  )
  return !isKnown || isClosed ? nothing : E.right([{ type: 'SettlementBooksClosed', data }])
}

const acceptAssets = ({ environment, assets, defaultAsset }: AcceptAssets, { environments }: Active): Decision => {
  const ids = assets.map(({ assetId }) => assetId)
  const repeated = ids.find((assetId, index) => ids.indexOf(assetId) !== index)
  if (repeated !== undefined) return E.left({ _tag: 'AssetListedTwice', assetId: repeated })
  if (!ids.includes(defaultAsset)) return E.left({ _tag: 'DefaultAssetNotAccepted', assetId: defaultAsset })
  if (isSame(environments[environment].assets, { accepted: assets, defaultAsset })) return nothing
  return E.right([{ type: 'AssetsAccepted', data: { environment, assets, defaultAsset } }])
}

const declareFundingAccounts = (
  { environment, accounts }: DeclareFundingAccounts,
  { environments }: Active,
): Decision => {
  const { fundingAccounts, settlement } = environments[environment]
  const repeated = accounts.find((account, index) => accounts.indexOf(account) !== index)
  if (repeated !== undefined) return E.left({ _tag: 'FundingAccountListedTwice', account: repeated })
  const received = settlement === null ? [] : [settlement.account, ...settlement.former]
  const own = accounts.find((account) => received.includes(account))
  if (own !== undefined) return E.left({ _tag: 'FundingAccountIsSettlement', account: own })
  if (isSame(fundingAccounts, accounts)) return nothing
  return E.right([{ type: 'FundingAccountsDeclared', data: { environment, accounts } }])
}

/** What the ledger was found to hold counts as long as the merchant wants the very same. */
const completeSetUp = (command: CompleteSetUp, { environments }: Active): Decision => {
  const { environment, account, trusted, ledger } = command
  const { settlement, assets, isSetUp } = environments[environment]
  const wanted = trustedAssets(
    account,
    (assets?.accepted ?? []).map(({ assetId }) => assetId),
  )
  if (settlement?.account !== account || !isSame(wanted.toSorted(), trusted.toSorted()))
    return E.left({ _tag: 'SetUpOutdated' })
  if (isSetUp) return nothing
  return E.right([{ type: 'SetUpCompleted', data: { environment, account, trusted, ledger } }])
}

const requestSetUp = ({ environment }: RequestSetUp, { environments }: Active): Decision =>
  environments[environment].isSetUp ? E.right([{ type: 'SetUpRequested', data: { environment } }]) : nothing

const setSponsorship = ({ environment, isSponsored }: SetSponsorship, { environments }: Active): Decision =>
  environments[environment].isSponsored === isSponsored
    ? nothing
    : E.right([{ type: 'SponsorshipSet', data: { environment, isSponsored } }])

const setOperatorAccount = ({ environment, account }: SetOperatorAccount, { environments }: Active): Decision =>
  environments[environment].operator === account
    ? nothing
    : E.right([{ type: 'OperatorAccountSet', data: { environment, account } }])

/** 30 days after the due date an unpaid subscription is canceled: a later retry would charge for nothing. */
const longestDunningHours = 30 * 24

const setPolicy = ({ policy }: SetPolicy, state: Active): Decision => {
  const { dunningScheduleHours } = policy
  const isRising = dunningScheduleHours.every((hours, index) => hours > (dunningScheduleHours[index - 1] ?? 0))
  if (!isRising || (dunningScheduleHours.at(-1) ?? 0) > longestDunningHours) {
    return E.left({ _tag: 'DunningScheduleInvalid', maximumHours: longestDunningHours })
  }
  return isSame(state.policy, policy) ? nothing : E.right([{ type: 'PolicySet', data: policy }])
}

const setProfile = ({ environment, profile, logo }: SetProfile, { environments }: Active): Decision => {
  const known = environments[environment]
  const events: ReadonlyArray<MerchantEvent> = [
    { type: 'ProfileSet', data: { environment, profile } },
    { type: 'LogoSet', data: { environment, logo } },
  ]
  return E.right(
    events.filter(({ type }) => (type === 'LogoSet' ? known.logo !== logo : !isSame(known.profile, profile))),
  )
}

const setPlatformFee = ({ type: _, ...decision }: SetPlatformFee, { environments }: Active): Decision => {
  const { environment, fee, from, setAt } = decision
  const ids = fee.fixed.map(({ assetId }) => assetId)
  const repeated = ids.find((assetId, index) => ids.indexOf(assetId) !== index)
  if (repeated !== undefined) return E.left({ _tag: 'AssetListedTwice', assetId: repeated })
  if (from < setAt) return E.left({ _tag: 'PlatformFeeBackdated' })
  const last = environments[environment].platformFees.at(-1)
  const counts = last?.from === from || (last !== undefined && last.from <= setAt && from === setAt)
  const isKnown = counts && isSame(last.fee, fee)
  return isKnown ? nothing : E.right([{ type: 'PlatformFeeSet', data: decision }])
}

const createApiKey = ({ key }: CreateApiKey, { apiKeys }: Active): Decision => {
  const { keyId } = key
  const present = apiKeys.find((each) => each.keyId === keyId)
  if (present !== undefined) {
    const { isRevoked: _, replacedBy: __, ...created } = present
    return isSame(created, key) ? nothing : E.left({ _tag: 'ApiKeyIdTaken', keyId })
  }
  if (key.kind === 'app' && key.scopes.length === 0) return E.left({ _tag: 'AppKeyWithoutScopes' })
  return E.right([{ type: 'ApiKeyCreated', data: key }])
}

const rightsOf = ({ environment, kind, scopes, maker }: ApiKey) => ({
  environment,
  kind,
  scopes,
  person: maker?.person ?? null,
})

/** The new key is recorded first: at no moment is there none. */
const replaceApiKey = ({ keyId, key, validUntil }: ReplaceApiKey, { apiKeys }: Active): Decision => {
  const old = apiKeys.find((each) => each.keyId === keyId)
  if (old === undefined) return E.left({ _tag: 'ApiKeyNotFound', keyId })
  if (old.replacedBy === key.keyId) return nothing
  if (old.isRevoked) return E.left({ _tag: 'ApiKeyIsRevoked', keyId })
  if (old.replacedBy !== null) return E.left({ _tag: 'ApiKeyIsReplaced', keyId, by: old.replacedBy })
  if (apiKeys.some((each) => each.keyId === key.keyId)) return E.left({ _tag: 'ApiKeyIdTaken', keyId: key.keyId })
  if (!isSame(rightsOf(old), rightsOf(key))) return E.left({ _tag: 'ReplacementUnlike', keyId })
  return E.right([
    { type: 'ApiKeyCreated', data: key },
    { type: 'ApiKeyReplaced', data: { keyId, by: key.keyId, validUntil } },
  ])
}

const revokeApiKey = ({ keyId }: RevokeApiKey, { apiKeys }: Active): Decision => {
  const key = apiKeys.find((each) => each.keyId === keyId)
  if (key === undefined) return E.left({ _tag: 'ApiKeyNotFound', keyId })
  return key.isRevoked ? nothing : E.right([{ type: 'ApiKeyRevoked', data: { keyId } }])
}

const leave = ({ type: _, ...data }: LeaveMerchant, { left }: Active): Decision => {
  if (left === null) return E.right([{ type: 'MerchantLeft', data }])
  return left.to === data.to ? nothing : E.left({ _tag: 'MerchantLeftElsewhere', to: left.to })
}

const receive = ({ type: _, ...data }: ReceiveMerchant, { left, arrived }: Active): Decision => {
  if (left !== null) return E.right([{ type: 'MerchantArrived', data }])
  return arrived?.digest === data.digest ? nothing : E.left({ _tag: 'MerchantHasNotLeft' })
}

export const decide =
  (command: MerchantCommand) =>
  (state: MerchantState): Decision => {
    if (command.type === 'CreateMerchant') return create(command, state)
    if (state.status === 'absent') return E.left({ _tag: 'MerchantNotFound' })
    switch (command.type) {
      case 'SetSettlementAccount':
        return setSettlementAccount(command, state)
      case 'CloseBooks':
        return closeBooks(command, state)
      case 'AcceptAssets':
        return acceptAssets(command, state)
      case 'DeclareFundingAccounts':
        return declareFundingAccounts(command, state)
      case 'CompleteSetUp':
        return completeSetUp(command, state)
      case 'RequestSetUp':
        return requestSetUp(command, state)
      case 'SetSponsorship':
        return setSponsorship(command, state)
      case 'SetOperatorAccount':
        return setOperatorAccount(command, state)
      case 'SetPolicy':
        return setPolicy(command, state)
      case 'SetProfile':
        return setProfile(command, state)
      case 'SetPlatformFee':
        return setPlatformFee(command, state)
      case 'CreateApiKey':
        return createApiKey(command, state)
      case 'ReplaceApiKey':
        return replaceApiKey(command, state)
      case 'RevokeApiKey':
        return revokeApiKey(command, state)
      case 'LeaveMerchant':
        return leave(command, state)
      case 'ReceiveMerchant':
        return receive(command, state)
    }
  }
