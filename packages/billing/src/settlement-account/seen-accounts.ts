import { type AccountId, type AssetId, type Environment, hourMs, secondMs, type UnixMs } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import type { Clock } from '../ports.ts'

/** How long an account that could be paid is taken to be as it was seen. */
export const seenForMs = 30 * secondMs

/** The same while no node answers. */
export const trustedForMs = hourMs

const mostAccounts = 10_000

/**
 * Settlement accounts as this process last saw them on the ledger, so that a sale does not ask the node each time. Only
 * what could be paid is kept: whoever cannot be paid is asked about each time, and sells at once when that changes.
 */
export interface SeenAccounts {
  /** The account as it was seen with this asset at most `withinMs` ago; null where it was not. */
  readonly recall: (place: Place, assetId: AssetId, withinMs: number) => AccountView | null
  /** The account as it is now, read with these assets. */
  readonly keep: (place: Place, view: AccountView, assets: ReadonlyArray<AssetId>) => void
  readonly forget: (place: Place) => void
}

/** An account on one of the networks: the same address may be an account on each. */
type Place = { readonly environment: Environment; readonly account: AccountId }

type Seen = { readonly view: AccountView; readonly assets: ReadonlySet<AssetId>; readonly at: UnixMs }

export const seenAccounts = (clock: Clock): SeenAccounts => {
  const seen = new Map<string, Seen>()
  const nameOf = ({ environment, account }: Place): string => `${environment} ${account}`
  return {
    recall: (place, assetId, withinMs) => {
      const known = seen.get(nameOf(place))
      if (known === undefined || !known.assets.has(assetId)) return null
      const age = clock.now() - known.at
      return age >= 0 && age <= withinMs ? known.view : null
    },
    keep: (place, view, assets) => {
      if (seen.size >= mostAccounts) seen.clear()
      seen.set(nameOf(place), { view, assets: new Set(assets), at: clock.now() })
    },
    forget: (place) => {
      seen.delete(nameOf(place))
    },
  }
}
