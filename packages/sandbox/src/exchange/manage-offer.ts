import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { LedgerDraft } from '../ledger/draft.ts'
import { offerKey } from '../ledger/entry-keys.ts'
import {
  add,
  balanceOf,
  buyable,
  findHolding,
  isAuthorized,
  requireHolding,
  room,
  sellable,
  spendable,
} from '../ledger/holdings.ts'
import { createEntry, type ReserveProblem } from '../ledger/sponsorship.ts'
import { liabilitiesAt, type OfferLimits, smaller, tradableAmount } from './arithmetic.ts'
import { type Conversion, convert, maxOffersCrossed } from './convert.ts'
import { findOffer, passiveFlag, priceOf, releaseOffer, settleOffer } from './offers.ts'

/**
 * The terms of an operation on an offer. `limits` names the one amount that the operation gives, to sell or to buy;
 * zero withdraws the offer. `offerId` 0 creates one.
 */
export type OfferTerms = {
  readonly selling: xdr.Asset
  readonly buying: xdr.Asset
  readonly price: xdr.Price
  readonly limits: Partial<OfferLimits>
  readonly offerId: bigint
  readonly isPassive: boolean
}

/** Why an offer is refused; each operation on offers has its own code for each reason. */
export type OfferProblem =
  | 'sellNoTrust'
  | 'sellNotAuthorized'
  | 'buyNoTrust'
  | 'buyNotAuthorized'
  | 'underfunded'
  | 'lineFull'
  | 'crossSelf'
  | 'notFound'

type Refused<A> = E.Either<OfferProblem | ReserveProblem | 'tooManyOffers', A>

export const isWithdrawal = ({ limits }: OfferTerms): boolean => limits.offerSells === 0n || limits.offerIsPaid === 0n

const holdingProblem = (draft: LedgerDraft, source: xdr.PublicKey, terms: OfferTerms): OfferProblem | undefined => {
  const { selling, buying } = terms
  const sold = findHolding(draft, source, selling)
  if (sold === undefined) return 'sellNoTrust'
  if (sold.kind === 'line' && balanceOf(sold) === 0n) return 'underfunded'
  if (!isAuthorized(sold)) return 'sellNotAuthorized'
  const bought = findHolding(draft, source, buying)
  if (bought === undefined) return 'buyNoTrust'
  return isAuthorized(bought) ? undefined : 'buyNotAuthorized'
}

const isNew = ({ offerId }: OfferTerms): boolean => offerId === 0n

/**
 * Opens the offer with amount zero: it locks nothing yet, and its reserve is counted. What is free then may be traded.
 */
const openOffer = (draft: LedgerDraft, source: xdr.PublicKey, terms: OfferTerms): Refused<xdr.OfferEntry> => {
  const { selling, buying, price } = terms
  const offerOf = (offerId: bigint, flags: number) =>
    new xdr.OfferEntry({
      sellerId: source,
      offerId,
      selling,
      buying,
      amount: 0n,
      price,
      flags,
      ext: xdr.OfferEntryExt.v0(),
    })
  if (isNew(terms)) {
    const offer = offerOf(draft.lastId() + 1n, terms.isPassive ? passiveFlag : 0)
    const created = createEntry(draft, xdr.LedgerEntryData.offer(offer), source)
    return E.isLeft(created) ? created : E.right(offer)
  }
  const before = findOffer(draft, offerKey(source, terms.offerId))
  if (before === undefined) return E.left('notFound')
  releaseOffer(draft, before)
  const offer = offerOf(terms.offerId, before.flags)
  draft.put(xdr.LedgerEntryData.offer(offer))
  return E.right(offer)
}

const within = (limit: bigint | undefined, used: bigint, free: bigint): bigint =>
  limit === undefined ? free : smaller(limit - used, free)

/** The limits that remain after a trade. */
const limitsLeft = (draft: LedgerDraft, source: xdr.PublicKey, terms: OfferTerms, paid: bigint, bought: bigint) => ({
  offerSells: within(terms.limits.offerSells, paid, sellable(requireHolding(draft, source, terms.selling))),
  offerIsPaid: within(terms.limits.offerIsPaid, bought, buyable(requireHolding(draft, source, terms.buying))),
})

const roomProblem = (draft: LedgerDraft, source: xdr.PublicKey, terms: OfferTerms): OfferProblem | undefined => {
  const wanted = liabilitiesAt(priceOf(terms.price), terms.limits)
  if (room(requireHolding(draft, source, terms.buying)) < wanted.buying) return 'lineFull'
  if (spendable(requireHolding(draft, source, terms.selling)) < wanted.selling) return 'underfunded'
  return limitsLeft(draft, source, terms, 0n, 0n).offerIsPaid === 0n ? 'lineFull' : undefined
}

/** Takes offers at the price or better; a passive offer takes only better ones. */
const takeOffers = (
  draft: LedgerDraft,
  { sellerId, selling, buying, price, flags }: xdr.OfferEntry,
  limits: OfferLimits,
) => {
  const own = priceOf(price)
  const isPassive = (flags & passiveFlag) !== 0
  const order = { pays: selling, buys: buying, maxPaid: limits.offerSells, maxBought: limits.offerIsPaid }
  return convert(draft, order, 'normal', maxOffersCrossed, (offer) => {
    const { n, d } = priceOf(offer.price)
    const difference = n * own.n - d * own.d
    if (difference > 0n || (isPassive && difference === 0n)) return 'badPrice'
    return offer.sellerId.equals(sellerId) ? 'crossesSelf' : undefined
  })
}

/** The amount that the offer keeps after taking from the book; zero when it was filled. */
const amountLeft = (draft: LedgerDraft, source: xdr.PublicKey, terms: OfferTerms, { end, paid, bought }: Conversion) =>
  end === 'filled' ? 0n : tradableAmount(priceOf(terms.price), limitsLeft(draft, source, terms, paid, bought))

const trade = (draft: LedgerDraft, offer: xdr.OfferEntry, terms: OfferTerms) => {
  const source = offer.sellerId
  const problem = roomProblem(draft, source, terms)
  if (problem !== undefined) return E.left(problem)
  const taken = takeOffers(draft, offer, limitsLeft(draft, source, terms, 0n, 0n))
  if (taken.end === 'crossesSelf') return E.left('crossSelf' as const)
  if (taken.end === 'tooManyOffers') return E.left(taken.end)
  add(draft, requireHolding(draft, source, terms.buying), taken.bought)
  add(draft, requireHolding(draft, source, terms.selling), -taken.paid)
  return E.right({ amount: amountLeft(draft, source, terms, taken), claims: taken.claims })
}

/**
 * Creates, changes or withdraws an offer: takes matching offers first and leaves the rest in the book.
 * Source: stellar-core, ManageOfferOpFrameBase.
 */
export const manageOffer = (
  draft: LedgerDraft,
  source: xdr.PublicKey,
  terms: OfferTerms,
): Refused<xdr.ManageOfferSuccessResult> => {
  const problem = isWithdrawal(terms) ? undefined : holdingProblem(draft, source, terms)
  if (problem !== undefined) return E.left(problem)
  const opened = openOffer(draft, source, terms)
  if (E.isLeft(opened)) return opened
  const traded = isWithdrawal(terms) ? E.right({ amount: 0n, claims: [] }) : trade(draft, opened.right, terms)
  if (E.isLeft(traded)) return traded
  const { amount, claims } = traded.right
  const offer = new xdr.OfferEntry({ ...opened.right, amount })
  settleOffer(draft, offer)
  if (amount > 0n && isNew(terms)) draft.useIdsUpTo(offer.offerId)
  return E.right(new xdr.ManageOfferSuccessResult({ offersClaimed: [...claims], offer: effectOf(offer, terms) }))
}

const effectOf = (offer: xdr.OfferEntry, terms: OfferTerms): xdr.ManageOfferSuccessResultOffer => {
  if (offer.amount === 0n) return xdr.ManageOfferSuccessResultOffer.manageOfferDeleted()
  return isNew(terms)
    ? xdr.ManageOfferSuccessResultOffer.manageOfferCreated(offer)
    : xdr.ManageOfferSuccessResultOffer.manageOfferUpdated(offer)
}
