import type { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { draftOn, type LedgerView } from '../ledger/draft.ts'
import { walk } from './path-payment.ts'
import type { PathQuery, PaymentPath } from './payment-path.ts'

/** How many books a path may cross; the network would allow six. */
const maxHops = 3

/** A way from an asset to the destination's. `through` are the assets after it, the destination's last. */
type Way = {
  readonly asset: xdr.Asset
  readonly amount: bigint
  readonly through: ReadonlyArray<xdr.Asset>
  readonly ledger: LedgerView
}

const isAmong = (assets: ReadonlyArray<xdr.Asset>, asset: xdr.Asset): boolean =>
  assets.some((each) => each.equals(asset))

/** Whether nothing is gained by going on with a way: another one leads there for no more, through no other assets. */
const isBeaten = (way: Way, known: ReadonlyArray<Way>): boolean =>
  known.some(
    (other) =>
      other.asset.equals(way.asset) &&
      other.amount <= way.amount &&
      other.through.every((asset) => isAmong(way.through, asset)),
  )

/** The ways that are one hop longer: each crosses the book in a draft of its own, which nobody keeps. */
const longer = ({ asset, amount, through, ledger }: Way, payer: xdr.PublicKey | undefined): ReadonlyArray<Way> =>
  ledger.askedFor(asset).flatMap((pays) => {
    if (isAmong([asset, ...through], pays)) return []
    const draft = draftOn(ledger, { sequence: 0, closeTime: 0n })
    const walked = walk(draft, [{ pays, buys: asset }], { rounding: 'strictReceive', amount }, payer)
    if (E.isLeft(walked)) return []
    return [{ asset: pays, amount: walked.right.amount, through: [asset, ...through], ledger: draft }]
  })

/**
 * For each asset that may be sent, the cheapest path of at most three hops that delivers exactly the amount, in the
 * order of `sendAssets`; an asset that leads nowhere is left out. The books are crossed as the payment would cross
 * them, so in this ledger it costs exactly that. No asset occurs twice on a path. Writes nothing.
 */
export const findPaths = (view: LedgerView, query: PathQuery): ReadonlyArray<PaymentPath> => {
  const { destAsset, destAmount, sendAssets, payer } = query
  const known: Way[] = [{ asset: destAsset, amount: destAmount, through: [], ledger: view }]
  let edge: ReadonlyArray<Way> = known
  for (let hops = 1; hops <= maxHops; hops += 1) {
    const next = edge.flatMap((way) => longer(way, payer)).filter((way) => !isBeaten(way, known))
    known.push(...next)
    edge = next
  }
  return sendAssets.flatMap((sendAsset) => {
    const ways = known.filter(({ asset }) => asset.equals(sendAsset))
    const [first, ...others] = ways
    if (first === undefined) return []
    const best = others.reduce((cheapest, way) => (way.amount < cheapest.amount ? way : cheapest), first)
    return [{ sendAsset, sendAmount: best.amount, path: best.through.slice(0, -1) }]
  })
}
