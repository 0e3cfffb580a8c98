import { type AccountId, type AssetId, type Environment, hourMs, secondMs, type UnixMs } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import type { Clock } from '../kernel/clock.ts'
import type { SettlementProblemCode } from './settlement-problems.ts'

/** How long an account that could be paid is taken to be as it was seen. */
export const seenForMs = 30 * secondMs

/** The same while no node answers. */
export const trustedForMs = hourMs

const mostAccounts = 10_000
const mostRefusals = 1_000

/**
 * Settlement accounts as this process last saw them on the ledger, so that a sale does not ask the node each time. Only
 * what could be paid is kept: whoever cannot be paid is asked about each time, and sells at once when that changes.
 */
export interface SeenAccounts {
  /** The account as it was seen with this asset at most `withinMs` ago; null where it was not. */
  readonly recall: (place: Place, assetId: AssetId, withinMs: number) => AccountView | null
  /** The account as it is now, read with these assets; it can be paid in `assetId`. */
  readonly keep: (place: Place, view: AccountView, assets: ReadonlyArray<AssetId>, assetId: AssetId) => void
  /** A sale to the account was refused. What was seen of it before counts no more. */
  readonly refuse: (place: Place, assetId: AssetId, merchantId: string, code: SettlementProblemCode) => void
  /** Those for whom a sale was refused within the hour, and none in the same asset has succeeded since: the first refused first. */
  readonly refused: () => ReadonlyArray<Refused>
}

export type Refused = {
  readonly environment: Environment
  readonly merchantId: string
  readonly code: SettlementProblemCode
  readonly since: UnixMs
}

/** An account on one of the networks: the same address may be an account on each. */
type Place = { readonly environment: Environment; readonly account: AccountId }

type Refusal = Refused & Place & { readonly assetId: AssetId; readonly last: UnixMs }

type Seen = { readonly view: AccountView; readonly assets: ReadonlySet<AssetId>; readonly at: UnixMs }

export const seenAccounts = (clock: Clock): SeenAccounts => {
  const seen = new Map<string, Seen>()
  const refusals = new Map<string, Refusal>()
  const nameOf = ({ environment, account }: Place): string => `${environment} ${account}`
  return {
    recall: (place, assetId, withinMs) => {
      const known = seen.get(nameOf(place))
      if (known === undefined || !known.assets.has(assetId)) return null
      const age = clock.now() - known.at
      return age >= 0 && age <= withinMs ? known.view : null
    },
    keep: (place, view, assets, assetId) => {
      if (seen.size >= mostAccounts) seen.clear()
      for (const [name, refusal] of refusals) {
        const isOver = refusal.code === 'account_missing' || refusal.assetId === assetId
        if (nameOf(refusal) === nameOf(place) && isOver) refusals.delete(name)
      }
      seen.set(nameOf(place), { view, assets: new Set(assets), at: clock.now() })
    },
    refuse: (place, assetId, merchantId, code) => {
      const name = `${nameOf(place)} ${assetId}`
      seen.delete(nameOf(place))
      if (refusals.size >= mostRefusals) refusals.clear()
      const since = refusals.get(name)?.since ?? clock.now()
      refusals.set(name, { ...place, assetId, merchantId, code, since, last: clock.now() })
    },
    refused: () => {
      const now = clock.now()
      for (const [name, { last }] of refusals) if (now - last > trustedForMs) refusals.delete(name)
      const byMerchant = new Map<string, Refused>()
      for (const { environment, merchantId, code, since } of refusals.values()) {
        const name = `${environment} ${merchantId}`
        if (!byMerchant.has(name)) byMerchant.set(name, { environment, merchantId, code, since })
      }
      return [...byMerchant.values()]
    },
  }
}
