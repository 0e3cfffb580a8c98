import { type Keypair, Operation, type xdr } from '@stellar/stellar-sdk'
import { findOffer } from '../exchange/offers.ts'
import { type Grant, nothingToDo, type Plan } from '../faucet/grants.ts'
import { decimalOf } from '../ledger/decimal.ts'
import type { LedgerView } from '../ledger/draft.ts'
import { balanceOf, findHolding } from '../ledger/holdings.ts'
import type { Network } from '../network.ts'
import type { EntryTable } from '../store/entry-table.ts'
import { priceOf, type StandingOffer, type Stock, standingOffers, stocksOf } from './books.ts'

/** In units of a stock's depth: two offers sell it and lock two of them. */
const leastHeld = 3n
const restock = 5n

type Step = { readonly operation: xdr.Operation; readonly signer: Keypair }

/** Creates the maker's holding of a stock where it is missing, and tops it up where it is low. */
const stocking = (view: LedgerView, { root, marketMaker }: Network, { asset, supplier, depth }: Stock): Step[] => {
  const destination = marketMaker.publicKey()
  const source = supplier.publicKey()
  const holding = findHolding(view, marketMaker.xdrAccountId(), asset.toXdrObject())
  if (holding !== undefined && balanceOf(holding) >= leastHeld * depth) return []
  const amount = decimalOf(restock * depth)
  const payment = { operation: Operation.payment({ source, destination, asset, amount }), signer: supplier }
  if (holding !== undefined) return [payment]
  if (asset.isNative())
    return [{ operation: Operation.createAccount({ source, destination, startingBalance: amount }), signer: root }]
  return [{ operation: Operation.changeTrust({ source: destination, asset }), signer: marketMaker }, payment]
}

/** Creates a missing offer, or restores one to its depth when less than half is left. */
const offering = (marketMaker: Keypair, standing: ReadonlyArray<xdr.OfferEntry>, offer: StandingOffer): Step[] => {
  const { asset: selling, depth } = offer.sells
  const buying = offer.takes.asset
  const [found] = standing.filter(
    (each) => each.selling.equals(selling.toXdrObject()) && each.buying.equals(buying.toXdrObject()),
  )
  if (found !== undefined && found.amount * 2n >= depth) return []
  const operation = Operation.manageSellOffer({
    source: marketMaker.publicKey(),
    selling,
    buying,
    amount: decimalOf(depth),
    price: priceOf(offer),
    offerId: (found?.offerId ?? 0n).toString(),
  })
  return [{ operation, signer: marketMaker }]
}

/**
 * The operations that restore the market: in a new network all offers, on most ledgers none. The plan depends on the
 * ledger alone, so it is executed once whichever process closes the ledgers.
 */
export const marketUpkeep = (network: Network): Grant => {
  const stocks = stocksOf(network)
  const offers = standingOffers(stocks)
  return (view): Plan => {
    const { marketMaker } = network
    const standing = view.offersOf(marketMaker.xdrAccountId()).flatMap((key) => findOffer(view, key) ?? [])
    const steps = [
      ...stocks.flatMap((stock) => stocking(view, network, stock)),
      ...offers.flatMap((offer) => offering(marketMaker, standing, offer)),
    ]
    return { operations: steps.map(({ operation }) => operation), signers: steps.map(({ signer }) => signer) }
  }
}

/** Skips the check while the ledger is unchanged since the market was last complete. */
export const cachedUpkeep = (network: Network, entries: EntryTable): Grant => {
  const lacking = marketUpkeep(network)
  let completeState: string | undefined
  return (view) => {
    const state = entries.stateSum()
    if (state === completeState) return nothingToDo
    const plan = lacking(view)
    if (plan.operations.length === 0) completeState = state
    return plan
  }
}
