import { type Keypair, Operation, type xdr } from '@stellar/stellar-sdk'
import { findOffer } from '../exchange/offers.ts'
import { type Grant, nothingToDo, type Plan } from '../faucet/grants.ts'
import { decimalOf } from '../ledger/decimal.ts'
import type { LedgerView } from '../ledger/draft.ts'
import { balanceOf, findHolding } from '../ledger/holdings.ts'
import type { Network } from '../network.ts'
import type { EntryTable } from '../store/entry-table.ts'
import { priceOf, type StandingOffer, type Stock, standingOffers, stocksOf } from './books.ts'

/** In units of a stock's depth: the two offers that sell it bind two of them. */
const leastHeld = 3n
const restock = 5n

type Step = { readonly operation: xdr.Operation; readonly signer: Keypair }

/** Opens what the maker keeps a stock in where it is missing, and adds to it where it holds too little. */
const stocking = (view: LedgerView, { root, marketMaker }: Network, { asset, giver, depth }: Stock): Step[] => {
  const destination = marketMaker.publicKey()
  const source = giver.publicKey()
  const holding = findHolding(view, marketMaker.xdrAccountId(), asset.toXdrObject())
  if (holding !== undefined && balanceOf(holding) >= leastHeld * depth) return []
  const amount = decimalOf(restock * depth)
  const payment = { operation: Operation.payment({ source, destination, asset, amount }), signer: giver }
  if (holding !== undefined) return [payment]
  if (asset.isNative())
    return [{ operation: Operation.createAccount({ source, destination, startingBalance: amount }), signer: root }]
  return [{ operation: Operation.changeTrust({ source: destination, asset }), signer: marketMaker }, payment]
}

/** Makes an offer that is missing, or brings one back to its depth of which less than half is left. */
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
 * What the market lacks on a ledger: in a new network all of it, on most ledgers nothing. Only the ledger says what,
 * so it is done once whoever closes the ledgers, and again where somebody has bought the market empty.
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

/** The same, without another look at a ledger that is as it was when nothing was lacking. */
export const attentiveUpkeep = (network: Network, entries: EntryTable): Grant => {
  const lacking = marketUpkeep(network)
  let whole: string | undefined
  return (view) => {
    const state = entries.stateSum()
    if (state === whole) return nothingToDo
    const plan = lacking(view)
    if (plan.operations.length === 0) whole = state
    return plan
  }
}
