import { type AssetId, issuerOf } from '@quittance/domain'
import type { Counterparty, MovementKind } from '../../movement.ts'
import type { Address } from '../addresses.ts'

/** A part of what an operation did to a balance: who holds it, how many stroops came or went, and how. */
export type Part = {
  readonly kind: MovementKind
  readonly holder: Address
  readonly counterparty: Counterparty | null
  readonly assetId: AssetId
  readonly delta: bigint
}

/** Whoever an operation names as giving or taking, whatever the amount. */
export type Party = Pick<Part, 'kind' | 'holder' | 'counterparty'>

/**
 * How to name an operation's balance changes. `parts` have amounts of their own, from results or events; what remains
 * of a change is the giver's if it is a loss, the taker's if it is a gain; any other change is `unnamed`.
 */
export type Naming = {
  readonly parts: ReadonlyArray<Part>
  readonly giver: Party | null
  readonly taker: Party | null
  readonly unnamed: 'contract_call' | 'other'
}

/** One side of a movement: who holds the balance, if it is an account's, and who it is to the other side. */
export type Side = { readonly holder: Address | null; readonly counterparty: Counterparty | null }

export const asCounterparty = ({ account, muxedId }: Address): Counterparty => ({ _tag: 'account', account, muxedId })

export const heldBy = (holder: Address): Side => ({ holder, counterparty: asCounterparty(holder) })

/** Moves an amount from one side to the other, as the two parts that it is. */
export const movedParts = (
  kind: MovementKind,
  assetId: AssetId,
  amount: bigint,
  from: Side,
  to: Side,
): ReadonlyArray<Part> => {
  const part = (holder: Address | null, counterparty: Counterparty | null, delta: bigint): ReadonlyArray<Part> =>
    // An issuer holds no balance of its own asset: what comes to it ceases to exist.
    holder === null || delta === 0n || holder.account === issuerOf(assetId)
      ? []
      : [{ kind, holder, counterparty, assetId, delta }]
  // What one gives to oneself is no movement, as the network sees it.
  if (from.holder !== null && from.holder.account === to.holder?.account) return []
  return [...part(from.holder, to.counterparty, -amount), ...part(to.holder, from.counterparty, amount)]
}
