import { AcceptedAsset, AccountId, type AssetId, decimalFromStroops, type Stroops, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type AccountView, BASE_FEE, BASE_RESERVE } from '@quittance/ledger'
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import type { SettlementProblem } from '../../stores/settlement-problems.ts'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done, present } from '../../testing/outcomes.ts'
import { walletsOn } from '../../testing/wallets.ts'
import { type SettlementFacts, settlementStanding } from './standing.ts'

const keyOf = (number: number) => Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(number))
const accountNumber = (number: number) => decoded(AccountId, keyOf(number).publicKey())
const account = accountNumber(1)
const accepted = (assetId: string) => decoded(AcceptedAsset, { assetId, description: assetId, pegged: false })
const usdc = accepted(`USDC:${accountNumber(2)}`)
const eurc = accepted(`EURC:${accountNumber(3)}`)
const xlm = accepted('native')
const own = accepted(`POINTS:${account}`)

const facts: SettlementFacts = {
  account,
  accepted: [usdc, xlm],
  defaultAsset: usdc.assetId,
  isSponsored: false,
  pending: new Set(),
}
const costs = { baseReserve: BASE_RESERVE, trustlineFee: stroops(1_000n) }

const trustline = (assetId: AssetId, changed: Partial<AccountView['trustlines'][number]> = {}) => ({
  assetId,
  balance: stroops(3n),
  spendable: stroops(3n),
  limit: stroops(10n),
  receivable: stroops(7n),
  isAuthorized: true,
  ...changed,
})
const view = (changed: Partial<AccountView> = {}): AccountView => ({
  account,
  accountSequence: 1n,
  nativeBalance: stroops(20_000_000n),
  nativeSpendable: stroops(5_000_000n),
  nativeReceivable: stroops(1n),
  nativePromised: stroops(0n),
  reserve: stroops(15_000_000n),
  trustlines: [trustline(usdc.assetId)],
  requiresMemo: false,
  authority: { signers: [], lowThreshold: 0, mediumThreshold: 0, highThreshold: 0 },
  ...changed,
})
const standing = (changed: Partial<SettlementFacts>, seen: AccountView | null) =>
  settlementStanding({ ...facts, ...changed }, seen, costs)

describe('the standing of a sponsored account', () => {
  it('lacks no lumens, and is pending until it exists', () =>
    expect(settlementStanding({ ...facts, isSponsored: true }, null)).toMatchObject({
      missing: 0n,
      problems: [{ code: 'account_pending', account }],
      isReady: false,
    }))
})

describe('the standing of a settlement account', () => {
  it('is ready once the account has a trustline for each accepted asset', () =>
    expect(standing({}, view())).toEqual({
      account,
      exists: true,
      balance: 20_000_000n,
      reserve: 15_000_000n,
      missing: 0n,
      assets: [
        { asset: usdc, isDefault: true, trustline: 'present', balance: 3n },
        { asset: xlm, isDefault: false, trustline: 'not_needed', balance: 20_000_000n },
      ],
      problems: [],
      isReady: true,
    }))
  it('lacks two reserves for a missing account, and a reserve and a fee for each trustline', () =>
    expect(standing({}, null)).toEqual({
      account,
      exists: false,
      balance: 0n,
      reserve: 0n,
      missing: 15_001_000n,
      assets: [
        { asset: usdc, isDefault: true, trustline: 'missing', balance: 0n },
        { asset: xlm, isDefault: false, trustline: 'not_needed', balance: 0n },
      ],
      problems: [{ code: 'account_missing', account, missing: 15_001_000n }],
      isReady: false,
    }))

  const missingEurc: SettlementProblem = { code: 'trustline_missing', assetId: eurc.assetId }
  it.each<[string, Partial<SettlementFacts>, Partial<AccountView>, bigint, ReadonlyArray<SettlementProblem>]>([
    ['no account of the merchant', { account: null }, {}, 0n, [{ code: 'no_settlement_account' }]],
    ['no asset', { accepted: [] }, {}, 0n, [{ code: 'no_asset_accepted' }]],
    [
      'a missing trustline that it can afford',
      { accepted: [usdc, eurc] },
      { nativeBalance: stroops(20_001_000n) },
      0n,
      [missingEurc],
    ],
    [
      'a missing trustline that it cannot afford',
      { accepted: [usdc, eurc] },
      { nativeBalance: stroops(20_000_999n) },
      1n,
      [{ code: 'account_underfunded', account, missing: stroops(1n) }, missingEurc],
    ],
    [
      'XLM that its offers sell',
      { accepted: [usdc, eurc] },
      { nativeBalance: stroops(20_001_000n), nativePromised: stroops(7n) },
      7n,
      [{ code: 'account_underfunded', account, missing: stroops(7n) }, missingEurc],
    ],
    [
      'a trustline that is being set',
      { accepted: [usdc, eurc], isSponsored: false, pending: new Set([eurc.assetId]) },
      { nativeBalance: stroops(20_001_000n) },
      0n,
      [{ code: 'trustline_pending', assetId: eurc.assetId }],
    ],
    [
      'a trustline that its issuer has not authorised',
      {},
      { trustlines: [trustline(usdc.assetId, { isAuthorized: false })] },
      0n,
      [{ code: 'trustline_not_authorized', assetId: usdc.assetId }],
    ],
    [
      'a trustline without room',
      {},
      { trustlines: [trustline(usdc.assetId, { receivable: stroops(0n) })] },
      0n,
      [{ code: 'trustline_full', assetId: usdc.assetId }],
    ],
    ['no room for XLM', {}, { nativeReceivable: stroops(0n) }, 0n, [{ code: 'trustline_full', assetId: xlm.assetId }]],
    ['an asset that it issues itself', { accepted: [own] }, { trustlines: [] }, 0n, []],
  ])('names its problems: %s', (_, changed, seen, missing, problems) => {
    const found = standing(changed, view(seen))
    expect([found.missing, found.problems, found.isReady]).toEqual([missing, problems, problems.length === 0])
  })

  const anyAssets = fc.subarray([usdc, eurc, xlm, own], { minLength: 1 })
  const anyAmount = fc.bigInt(0n, 60_000_000n).map(stroops)
  const anyView = fc.option(
    fc.record({
      nativeBalance: anyAmount,
      nativePromised: fc.bigInt(0n, 9n).map(stroops),
      entries: fc.bigInt(0n, 9n),
      held: fc.subarray([usdc, eurc]),
    }),
    { nil: null },
  )
  /** The account after receiving an amount and setting every missing trustline; null if it cannot afford one. */
  const afterSetUp = (assets: typeof facts.accepted, before: AccountView | null, sent: Stroops): AccountView | null => {
    const wanted = assets.map(({ assetId }) => assetId).filter((each) => each !== 'native' && each !== own.assetId)
    const unset = wanted.filter((each) => !before?.trustlines.some(({ assetId }) => assetId === each))
    const reserve = stroops((before?.reserve ?? 2n * BASE_RESERVE) + BigInt(unset.length) * BASE_RESERVE)
    const balance = (before?.nativeBalance ?? 0n) + sent - BigInt(unset.length) * costs.trustlineFee
    if (balance < reserve + (before?.nativePromised ?? 0n)) return null
    const trustlines = [...(before?.trustlines ?? []), ...unset.map((each) => trustline(each))]
    return view({ ...before, nativeBalance: stroops(balance), reserve, trustlines })
  }
  it('lacks nothing after receiving the missing amount, but cannot be set up with one stroop less', () =>
    fc.assert(
      fc.property(anyAssets, anyView, (assets, drawn) => {
        const before =
          drawn === null
            ? null
            : view({
                ...drawn,
                reserve: stroops(drawn.entries * BASE_RESERVE),
                trustlines: drawn.held.map(({ assetId }) => trustline(assetId)),
              })
        const { missing } = standing({ accepted: assets }, before)
        const after = afterSetUp(assets, before, missing)
        expect(standing({ accepted: assets }, after)).toMatchObject({ missing: 0n, problems: [], isReady: true })
        if (missing > 0n) expect(afterSetUp(assets, before, stroops(missing - 1n))).toBeNull()
      }),
    ))
})

describe('a settlement account on a network', () => {
  let network: TestNetwork
  beforeAll(async () => {
    network = await startNetwork()
  })
  afterAll(() => network.close())
  const feeOnLedger = { baseReserve: BASE_RESERVE, trustlineFee: BASE_FEE }

  it.each([
    ['exactly what is missing', 0n, true],
    ['one stroop less', 1n, false],
  ])('that was created with %s can set its trustlines: %p', async (_, less, isReady) => {
    const { act, wallet } = walletsOn(network)
    const merchant = keyOf(isReady ? 50 : 51)
    const wanted = [network.usdc, network.xlm, network.eurc]
    const found: SettlementFacts = {
      account: decoded(AccountId, merchant.publicKey()),
      accepted: wanted,
      defaultAsset: network.usdc.assetId,
      isSponsored: false,
      pending: new Set(),
    }
    const read = async () => {
      const assets = wanted.map(({ assetId }) => assetId)
      const seen = await done(network.gateway.accountView(decoded(AccountId, merchant.publicKey()), assets))
      return settlementStanding(found, seen, feeOnLedger)
    }
    const { missing } = await read()
    const funder = await wallet(9)
    const startingBalance = decimalFromStroops(stroops(missing - less))
    act(funder.secret, [Operation.createAccount({ destination: merchant.publicKey(), startingBalance })])
    const trusts = [network.usdc, network.eurc].map(({ assetId }) => {
      const [code, issuer] = assetId.split(':')
      return Operation.changeTrust({ asset: new Asset(present(code), issuer) })
    })
    for (const each of trusts) act(merchant.secret(), [each], '100')
    expect(await read()).toMatchObject(
      isReady
        ? { missing: 0n, isReady, balance: missing - 2n * BASE_FEE }
        : { missing: 100n + 1n, isReady, problems: [{ code: 'account_underfunded' }, { code: 'trustline_missing' }] },
    )
  })
})
