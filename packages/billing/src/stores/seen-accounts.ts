import { type AccountId, type AssetId, type Environment, hourMs, secondMs, type UnixMs } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import type { Clock } from '../kernel/clock.ts'
import type { SettlementProblemCode } from './settlement-problems.ts'

/** How long a view of an account that could be paid counts. */
export const seenForMs = 30 * secondMs

/** How long it counts while no node answers. */
export const trustedForMs = hourMs

const mostAccounts = 10_000
const mostRefusals = 1_000

/**
 * Settlement accounts as this process last saw them on the ledger, so that a sale does not ask a node each time. It keeps
 * only accounts that could be paid: the others are looked up each time, and can sell at once when that changes.
 */
export interface SeenAccounts {
  /** The view of the account with this asset from at most `withinMs` ago; else null. */
  readonly recall: (account: NetworkAccount, assetId: AssetId, withinMs: number) => AccountView | null
  /** Keeps a new view, read with these assets, of an account that can be paid in `assetId`. */
  readonly keep: (account: NetworkAccount, view: AccountView, assets: ReadonlyArray<AssetId>, assetId: AssetId) => void
  /** Records that a sale to the account was refused, and drops its earlier view. */
  readonly refuse: (account: NetworkAccount, assetId: AssetId, merchantId: string, code: SettlementProblemCode) => void
  /** The merchants whose last sale in some asset was refused within the hour, the first refused first. */
  readonly refused: () => ReadonlyArray<Refused>
}

export type Refused = {
  readonly environment: Environment
  readonly merchantId: string
  readonly code: SettlementProblemCode
  readonly since: UnixMs
}

/** An account on one of the networks, since the same address may exist on each. */
type NetworkAccount = { readonly environment: Environment; readonly account: AccountId }

type Refusal = Refused & NetworkAccount & { readonly assetId: AssetId; readonly last: UnixMs }

type Seen = { readonly view: AccountView; readonly assets: ReadonlySet<AssetId>; readonly at: UnixMs }

export const seenAccounts = (clock: Clock): SeenAccounts => {
  const seen = new Map<string, Seen>()
  const refusals = new Map<string, Refusal>()
  const nameOf = ({ environment, account }: NetworkAccount): string => `${environment} ${account}`
  return {
    recall: (account, assetId, withinMs) => {
      const known = seen.get(nameOf(account))
      if (known === undefined || !known.assets.has(assetId)) return null
      const age = clock.now(account.environment) - known.at
      return age >= 0 && age <= withinMs ? known.view : null
    },
    keep: (account, view, assets, assetId) => {
      if (seen.size >= mostAccounts) seen.clear()
      for (const [name, refusal] of refusals) {
        const isOver = refusal.code === 'account_missing' || refusal.assetId === assetId
        if (nameOf(refusal) === nameOf(account) && isOver) refusals.delete(name)
      }
      seen.set(nameOf(account), { view, assets: new Set(assets), at: clock.now(account.environment) })
    },
    refuse: (account, assetId, merchantId, code) => {
      const name = `${nameOf(account)} ${assetId}`
      seen.delete(nameOf(account))
      if (refusals.size >= mostRefusals) refusals.clear()
      const since = refusals.get(name)?.since ?? clock.now(account.environment)
      refusals.set(name, { ...account, assetId, merchantId, code, since, last: clock.now(account.environment) })
    },
    refused: () => {
      for (const [name, { environment, last }] of refusals)
        if (clock.now(environment) - last > trustedForMs) refusals.delete(name)
      const byMerchant = new Map<string, Refused>()
      for (const { environment, merchantId, code, since } of refusals.values()) {
        const name = `${environment} ${merchantId}`
        if (!byMerchant.has(name)) byMerchant.set(name, { environment, merchantId, code, since })
      }
      return [...byMerchant.values()]
    },
  }
}
