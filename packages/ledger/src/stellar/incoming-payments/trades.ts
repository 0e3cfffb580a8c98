import type { xdr } from '@stellar/stellar-sdk'
import { accountIdOf } from '../addresses.ts'
import { assetIdOf } from '../assets.ts'
import { heldBy, movedParts, type Part, type Side } from './part.ts'

/** The offers and pools that an operation traded with, in order. */
const claimed = (result: xdr.OperationResultTr): ReadonlyArray<xdr.ClaimAtom> => {
  if (result.type === 'pathPaymentStrictReceive' || result.type === 'pathPaymentStrictSend') {
    const path = result.value
    return 'success' in path ? path.success.offers : []
  }
  if (
    result.type === 'manageSellOffer' ||
    result.type === 'manageBuyOffer' ||
    result.type === 'createPassiveSellOffer'
  ) {
    const offer = result.value
    return 'success' in offer ? offer.success.offersClaimed : []
  }
  return []
}

const offerOf = (key: xdr.Uint256Bytes): Side => heldBy({ account: accountIdOf(key), muxedId: null })

const sellerOf = (atom: xdr.ClaimAtom): Side => {
  switch (atom.type) {
    case 'claimAtomTypeV0':
      return offerOf(atom.v0.sellerEd25519)
    case 'claimAtomTypeOrderBook':
      return offerOf(atom.orderBook.sellerId.ed25519)
    case 'claimAtomTypeLiquidityPool':
      return {
        holder: null,
        counterparty: { _tag: 'liquidity_pool', id: atom.liquidityPool.liquidityPoolId.toString() },
      }
  }
}

/**
 * The movements of an operation's trades: each offer gave what it sold to the buyer and took what it bought. A buyer
 * that holds nothing of it, as on a payment's path, is named as the other side all the same.
 */
export const tradeParts = (result: xdr.OperationResultTr, buyer: Side): ReadonlyArray<Part> =>
  claimed(result).flatMap((atom) => {
    const { assetSold, amountSold, assetBought, amountBought } = atom.value
    const seller = sellerOf(atom)
    return [
      ...movedParts('trade', assetIdOf(assetSold), amountSold, seller, buyer),
      ...movedParts('trade', assetIdOf(assetBought), amountBought, buyer, seller),
    ]
  })
