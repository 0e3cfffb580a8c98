import { xdr } from '@stellar/stellar-sdk'

/** The offers and pools that an operation took from, in order; undefined unless it is a successful exchange. */
export const claimsIn = (result: xdr.OperationResult): ReadonlyArray<xdr.ClaimAtom> | undefined => {
  if (result.type !== 'opInner' || !('value' in result.tr.value)) return undefined
  const { value } = result.tr.value
  if (value instanceof xdr.ManageOfferSuccessResult) return value.offersClaimed
  const isPath =
    value instanceof xdr.PathPaymentStrictReceiveResultSuccess ||
    value instanceof xdr.PathPaymentStrictSendResultSuccess
  return isPath ? value.offers : undefined
}

/** The claims of offers. */
export const claimedOffers = (claims: ReadonlyArray<xdr.ClaimAtom>): ReadonlyArray<xdr.ClaimOfferAtom> =>
  claims.flatMap((each) => (each.type === 'claimAtomTypeOrderBook' ? [each.orderBook] : []))
