import { type AcceptedAsset, type AccountId, type AssetId, issuerOf, type Stroops, stroops } from '@quittance/domain'
import { type AccountView, BASE_RESERVE, weightOf } from '@quittance/ledger'
import type { SettlementProblem } from '../../stores/settlement-problems.ts'
import { whyNotReceived } from './receiving.ts'

/** The account and assets with which a merchant wants to be paid; null or empty if not set yet. */
export type SettlementFacts = {
  readonly account: AccountId | null
  readonly accepted: ReadonlyArray<AcceptedAsset>
  readonly defaultAsset: AssetId | null
  /** Assets with a trustline that the service is about to set. */
  readonly pending: ReadonlySet<AssetId>
  /** Whether the operator's account sponsors the reserves, so that no lumens are missing. */
  readonly isSponsored: boolean
  /** The signer that the account gets when it is set up. */
  readonly recoverySigner?: AccountId | null
}

/** The network's costs: XLM in stroops. */
export type SettlementCosts = {
  readonly baseReserve: Stroops
  /** The most that setting one trustline, or a signer, may cost in fees. */
  readonly trustlineFee: Stroops
}

/** A trustline may have to be set while ledgers are full: its fee may be a thousand times the base fee. */
export const settlementCosts: SettlementCosts = { baseReserve: BASE_RESERVE, trustlineFee: stroops(100_000n) }

/** What an entry of an account costs at most: a trustline, or a signer. */
export const costOfEntry = ({ baseReserve, trustlineFee }: SettlementCosts = settlementCosts): bigint =>
  baseReserve + trustlineFee

/** `not_needed`: XLM, and an asset that the account issues itself. */
export type TrustlineState = 'present' | 'missing' | 'pending' | 'not_authorized' | 'not_needed'

/** `balance` is in stroops of the asset; 0 where the account holds none. */
export type AssetStanding = {
  readonly asset: AcceptedAsset
  readonly isDefault: boolean
  readonly trustline: TrustlineState
  readonly balance: Stroops
}

/**
 * How far a settlement account is from being payable. `missing` is the XLM, in stroops, that the account still needs
 * for itself, its trustlines and their fees; `reserve` is the part of its XLM that the network reserves now. `problems`
 * come in the order in which to solve them; without any, every accepted asset can be paid.
 */
export type SettlementStanding = {
  readonly account: AccountId | null
  readonly exists: boolean
  readonly balance: Stroops
  readonly reserve: Stroops
  readonly missing: Stroops
  readonly assets: ReadonlyArray<AssetStanding>
  readonly problems: ReadonlyArray<SettlementProblem>
  readonly isReady: boolean
}

/** `view` is the ledger's view of the account with all accepted assets; null if it does not exist. */
export const settlementStanding = (
  facts: SettlementFacts,
  view: AccountView | null,
  costs: SettlementCosts = settlementCosts,
): SettlementStanding => {
  const { account, accepted, defaultAsset, pending, isSponsored } = facts
  const assets = accepted.map((asset) => ({
    asset,
    isDefault: asset.assetId === defaultAsset,
    trustline: trustlineState(asset.assetId, account, view, pending),
    balance: balanceOf(asset.assetId, view),
  }))
  const unset = assets.filter(({ trustline }) => trustline === 'missing' || trustline === 'pending').length
  const entries = unset + (unset > 0 || view === null ? unsetSigners(facts, view) : 0)
  const missing = account === null || isSponsored ? stroops(0n) : missingFor(view, entries, costs)
  const problems = problemsOf(facts, view, assets, missing)
  return {
    account,
    exists: view !== null,
    balance: view?.nativeBalance ?? stroops(0n),
    reserve: view?.reserve ?? stroops(0n),
    missing,
    assets,
    problems,
    isReady: problems.length === 0,
  }
}

const trustlineState = (
  assetId: AssetId,
  account: AccountId | null,
  view: AccountView | null,
  pending: ReadonlySet<AssetId>,
): TrustlineState => {
  if (assetId === 'native' || issuerOf(assetId) === account) return 'not_needed'
  const trustline = view?.trustlines.find((each) => each.assetId === assetId)
  if (trustline === undefined) return pending.has(assetId) ? 'pending' : 'missing'
  return trustline.isAuthorized ? 'present' : 'not_authorized'
}

const balanceOf = (assetId: AssetId, view: AccountView | null): Stroops =>
  (assetId === 'native' ? view?.nativeBalance : view?.trustlines.find((each) => each.assetId === assetId)?.balance) ??
  stroops(0n)

/** An account that is set up without the recovery signer is sold with all the same, and gets none later. */
const unsetSigners = ({ recoverySigner = null }: SettlementFacts, view: AccountView | null): number =>
  recoverySigner === null || (view !== null && weightOf(view.authority, recoverySigner) > 0) ? 0 : 1

/**
 * An account needs two reserves for itself and one for each trustline, and for its recovery signer. The XLM that its offers
 * promise is not spendable.
 */
const missingFor = (view: AccountView | null, entries: number, costs: SettlementCosts): Stroops => {
  const kept = view === null ? 2n * costs.baseReserve : view.reserve + view.nativePromised
  const needed = kept + BigInt(entries) * costOfEntry(costs)
  const held = view?.nativeBalance ?? 0n
  return stroops(needed > held ? needed - held : 0n)
}

const leastAmount = stroops(1n)

const problemsOf = (
  { account, accepted, isSponsored }: SettlementFacts,
  view: AccountView | null,
  assets: ReadonlyArray<AssetStanding>,
  missing: Stroops,
): ReadonlyArray<SettlementProblem> => {
  const ofAssets: ReadonlyArray<SettlementProblem> = accepted.length === 0 ? [{ code: 'no_asset_accepted' }] : []
  if (account === null) return [{ code: 'no_settlement_account' }, ...ofAssets]
  if (view === null && isSponsored) return [{ code: 'account_pending', account }, ...ofAssets]
  if (view === null) return [{ code: 'account_missing', account, missing }, ...ofAssets]
  const unfunded: ReadonlyArray<SettlementProblem> =
    missing === 0n ? [] : [{ code: 'account_underfunded', account, missing }]
  return [...unfunded, ...ofAssets, ...assets.flatMap((each) => problemWith(view, each))]
}

const problemWith = (
  view: AccountView,
  { asset: { assetId }, trustline }: AssetStanding,
): ReadonlyArray<SettlementProblem> => {
  if (trustline === 'pending') return [{ code: 'trustline_pending', assetId }]
  const code = whyNotReceived(view, assetId, leastAmount)
  return code === null ? [] : [{ code, assetId }]
}
