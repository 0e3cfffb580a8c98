import type { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { findAccount, int64Max } from '../ledger/accounts.ts'
import { issuedAsset } from '../ledger/assets.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { credit, debit } from '../ledger/transfers.ts'
import { isIssuer } from '../ledger/trustlines.ts'
import { convert, maxOffersCrossed } from './convert.ts'

/** Payer, payee and the assets of a path payment. */
export type Route = {
  readonly source: xdr.PublicKey
  readonly destination: xdr.PublicKey
  readonly sendAsset: xdr.Asset
  readonly path: ReadonlyArray<xdr.Asset>
  readonly destAsset: xdr.Asset
}

/** Why a path payment fails; both operations have their own code for each reason. */
export type PathProblem =
  | 'noDestination'
  | 'noTrust'
  | 'notAuthorized'
  | 'lineFull'
  | 'sourceNoTrust'
  | 'sourceNotAuthorized'
  | 'underfunded'
  | 'tooFewOffers'
  | 'offerCrossSelf'
  | 'limitPassed'

/** The amount at the other end of the path, in stroops, and the offers taken, in path order. */
export type PathExchange = { readonly amount: bigint; readonly claims: ReadonlyArray<xdr.ClaimAtom> }

type Refused = E.Either<PathProblem | 'tooManyOffers', PathExchange>

const sourceProblems = {
  noTrust: 'sourceNoTrust',
  notAuthorized: 'sourceNotAuthorized',
  underfunded: 'underfunded',
} as const

const takeFromSource = (draft: LedgerDraft, { source, sendAsset }: Route, amount: bigint): PathProblem | undefined => {
  const problem = debit(draft, source, sendAsset, amount)
  return problem === undefined ? undefined : sourceProblems[problem]
}

/** An asset may return to its issuer even where the issuer's account is gone. */
const isReturn = ({ destination, sendAsset, path, destAsset }: Route): boolean => {
  const issued = issuedAsset(destAsset)
  return path.length === 0 && sendAsset.equals(destAsset) && issued !== undefined && isIssuer(destination, issued)
}

const destinationProblem = (draft: LedgerDraft, route: Route): PathProblem | undefined =>
  isReturn(route) || findAccount(draft, route.destination) !== undefined ? undefined : 'noDestination'

/** One exchange on a path. */
type Hop = { readonly pays: xdr.Asset; readonly buys: xdr.Asset }

const hopsOf = ({ sendAsset, path, destAsset }: Route): ReadonlyArray<Hop> => {
  const assets = [...path, destAsset]
  return assets.flatMap((buys, at) => {
    const pays = assets[at - 1] ?? sendAsset
    return buys.equals(pays) ? [] : [{ pays, buys }]
  })
}

/** The side that every hop fixes: what it buys (`strictReceive`) or what it pays (`strictSend`), in stroops. */
type Fixed = { readonly rounding: 'strictReceive' | 'strictSend'; readonly amount: bigint }

/** Exchanges along the hops, each fixed by the amount of the one before. `source` may not take its own offers. */
export const exchangeAlong = (
  draft: LedgerDraft,
  hops: ReadonlyArray<Hop>,
  { rounding, amount }: Fixed,
  source?: xdr.PublicKey,
): Refused => {
  const claims: xdr.ClaimAtom[] = []
  let fixed = amount
  for (const hop of hops) {
    const [maxPaid, maxBought] = rounding === 'strictSend' ? [fixed, int64Max] : [int64Max, fixed]
    const order = { ...hop, maxPaid, maxBought }
    const crossed = convert(draft, order, rounding, maxOffersCrossed - claims.length, ({ sellerId }) =>
      source?.equals(sellerId) === true ? 'crossesSelf' : undefined,
    )
    const { end, paid, bought } = crossed
    if (end === 'tooManyOffers') return E.left(end)
    if (end === 'crossesSelf') return E.left('offerCrossSelf')
    const [done, next] = rounding === 'strictSend' ? [paid, bought] : [bought, paid]
    if (end !== 'filled' || done !== fixed) return E.left('tooFewOffers')
    if (rounding === 'strictSend') claims.push(...crossed.claims)
    else claims.unshift(...crossed.claims)
    fixed = next
  }
  return E.right({ amount: fixed, claims })
}

/**
 * Delivers `amount` and takes its cost from the source, at most `sendMax`, in stroops; answers that cost. The
 * destination is paid before the first offer is taken.
 * Source: stellar-core, PathPaymentStrictReceiveOpFrame.
 */
export const payStrictReceive = (draft: LedgerDraft, route: Route, amount: bigint, sendMax: bigint): Refused => {
  const problem = destinationProblem(draft, route) ?? credit(draft, route.destination, route.destAsset, amount)
  if (problem !== undefined) return E.left(problem)
  const exchanged = exchangeAlong(
    draft,
    hopsOf(route).toReversed(),
    { rounding: 'strictReceive', amount },
    route.source,
  )
  if (E.isLeft(exchanged)) return exchanged
  if (exchanged.right.amount > sendMax) return E.left('limitPassed')
  const unpaid = takeFromSource(draft, route, exchanged.right.amount)
  return unpaid === undefined ? exchanged : E.left(unpaid)
}

/**
 * Takes `amount` from the source and delivers what it buys, at least `destMin`, in stroops; answers the delivered
 * amount.
 * Source: stellar-core, PathPaymentStrictSendOpFrame.
 */
export const payStrictSend = (draft: LedgerDraft, route: Route, amount: bigint, destMin: bigint): Refused => {
  const problem = destinationProblem(draft, route) ?? takeFromSource(draft, route, amount)
  if (problem !== undefined) return E.left(problem)
  const exchanged = exchangeAlong(draft, hopsOf(route), { rounding: 'strictSend', amount }, route.source)
  if (E.isLeft(exchanged)) return exchanged
  if (exchanged.right.amount < destMin) return E.left('limitPassed')
  const undelivered = credit(draft, route.destination, route.destAsset, exchanged.right.amount)
  return undelivered === undefined ? exchanged : E.left(undelivered)
}
