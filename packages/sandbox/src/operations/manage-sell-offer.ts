import { xdr } from '@stellar/stellar-sdk'
import { type OfferCodes, offerOperation } from './offer-operation.ts'
import { innerResult, type OperationLogic } from './operation.ts'

const code = xdr.ManageSellOfferResult

const codesIn = (result: (code: xdr.ManageSellOfferResult) => xdr.OperationResult): OfferCodes => ({
  success: (success) => result(code.manageSellOfferSuccess(success)),
  refused: {
    malformed: result(code.manageSellOfferMalformed()),
    sellNoTrust: result(code.manageSellOfferSellNoTrust()),
    sellNotAuthorized: result(code.manageSellOfferSellNotAuthorized()),
    buyNoTrust: result(code.manageSellOfferBuyNoTrust()),
    buyNotAuthorized: result(code.manageSellOfferBuyNotAuthorized()),
    underfunded: result(code.manageSellOfferUnderfunded()),
    lineFull: result(code.manageSellOfferLineFull()),
    crossSelf: result(code.manageSellOfferCrossSelf()),
    notFound: result(code.manageSellOfferNotFound()),
    lowReserve: result(code.manageSellOfferLowReserve()),
  },
})

const manageCodes = codesIn((each) => innerResult(xdr.OperationResultTr.manageSellOffer(each)))

export const manageSellOffer = ({ amount, ...terms }: xdr.ManageSellOfferOp): OperationLogic =>
  offerOperation({ ...terms, limits: { offerSells: amount }, isPassive: false }, manageCodes)

/** A passive offer does not take offers of exactly its own price. */
export const createPassiveSellOffer = ({ amount, ...terms }: xdr.CreatePassiveSellOfferOp): OperationLogic =>
  offerOperation({ ...terms, limits: { offerSells: amount }, offerId: 0n, isPassive: true }, manageCodes)
