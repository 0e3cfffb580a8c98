import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { isWithdrawal, manageOffer, type OfferProblem, type OfferTerms } from '../exchange/manage-offer.ts'
import { isAssetValid } from '../ledger/assets.ts'
import { noAccount } from './no-account.ts'
import { type OperationLogic, type OperationOutcome, reserveRefusal } from './operation.ts'

/** The result codes of one operation. */
export type OfferCodes = {
  readonly success: (result: xdr.ManageOfferSuccessResult) => xdr.OperationResult
  readonly refused: Readonly<Record<OfferProblem | 'malformed' | 'lowReserve', xdr.OperationResult>>
}

const native = xdr.Asset.assetTypeNative()

/** The success of an operation that has not run: an empty offer of no account. */
const nothingDone = new xdr.ManageOfferSuccessResult({
  offersClaimed: [],
  offer: xdr.ManageOfferSuccessResultOffer.manageOfferCreated(
    new xdr.OfferEntry({
      sellerId: noAccount,
      offerId: 0n,
      selling: native,
      buying: native,
      amount: 0n,
      price: new xdr.Price({ n: 0, d: 0 }),
      flags: 0,
      ext: xdr.OfferEntryExt.v0(),
    }),
  ),
})

const isMalformed = (terms: OfferTerms): boolean => {
  const { selling, buying, price, limits, offerId } = terms
  if (!isAssetValid(selling) || !isAssetValid(buying) || selling.equals(buying)) return true
  const isNegative = (limits.offerSells ?? 0n) < 0n || (limits.offerIsPaid ?? 0n) < 0n || offerId < 0n
  return isNegative || price.n <= 0 || price.d <= 0 || (offerId === 0n && isWithdrawal(terms))
}

/** One of the operations on offers, defined by its terms and result codes. */
export const offerOperation = (terms: OfferTerms, { success, refused }: OfferCodes): OperationLogic => ({
  level: 'medium',
  success: success(nothingDone),
  check: () => (isMalformed(terms) ? E.left(refused.malformed) : E.right(success(nothingDone))),
  apply: (source, draft): OperationOutcome => {
    const managed = manageOffer(draft, source, terms)
    if (E.isRight(managed)) return E.right(success(managed.right))
    switch (managed.left) {
      case 'tooManyOffers':
        return E.left(xdr.OperationResult.opExceededWorkLimit())
      case 'lowReserve':
      case 'tooManySubentries':
      case 'tooManySponsoring':
        return reserveRefusal(managed.left, refused.lowReserve)
      case 'sellNoTrust':
      case 'sellNotAuthorized':
      case 'buyNoTrust':
      case 'buyNotAuthorized':
      case 'underfunded':
      case 'lineFull':
      case 'crossSelf':
      case 'notFound':
        return E.left(refused[managed.left])
    }
  },
})
