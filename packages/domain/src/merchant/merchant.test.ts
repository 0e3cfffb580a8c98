import { ApiKeyId, MemberId } from '../shared/ids.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { BasisPoints } from '../shared/platform-fee.ts'
import { KeyedHash } from '../shared/sealed.ts'
import { stroops } from '../shared/stroops.ts'
import { asText, HttpUrl } from '../shared/text.ts'
import { count, positiveCount, unixMs } from '../shared/units.ts'
import { accountOf } from '../testing/account.ts'
import { decoded, eurc, exampleId, native, start, usdc } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { type ApiKey, defaultPolicy, Merchant, type MerchantCommand, type MerchantEvent, type Policy } from './index.ts'

const { given } = scenario(Merchant.decider)
const created: MerchantEvent = { type: 'MerchantCreated', data: { name: asText('Ada & Co') } }
const testnet = {
  environment: 'testnet',
  account: accountOf(1),
  networkPassphrase: asText('Test'),
  setUpThrough: decoded(LedgerSequence, 7),
} as const
const accountSet: MerchantEvent = { type: 'SettlementAccountSet', data: testnet }
const assets = [
  { assetId: usdc, description: asText('US dollars'), pegged: true },
  { assetId: native, description: asText('Lumens'), pegged: false },
]
const key: ApiKey = {
  keyId: exampleId(ApiKeyId, 1),
  environment: 'testnet',
  kind: 'secret',
  scopes: [],
  keyHash: decoded(KeyedHash, 'c'.repeat(64)),
  prefix: asText('sk_test_'),
  lastFour: asText('wxyz'),
  label: null,
}
const keyCreated: MerchantEvent = { type: 'ApiKeyCreated', data: key }
const keyRevoked: MerchantEvent = { type: 'ApiKeyRevoked', data: { keyId: key.keyId } }

describe('creating a merchant', () => {
  const create: MerchantCommand = { type: 'CreateMerchant', name: asText('Ada & Co') }
  it('records the name', () => given([]).when(create).then([created]))
  it('records nothing when repeated', () => given([created]).when(create).then([]))
  it('is rejected for an id that has another name', () =>
    given([created])
      .when({ type: 'CreateMerchant', name: asText('Bob') })
      .rejects({ _tag: 'MerchantAlreadyExists' }))
})

describe('setting a settlement account', () => {
  const set: MerchantCommand = { type: 'SetSettlementAccount', ...testnet }
  const shared = { _tag: 'SettlementAccountShared', account: accountOf(1), environment: 'testnet' } as const
  const moved: MerchantEvent = { type: 'SettlementAccountSet', data: { ...testnet, account: accountOf(2) } }

  it('records it', () => given([created]).when(set).then([accountSet]))
  it('records nothing when repeated', () => given([created, accountSet]).when(set).then([]))
  it('accepts another settlement account', () =>
    given([created, accountSet])
      .when({ ...set, account: accountOf(2) })
      .then([moved]))
  it('rejects the account of the other environment', () =>
    given([created, accountSet])
      .when({ ...set, environment: 'mainnet' })
      .rejects(shared))
  it('rejects a former account of the other environment', () =>
    given([created, accountSet, moved])
      .when({ ...set, environment: 'mainnet' })
      .rejects(shared))
})

describe('accepting assets', () => {
  const accept: MerchantCommand = { type: 'AcceptAssets', environment: 'testnet', assets, defaultAsset: usdc }
  const accepted: MerchantEvent = {
    type: 'AssetsAccepted',
    data: { environment: 'testnet', assets, defaultAsset: usdc },
  }
  it('records the list of one environment', () => given([created]).when(accept).then([accepted]))
  it('records nothing when repeated', () => given([created, accepted]).when(accept).then([]))
  it('records the assets of the other environment separately', () =>
    given([created, accepted])
      .when({ ...accept, environment: 'mainnet' })
      .then([{ type: 'AssetsAccepted', data: { environment: 'mainnet', assets, defaultAsset: usdc } }]))
  it('rejects a default asset that is not on the list', () =>
    given([created])
      .when({ ...accept, defaultAsset: eurc })
      .rejects({ _tag: 'DefaultAssetNotAccepted', assetId: eurc }))
  it('rejects an asset that is listed twice', () =>
    given([created])
      .when({ ...accept, assets: [...assets, ...assets.slice(1)] })
      .rejects({ _tag: 'AssetListedTwice', assetId: native }))
})

describe('completing the set-up of an account', () => {
  const accepted: MerchantEvent = {
    type: 'AssetsAccepted',
    data: { environment: 'testnet', assets, defaultAsset: usdc },
  }
  const done = {
    environment: 'testnet',
    account: accountOf(1),
    trusted: [usdc],
    ledger: decoded(LedgerSequence, 9),
  } as const
  const complete: MerchantCommand = { type: 'CompleteSetUp', ...done }
  const completed: MerchantEvent = { type: 'SetUpCompleted', data: done }
  const moved: MerchantEvent = { type: 'SettlementAccountSet', data: { ...testnet, account: accountOf(2) } }
  const outdated = { _tag: 'SetUpOutdated' } as const

  it('records what the account trusts', () => given([created, accountSet, accepted]).when(complete).then([completed]))
  it('records nothing when repeated, in whatever ledger', () =>
    given([created, accountSet, accepted, completed])
      .when({ ...complete, ledger: decoded(LedgerSequence, 10) })
      .then([]))
  it('records the set-up again after the assets have changed', () =>
    given([created, accountSet, accepted, completed, accepted]).when(complete).then([completed]))
  it('records the set-up of another account separately', () => {
    const other = { ...done, account: accountOf(2) }
    given([created, accountSet, accepted, completed, moved])
      .when({ type: 'CompleteSetUp', ...other })
      .then([{ type: 'SetUpCompleted', data: other }])
  })
  it('records the set-up again after the sponsorship has changed', () => {
    const sponsored = { type: 'SponsorshipSet', data: { environment: 'testnet', isSponsored: true } } as const
    given([created, accountSet, accepted, completed, sponsored]).when(complete).then([completed])
  })
  it('records the set-up again when the merchant returns to an account', () =>
    given([created, accountSet, accepted, completed, moved, accountSet]).when(complete).then([completed]))
  it.each([
    { rule: 'the account is another by now', history: [created, accountSet, accepted, moved] },
    { rule: 'other assets are accepted by now', history: [created, accountSet] },
    { rule: 'there is no account', history: [created, accepted] },
  ])('rejects a set-up when $rule', ({ history }) => given(history).when(complete).rejects(outdated))
  it('is rejected for the other environment', () =>
    given([created, accountSet, accepted])
      .when({ ...complete, environment: 'mainnet' })
      .rejects(outdated))
})

describe('requesting a set-up', () => {
  const request: MerchantCommand = { type: 'RequestSetUp', environment: 'testnet' }
  const requested: MerchantEvent = { type: 'SetUpRequested', data: { environment: 'testnet' } }
  const accepted: MerchantEvent = {
    type: 'AssetsAccepted',
    data: { environment: 'testnet', assets, defaultAsset: usdc },
  }
  const done = {
    environment: 'testnet',
    account: accountOf(1),
    trusted: [usdc],
    ledger: decoded(LedgerSequence, 9),
  } as const
  const completed: MerchantEvent = { type: 'SetUpCompleted', data: done }
  const history = [created, accountSet, accepted, completed]
  it('requests another look at an account that was set up', () => {
    given(history).when(request).then([requested])
    given([...history, requested])
      .when({ type: 'CompleteSetUp', ...done })
      .then([completed])
  })
  it('records nothing when a set-up is already requested', () => {
    given([created, accountSet, accepted]).when(request).then([])
    given([...history, requested])
      .when(request)
      .then([])
  })
})

describe('the sponsorship of reserves', () => {
  const set = (isSponsored: boolean) =>
    ({ type: 'SetSponsorship', environment: 'testnet', isSponsored }) satisfies MerchantCommand
  const recorded = (isSponsored: boolean): MerchantEvent => ({
    type: 'SponsorshipSet',
    data: { environment: 'testnet', isSponsored },
  })
  it('starts and ends the sponsorship', () => {
    given([created])
      .when(set(true))
      .then([recorded(true)])
    given([created, recorded(true)])
      .when(set(false))
      .then([recorded(false)])
  })
  it('records nothing when the sponsorship is already so', () => {
    given([created]).when(set(false)).then([])
    given([created, recorded(true)])
      .when(set(true))
      .then([])
  })
})

describe('setting the policy', () => {
  const policy: Policy = {
    accessGraceDays: count(3),
    dunningScheduleHours: [positiveCount(1), positiveCount(720)],
    afterRetries: 'cancel',
    underpaymentTolerance: stroops(100n),
  }
  const set: MerchantCommand = { type: 'SetPolicy', policy }
  const policySet: MerchantEvent = { type: 'PolicySet', data: policy }
  const invalid = { _tag: 'DunningScheduleInvalid', maximumHours: 720 } as const

  it('records it', () => given([created]).when(set).then([policySet]))
  it('records nothing when repeated', () => given([created, policySet]).when(set).then([]))
  it('records nothing for the defaults of a new merchant', () =>
    given([created]).when({ type: 'SetPolicy', policy: defaultPolicy }).then([]))
  it('accepts a policy without retries', () =>
    given([created])
      .when({ type: 'SetPolicy', policy: { ...policy, dunningScheduleHours: [] } })
      .then([{ type: 'PolicySet', data: { ...policy, dunningScheduleHours: [] } }]))
  it.each([
    { hours: [6, 6], rule: 'two retries are at the same time' },
    { hours: [24, 6], rule: 'a retry is before the one it follows' },
    { hours: [6, 721], rule: 'a retry is later than 30 days' },
  ])('rejects a policy when $rule', ({ hours }) =>
    given([created])
      .when({ type: 'SetPolicy', policy: { ...policy, dunningScheduleHours: hours.map(positiveCount) } })
      .rejects(invalid),
  )
})

describe('the fee of the operator', () => {
  const fee = { basisPoints: decoded(BasisPoints, 150), fixed: [{ assetId: usdc, amount: stroops(1n) }] }
  const decision = {
    environment: 'testnet',
    fee,
    from: start,
    by: asText('Ada'),
    reason: asText('May'),
    setAt: start,
  } as const
  const set: MerchantCommand = { type: 'SetPlatformFee', ...decision }
  const feeSet: MerchantEvent = { type: 'PlatformFeeSet', data: decision }
  const later = (ms: number) => unixMs(start + ms)

  it('is recorded with who decided it, and why', () => given([created]).when(set).then([feeSet]))
  it('records nothing for the fee that counts', () => {
    given([created, feeSet]).when(set).then([])
    given([created, feeSet])
      .when({ ...set, from: later(5), setAt: later(5) })
      .then([])
  })
  it('is one of each environment', () =>
    given([created, feeSet])
      .when({ ...set, environment: 'mainnet' })
      .then([{ type: 'PlatformFeeSet', data: { ...decision, environment: 'mainnet' } }]))
  it('replaces what was decided for later', () => {
    const ahead = { ...decision, from: later(10), fee: { ...fee, fixed: [] } }
    const now = { ...decision, from: later(5), setAt: later(5) }
    given([created, { type: 'PlatformFeeSet', data: ahead }])
      .when({ type: 'SetPlatformFee', ...now })
      .then([{ type: 'PlatformFeeSet', data: now }])
    const state = [
      created,
      { type: 'PlatformFeeSet', data: ahead } as const,
      { type: 'PlatformFeeSet', data: now } as const,
    ].reduce(Merchant.decider.evolve, Merchant.decider.initial)
    const { environment: _, ...kept } = now
    expect(state.status === 'active' ? state.environments.testnet.platformFees : null).toEqual([kept])
  })
  it('never counts backwards', () =>
    given([created])
      .when({ ...set, setAt: later(1) })
      .rejects({ _tag: 'PlatformFeeBackdated' }))
  it('has one fixed amount of an asset', () =>
    given([created])
      .when({ ...set, fee: { ...fee, fixed: [...fee.fixed, ...fee.fixed] } })
      .rejects({ _tag: 'AssetListedTwice', assetId: usdc }))
})

describe('the profile of a merchant', () => {
  const profile = {
    legalName: asText('Ada & Co Ltd'),
    address: null,
    taxId: null,
    supportContact: null,
    terms: { url: decoded(HttpUrl, 'https://ada.example/terms'), version: asText('1') },
  }
  const logo = asText('data:image/png;base64,AA==')
  const set: MerchantCommand = { type: 'SetProfile', environment: 'testnet', profile, logo }
  const profileSet: MerchantEvent = { type: 'ProfileSet', data: { environment: 'testnet', profile } }
  const logoSet: MerchantEvent = { type: 'LogoSet', data: { environment: 'testnet', logo } }

  it('records what has changed of profile and logo', () => {
    given([created]).when(set).then([profileSet, logoSet])
    given([created, profileSet]).when(set).then([logoSet])
    given([created, logoSet]).when(set).then([profileSet])
    given([created, profileSet, logoSet]).when(set).then([])
  })
  it('is one of each environment', () =>
    given([created, profileSet, logoSet])
      .when({ ...set, environment: 'mainnet', logo: null })
      .then([{ type: 'ProfileSet', data: { environment: 'mainnet', profile } }]))
})

describe('an API key', () => {
  const create: MerchantCommand = { type: 'CreateApiKey', key }
  const revoke: MerchantCommand = { type: 'RevokeApiKey', keyId: key.keyId }

  it('records an API key by its hash', () => given([created]).when(create).then([keyCreated]))
  it('records an API key once', () => given([created, keyCreated]).when(create).then([]))
  it('does not restore a revoked API key when its creation is repeated', () =>
    given([created, keyCreated, keyRevoked]).when(create).then([]))
  it('rejects an API key under the id of another', () =>
    given([created, keyCreated])
      .when({ type: 'CreateApiKey', key: { ...key, environment: 'mainnet' } })
      .rejects({ _tag: 'ApiKeyIdTaken', keyId: key.keyId }))
  it('may be restricted to scopes', () => {
    const app: ApiKey = { ...key, kind: 'app', scopes: [asText('payments:read')] }
    given([created])
      .when({ type: 'CreateApiKey', key: app })
      .then([{ type: 'ApiKeyCreated', data: app }])
  })
  it('rejects an app token without scopes', () =>
    given([created])
      .when({ type: 'CreateApiKey', key: { ...key, kind: 'app' } })
      .rejects({ _tag: 'AppKeyWithoutScopes' }))
  it('revokes an API key', () => given([created, keyCreated]).when(revoke).then([keyRevoked]))
  it('revokes an API key once', () => given([created, keyCreated, keyRevoked]).when(revoke).then([]))
  it('rejects revoking an unknown API key', () =>
    given([created]).when(revoke).rejects({ _tag: 'ApiKeyNotFound', keyId: key.keyId }))
})

describe('replacing an API key', () => {
  const replacement: ApiKey = { ...key, keyId: exampleId(ApiKeyId, 2), lastFour: asText('abcd') }
  const validUntil = unixMs(start + 1000)
  const replace: MerchantCommand = { type: 'ReplaceApiKey', keyId: key.keyId, key: replacement, validUntil }
  const replaced: ReadonlyArray<MerchantEvent> = [
    { type: 'ApiKeyCreated', data: replacement },
    { type: 'ApiKeyReplaced', data: { keyId: key.keyId, by: replacement.keyId, validUntil } },
  ]

  it('records the new key and the end of the old key’s validity', () =>
    given([created, keyCreated]).when(replace).then(replaced))
  it('records nothing when repeated', () =>
    given([created, keyCreated, ...replaced])
      .when(replace)
      .then([]))
  it('rejects replacing a key that was replaced by another', () =>
    given([created, keyCreated, ...replaced])
      .when({ ...replace, key: { ...replacement, keyId: exampleId(ApiKeyId, 3) } })
      .rejects({ _tag: 'ApiKeyIsReplaced', keyId: key.keyId, by: replacement.keyId }))
  it('rejects replacing a revoked key', () =>
    given([created, keyCreated, keyRevoked]).when(replace).rejects({ _tag: 'ApiKeyIsRevoked', keyId: key.keyId }))
  it('rejects replacing an unknown key', () =>
    given([created]).when(replace).rejects({ _tag: 'ApiKeyNotFound', keyId: key.keyId }))
  const ada = { memberId: exampleId(MemberId, 1), person: asText('Ada') }
  const bob = { memberId: exampleId(MemberId, 1), person: asText('Bob') }
  it('takes a replacement that another member of the same person makes', () => {
    const made = { ...key, maker: ada }
    const key2 = { ...replacement, maker: { ...ada, memberId: exampleId(MemberId, 2) } }
    given([created, { type: 'ApiKeyCreated', data: made }])
      .when({ ...replace, key: key2 })
      .then([
        { type: 'ApiKeyCreated', data: key2 },
        { type: 'ApiKeyReplaced', data: { keyId: key.keyId, by: key2.keyId, validUntil } },
      ])
  })
  it.each([
    [key, { ...replacement, maker: ada }],
    [{ ...key, maker: ada }, replacement],
    [
      { ...key, maker: ada },
      { ...replacement, maker: bob },
    ],
  ])('rejects a replacement that stands for another person', (data, next) =>
    given([created, { type: 'ApiKeyCreated', data }])
      .when({ ...replace, key: next })
      .rejects({ _tag: 'ReplacementUnlike', keyId: key.keyId }),
  )
  it('rejects replacing a key by itself', () =>
    given([created, keyCreated])
      .when({ ...replace, key })
      .rejects({ _tag: 'ApiKeyIdTaken', keyId: key.keyId }))
  it.each<Partial<ApiKey>>([{ environment: 'mainnet' }, { kind: 'app', scopes: [asText('payments:read')] }])(
    'rejects a replacement with another purpose: %j',
    (other) =>
      given([created, keyCreated])
        .when({ ...replace, key: { ...replacement, ...other } })
        .rejects({ _tag: 'ReplacementUnlike', keyId: key.keyId }),
  )
  it('can revoke the old key and the new key separately', () =>
    given([created, keyCreated, ...replaced])
      .when({ type: 'RevokeApiKey', keyId: replacement.keyId })
      .then([{ type: 'ApiKeyRevoked', data: { keyId: replacement.keyId } }]))
})

describe('a merchant that does not exist', () => {
  it.each<MerchantCommand>([
    { type: 'SetSettlementAccount', ...testnet },
    { type: 'AcceptAssets', environment: 'testnet', assets, defaultAsset: usdc },
    { type: 'SetPolicy', policy: defaultPolicy },
    { type: 'CreateApiKey', key },
    { type: 'ReplaceApiKey', keyId: key.keyId, key, validUntil: start },
    { type: 'RevokeApiKey', keyId: key.keyId },
  ])('rejects $type for an unknown merchant', (command) =>
    given([]).when(command).rejects({ _tag: 'MerchantNotFound' }),
  )
})
