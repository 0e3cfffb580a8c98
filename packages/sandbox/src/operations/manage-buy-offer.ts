import { xdr } from '@stellar/stellar-sdk'
import { type OfferCodes, offerOperation } from './offer-operation.ts'
import { innerResult, type OperationLogic } from './operation.ts'

const code = xdr.ManageBuyOfferResult
const result = (each: xdr.ManageBuyOfferResult) => innerResult(xdr.OperationResultTr.manageBuyOffer(each))

const codes: OfferCodes = {
  success: (success) => result(code.manageBuyOfferSuccess(success)),
  refused: {
    malformed: result(code.manageBuyOfferMalformed()),
    sellNoTrust: result(code.manageBuyOfferSellNoTrust()),
    sellNotAuthorized: result(code.manageBuyOfferSellNotAuthorized()),
    buyNoTrust: result(code.manageBuyOfferBuyNoTrust()),
    buyNotAuthorized: result(code.manageBuyOfferBuyNotAuthorized()),
    underfunded: result(code.manageBuyOfferUnderfunded()),
    lineFull: result(code.manageBuyOfferLineFull()),
    crossSelf: result(code.manageBuyOfferCrossSelf()),
    notFound: result(code.manageBuyOfferNotFound()),
    lowReserve: result(code.manageBuyOfferLowReserve()),
  },
}

/** The price is that of the bought asset, so the offer it leaves has the inverse price. */
export const manageBuyOffer = ({ buyAmount, price, ...terms }: xdr.ManageBuyOfferOp): OperationLogic => {
  const inverse = new xdr.Price({ n: price.d, d: price.n })
  return offerOperation({ ...terms, price: inverse, limits: { offerIsPaid: buyAmount }, isPassive: false }, codes)
}
