import type { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { draftOn, type LedgerView } from '../ledger/draft.ts'
import { exchangeAlong } from './path-payment.ts'
import type { PathQuery, PaymentPath } from './payment-path.ts'

/** The most hops of a path; the network allows six. */
const maxHops = 3

/** A partial path to the destination. `through` lists the assets after `asset`, the destination's last. */
type PartialPath = {
  readonly asset: xdr.Asset
  readonly amount: bigint
  readonly through: ReadonlyArray<xdr.Asset>
  readonly ledger: LedgerView
}

const isAmong = (assets: ReadonlyArray<xdr.Asset>, asset: xdr.Asset): boolean =>
  assets.some((each) => each.equals(asset))

/** Whether another path from the same asset costs no more and uses no other assets. */
const isDominated = (way: PartialPath, known: ReadonlyArray<PartialPath>): boolean =>
  known.some(
    (other) =>
      other.asset.equals(way.asset) &&
      other.amount <= way.amount &&
      other.through.every((asset) => isAmong(way.through, asset)),
  )

/** All paths one hop longer. Each crosses the book in its own draft, which is discarded. */
const extended = (
  { asset, amount, through, ledger }: PartialPath,
  payer: xdr.PublicKey | undefined,
): ReadonlyArray<PartialPath> =>
  ledger.askedFor(asset).flatMap((pays) => {
    if (isAmong([asset, ...through], pays)) return []
    const draft = draftOn(ledger, { sequence: 0, closeTime: 0n })
    const exchanged = exchangeAlong(draft, [{ pays, buys: asset }], { rounding: 'strictReceive', amount }, payer)
    if (E.isLeft(exchanged)) return []
    return [{ asset: pays, amount: exchanged.right.amount, through: [asset, ...through], ledger: draft }]
  })

/**
 * For each of `sendAssets`, in order, the cheapest path of at most three hops that delivers exactly the amount; assets
 * without a path are left out. Crosses the books as the payment would, so the amounts are exact in this ledger. No
 * asset occurs twice on a path. Writes nothing.
 */
export const findPaths = (view: LedgerView, query: PathQuery): ReadonlyArray<PaymentPath> => {
  const { destAsset, destAmount, sendAssets, payer } = query
  const known: PartialPath[] = [{ asset: destAsset, amount: destAmount, through: [], ledger: view }]
  let frontier: ReadonlyArray<PartialPath> = known
  for (let hops = 1; hops <= maxHops; hops += 1) {
    const next = frontier.flatMap((way) => extended(way, payer)).filter((way) => !isDominated(way, known))
    known.push(...next)
    frontier = next
  }
  return sendAssets.flatMap((sendAsset) => {
    const ways = known.filter(({ asset }) => asset.equals(sendAsset))
    const [first, ...others] = ways
    if (first === undefined) return []
    const best = others.reduce((cheapest, way) => (way.amount < cheapest.amount ? way : cheapest), first)
    return [{ sendAsset, sendAmount: best.amount, path: best.through.slice(0, -1) }]
  })
}
