import { assetCode, decimalFromStroops, formatAmount } from '@quittance/domain'
import { defect, notRelayed, type Of, type Problem, type Problems } from './problem.ts'

/** Problems of offering a mandate to a wallet. */
const mandateUnfit = (because: Of<'MandateUnfit'>['because']): Problem => {
  switch (because) {
    case 'balance_too_low':
      return [
        409,
        'wallet_balance_too_low',
        'The wallet has too little of the asset for the first payment',
        'source_account',
      ]
    case 'no_trustline':
      return [409, 'wallet_trustline_missing', 'The wallet does not trust the asset', 'source_account']
    case 'frozen':
      return [409, 'wallet_frozen', 'The issuer of the asset does not let this wallet move it', 'source_account']
    case 'exists':
      return [
        409,
        'mandate_exists',
        'This wallet has signed another mandate for this checkout, which does not count: use another wallet or a new checkout',
        'source_account',
      ]
    case 'network_busy':
      return [503, 'network_busy', 'The network cannot take the mandate now: try again in a few seconds']
    case 'refused':
      return [409, 'mandate_refused', 'The mandate contract would not take this wallet’s mandate', 'source_account']
  }
}

/** Problems of a wallet that cannot pay. */
const payerUnfit = (failure: Of<'PayerUnfit'>): Problem => {
  const code = assetCode(failure.assetId)
  switch (failure.because) {
    case 'no_trustline':
      return [409, 'wallet_trustline_missing', `The wallet does not trust ${code}`, 'source_account']
    case 'frozen':
      return [409, 'wallet_frozen', `The issuer of ${code} does not let this wallet move it`, 'source_account']
    case 'balance_too_low':
      return [
        409,
        'wallet_balance_too_low',
        `The wallet can spend ${formatAmount(failure.spendable, failure.assetId)}, and needs ${formatAmount(failure.needed, failure.assetId)}${failure.assetId === 'native' ? ' with the fee' : ''}`,
        'source_account',
      ]
  }
}
const ledgerDown: Problem = [503, 'ledger_unavailable', 'The ledger cannot be reached: try again later']

/** Problems of building and relaying payments. */
export const payingProblems = {
  MemoTooLong: () => defect,
  SourceAccountNotFound: () => [
    409,
    'source_account_not_found',
    'The account does not exist on the ledger',
    'source_account',
  ],
  NoSequenceLeft: () => [409, 'bad_sequence', 'The account has no sequence number left to send with', 'source_account'],
  PayerUnfit: (failure) => payerUnfit(failure),
  TrustlineNotNeeded: ({ assetId }) => [
    409,
    'wallet_trustline_not_needed',
    `The wallet can hold ${assetCode(assetId)} already`,
    'source_account',
  ],
  NoPath: () => [409, 'no_path', 'No market leads from this asset to the one asked for right now', 'send_asset'],
  PathTooExpensive: ({ sendAmount, highest }) => [
    409,
    'path_too_expensive',
    `Paying with this asset would take ${decimalFromStroops(sendAmount)} of it now, above ${decimalFromStroops(highest)}: try again later, or pay with another asset`,
    'send_asset',
  ],
  SendMaxRequired: ({ sendAmount }) => [
    409,
    'send_max_required',
    `No exchange rate says what this asset is worth, and it would take ${decimalFromStroops(sendAmount)} of it now: say in send_max how much may be sent at most`,
    'send_max',
  ],
  SendAssetNotHeld: () => [
    409,
    'send_asset_not_held',
    'The account does not hold this asset, or may not part with it',
    'send_asset',
  ],
  SendAssetTooLittle: ({ balance, needed }) => [
    409,
    'send_asset_too_little',
    `It would take ${decimalFromStroops(needed)} of this asset, and the account has ${decimalFromStroops(balance)}`,
    'send_asset',
  ],
  PathsUnavailable: () => [
    503,
    'paths_unavailable',
    'Nobody can say now what other assets would cost: try again later',
  ],
  PathsNotConfigured: () => [
    503,
    'paths_not_configured',
    'Only the asset asked for can be paid with here',
    'send_asset',
  ],
  MandateUnfit: ({ because }) => mandateUnfit(because),
  MalformedEnvelope: () => [
    400,
    'malformed_transaction',
    'Not a transaction envelope in base64 XDR',
    'transaction_xdr',
  ],
  NotAPaymentForThisCheckout: () =>
    notRelayed('The transaction does not pay this checkout: check destination, memo and asset'),
  TimeBoundsUnfit: ({ longestSeconds }) => notRelayed(`The transaction must end within ${longestSeconds} seconds`),
  LedgerUnreachable: () => ledgerDown,
  TryAgainLater: () => [503, 'network_busy', 'The network asks to send the same transaction again in a few seconds'],
  BadSequence: () => [409, 'bad_sequence', 'The account has used this sequence number: build the transaction anew'],
  Expired: () => [409, 'transaction_expired', 'The time bounds have ended: build the transaction anew'],
  FeeTooLow: () => [409, 'fee_too_low', 'The network asks for a higher fee'],
  FeeSourceCannotPay: () => [409, 'fee_source_cannot_pay', 'The account cannot pay the fee'],
  SimulateAgain: () => notRelayed('The network will not take this transaction'),
  Refused: ({ code }) => notRelayed(`The network refuses the transaction: ${code}`),
} satisfies Partial<Problems>
