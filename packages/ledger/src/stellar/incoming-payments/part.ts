import { type AssetId, issuerOf } from '@quittance/domain'
import type { Counterparty, MovementKind } from '../../movement.ts'
import type { Address } from '../addresses.ts'

/** A part of an operation's change of a balance: its holder, the stroops that came or went, and how. */
export type Part = {
  readonly kind: MovementKind
  readonly holder: Address
  readonly counterparty: Counterparty | null
  readonly assetId: AssetId
  readonly delta: bigint
}

/** The giver or taker that an operation names, without an amount. */
export type Party = Pick<Part, 'kind' | 'holder' | 'counterparty'>

/**
 * The names for an operation's balance changes. `parts` have amounts of their own, from results or events; the rest of
 * a change belongs to the giver if it is a loss, to the taker if it is a gain; any other change is `unnamed`.
 */
export type Naming = {
  readonly parts: ReadonlyArray<Part>
  readonly giver: Party | null
  readonly taker: Party | null
  readonly unnamed: 'contract_call' | 'other'
}

/** One side of a movement: the holder of the balance, if it is an account, and its name for the other side. */
export type Side = { readonly holder: Address | null; readonly counterparty: Counterparty | null }

export const asCounterparty = ({ account, muxedId }: Address): Counterparty => ({ _tag: 'account', account, muxedId })

export const heldBy = (holder: Address): Side => ({ holder, counterparty: asCounterparty(holder) })

/** Moves an amount from one side to the other, as two parts. */
export const movedParts = (
  kind: MovementKind,
  assetId: AssetId,
  amount: bigint,
  from: Side,
  to: Side,
): ReadonlyArray<Part> => {
  const part = (holder: Address | null, counterparty: Counterparty | null, delta: bigint): ReadonlyArray<Part> =>
    // An issuer holds no balance of its own asset: incoming amounts cease to exist.
    holder === null || delta === 0n || holder.account === issuerOf(assetId)
      ? []
      : [{ kind, holder, counterparty, assetId, delta }]
  // A transfer to oneself is no movement on the network.
  if (from.holder !== null && from.holder.account === to.holder?.account) return []
  return [...part(from.holder, to.counterparty, -amount), ...part(to.holder, from.counterparty, amount)]
}
