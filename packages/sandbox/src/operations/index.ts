import type { xdr } from '@stellar/stellar-sdk'
import { accountMerge } from './account-merge.ts'
import { allowTrust } from './allow-trust.ts'
import { beginSponsoring } from './begin-sponsoring.ts'
import { bumpSequence } from './bump-sequence.ts'
import { changeTrust } from './change-trust.ts'
import { claimClaimableBalance } from './claim-claimable-balance.ts'
import { clawback } from './clawback.ts'
import { clawbackClaimableBalance } from './clawback-claimable-balance.ts'
import { createAccount } from './create-account.ts'
import { createClaimableBalance } from './create-claimable-balance.ts'
import { endSponsoring } from './end-sponsoring.ts'
import { extendFootprintTtl } from './extend-footprint-ttl.ts'
import { invokeHostFunction } from './invoke-host-function.ts'
import { manageBuyOffer } from './manage-buy-offer.ts'
import { manageData } from './manage-data.ts'
import { createPassiveSellOffer, manageSellOffer } from './manage-sell-offer.ts'
import type { OperationLogic } from './operation.ts'
import { pathPaymentStrictReceive } from './path-payment-strict-receive.ts'
import { pathPaymentStrictSend } from './path-payment-strict-send.ts'
import { payment } from './payment.ts'
import { restoreFootprint } from './restore-footprint.ts'
import { revokeSponsorship } from './revoke-sponsorship.ts'
import { setOptions } from './set-options.ts'
import { setTrustLineFlags } from './set-trust-line-flags.ts'

/** The logic of an operation; undefined for one that this ledger does not support. */
export const logicOf = (body: xdr.OperationBody): OperationLogic | undefined => {
  if (body.type === 'createAccount') return createAccount(body.createAccountOp)
  if (body.type === 'payment') return payment(body.paymentOp)
  if (body.type === 'changeTrust') return changeTrust(body.changeTrustOp)
  if (body.type === 'setOptions') return setOptions(body.setOptionsOp)
  if (body.type === 'manageData') return manageData(body.manageDataOp)
  if (body.type === 'manageSellOffer') return manageSellOffer(body.manageSellOfferOp)
  if (body.type === 'manageBuyOffer') return manageBuyOffer(body.manageBuyOfferOp)
  if (body.type === 'createPassiveSellOffer') return createPassiveSellOffer(body.createPassiveSellOfferOp)
  if (body.type === 'pathPaymentStrictReceive') return pathPaymentStrictReceive(body.pathPaymentStrictReceiveOp)
  if (body.type === 'pathPaymentStrictSend') return pathPaymentStrictSend(body.pathPaymentStrictSendOp)
  if (body.type === 'bumpSequence') return bumpSequence(body.bumpSequenceOp)
  if (body.type === 'accountMerge') return accountMerge(body.destination)
  if (body.type === 'beginSponsoringFutureReserves') return beginSponsoring(body.beginSponsoringFutureReservesOp)
  if (body.type === 'endSponsoringFutureReserves') return endSponsoring
  if (body.type === 'revokeSponsorship') return revokeSponsorship(body.revokeSponsorshipOp)
  if (body.type === 'createClaimableBalance') return createClaimableBalance(body.createClaimableBalanceOp)
  if (body.type === 'claimClaimableBalance') return claimClaimableBalance(body.claimClaimableBalanceOp)
  if (body.type === 'clawbackClaimableBalance') return clawbackClaimableBalance(body.clawbackClaimableBalanceOp)
  if (body.type === 'clawback') return clawback(body.clawbackOp)
  if (body.type === 'allowTrust') return allowTrust(body.allowTrustOp)
  if (body.type === 'setTrustLineFlags') return setTrustLineFlags(body.setTrustLineFlagsOp)
  if (body.type === 'invokeHostFunction') return invokeHostFunction(body.invokeHostFunctionOp)
  if (body.type === 'extendFootprintTtl') return extendFootprintTtl(body.extendFootprintTtlOp)
  if (body.type === 'restoreFootprint') return restoreFootprint
  return undefined
}
