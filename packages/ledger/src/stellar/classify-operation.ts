import type { xdr } from '@stellar/stellar-sdk'

/**
 * The party at fault for a failed operation. `receiver`: the payee, or its trustline. `payer`: the paying account.
 * `market`: no offers at the allowed price. `reserve`: too little to keep an entry. `stale_simulation`: a contract call
 * needs more, or other entries, than its simulation said. `contract`: the contract refused. `ours`: we should not have
 * sent it.
 */
export type OperationFault = 'receiver' | 'payer' | 'market' | 'reserve' | 'stale_simulation' | 'contract' | 'ours'

/** The result codes of the operations that we send. */
type OperationCode =
  | Exclude<xdr.OperationResult['type'], 'opInner'>
  | xdr.CreateAccountResult['type']
  | xdr.ChangeTrustResult['type']
  | xdr.PaymentResult['type']
  | xdr.PathPaymentStrictReceiveResult['type']
  | xdr.InvokeHostFunctionResult['type']
  | xdr.ExtendFootprintTtlResult['type']
  | xdr.BeginSponsoringFutureReservesResult['type']
  | xdr.EndSponsoringFutureReservesResult['type']
  | xdr.RestoreFootprintResult['type']
  | xdr.SetOptionsResult['type']

const faults: Readonly<Record<OperationCode, OperationFault | null>> = {
  opBadAuth: 'ours',
  opNoAccount: 'payer',
  opNotSupported: 'ours',
  opTooManySubentries: 'ours',
  opExceededWorkLimit: 'market',
  opTooManySponsoring: 'ours',

  paymentSuccess: null,
  paymentMalformed: 'ours',
  paymentUnderfunded: 'payer',
  paymentSrcNoTrust: 'payer',
  paymentSrcNotAuthorized: 'payer',
  paymentNoDestination: 'receiver',
  paymentNoTrust: 'receiver',
  paymentNotAuthorized: 'receiver',
  paymentLineFull: 'receiver',
  paymentNoIssuer: 'ours',

  pathPaymentStrictReceiveSuccess: null,
  pathPaymentStrictReceiveMalformed: 'ours',
  pathPaymentStrictReceiveUnderfunded: 'payer',
  pathPaymentStrictReceiveSrcNoTrust: 'payer',
  pathPaymentStrictReceiveSrcNotAuthorized: 'payer',
  pathPaymentStrictReceiveNoDestination: 'receiver',
  pathPaymentStrictReceiveNoTrust: 'receiver',
  pathPaymentStrictReceiveNotAuthorized: 'receiver',
  pathPaymentStrictReceiveLineFull: 'receiver',
  pathPaymentStrictReceiveNoIssuer: 'ours',
  pathPaymentStrictReceiveTooFewOffers: 'market',
  pathPaymentStrictReceiveOfferCrossSelf: 'market',
  pathPaymentStrictReceiveOverSendmax: 'market',

  createAccountSuccess: null,
  createAccountMalformed: 'ours',
  createAccountUnderfunded: 'payer',
  createAccountLowReserve: 'reserve',
  createAccountAlreadyExist: 'ours',

  changeTrustSuccess: null,
  changeTrustMalformed: 'ours',
  changeTrustNoIssuer: 'ours',
  changeTrustInvalidLimit: 'ours',
  changeTrustLowReserve: 'reserve',
  changeTrustSelfNotAllowed: 'ours',
  changeTrustTrustLineMissing: 'ours',
  changeTrustCannotDelete: 'ours',
  changeTrustNotAuthMaintainLiabilities: 'ours',

  beginSponsoringFutureReservesSuccess: null,
  beginSponsoringFutureReservesMalformed: 'ours',
  beginSponsoringFutureReservesAlreadySponsored: 'ours',
  beginSponsoringFutureReservesRecursive: 'ours',

  endSponsoringFutureReservesSuccess: null,
  endSponsoringFutureReservesNotSponsored: 'ours',

  invokeHostFunctionSuccess: null,
  invokeHostFunctionMalformed: 'ours',
  invokeHostFunctionTrapped: 'contract',
  invokeHostFunctionResourceLimitExceeded: 'stale_simulation',
  invokeHostFunctionEntryArchived: 'stale_simulation',
  invokeHostFunctionInsufficientRefundableFee: 'stale_simulation',

  extendFootprintTtlSuccess: null,
  extendFootprintTtlMalformed: 'ours',
  extendFootprintTtlResourceLimitExceeded: 'stale_simulation',
  extendFootprintTtlInsufficientRefundableFee: 'stale_simulation',

  restoreFootprintSuccess: null,
  restoreFootprintMalformed: 'ours',
  restoreFootprintResourceLimitExceeded: 'stale_simulation',
  restoreFootprintInsufficientRefundableFee: 'stale_simulation',

  setOptionsSuccess: null,
  setOptionsLowReserve: 'reserve',
  setOptionsTooManySigners: 'ours',
  setOptionsBadFlags: 'ours',
  setOptionsInvalidInflation: 'ours',
  setOptionsCantChange: 'ours',
  setOptionsUnknownFlag: 'ours',
  setOptionsThresholdOutOfRange: 'ours',
  setOptionsBadSigner: 'ours',
  setOptionsInvalidHomeDomain: 'ours',
  setOptionsAuthRevocableRequired: 'ours',
}

const isKnown = (code: string): code is OperationCode => Object.hasOwn(faults, code)

/**
 * The party at fault for an operation's code, as `TransactionOutcome` names it; null for an operation that did not fail
 * itself. A code of operations that we never send is `ours`.
 * Source: Stellar-transaction.x.
 */
export const classifyOperation = (code: string): OperationFault | null => (isKnown(code) ? faults[code] : 'ours')
