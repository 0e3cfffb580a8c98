import { type AccountId, type AssetId, decimalFromStroops, type Stroops } from '@quittance/domain'

/** The request as a SEP-7 URI, with the parameters in the given order, each percent-encoded. */
export const formatSep7 = (operation: 'pay' | 'tx', parameters: Readonly<Record<string, string>>): string => {
  const encoded = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `web+stellar:${operation}?${encoded.join('&')}`
}

/** A request to pay exactly this to an account, with this memo of at most 28 bytes. */
export type PayOrder = {
  readonly destination: AccountId
  readonly amount: Stroops
  readonly assetId: AssetId
  readonly memoText: string
  readonly networkPassphrase: string
}

/** The URI by which a wallet pays an order (SEP-7 `pay`). */
export const payUri = ({ destination, amount, assetId, memoText, networkPassphrase }: PayOrder): string => {
  const [asset_code = '', asset_issuer] = assetId.split(':')
  return formatSep7('pay', {
    destination,
    amount: decimalFromStroops(amount),
    ...(asset_issuer === undefined ? {} : { asset_code, asset_issuer }),
    memo: memoText,
    memo_type: 'MEMO_TEXT',
    network_passphrase: networkPassphrase,
  })
}

/** A request for XLM to an account of the service, which may not exist yet: such payments have no memo. */
type FundingOrder = {
  readonly account: AccountId
  /** In stroops; 0 lets the payer choose the amount. */
  readonly missing: Stroops
  readonly networkPassphrase: string
  /** Shown by the wallet; only the first 300 characters are. */
  readonly message: string
}

/** The URI by which a wallet sends what an account lacks (SEP-7 `pay`). */
export const fundingUri = ({ account, missing, networkPassphrase, message }: FundingOrder): string =>
  formatSep7('pay', {
    destination: account,
    ...(missing === 0n ? {} : { amount: decimalFromStroops(missing) }),
    msg: [...message].slice(0, 300).join(''),
    network_passphrase: networkPassphrase,
  })

/** A request to sign and submit this transaction. */
export const txUri = (order: { readonly envelopeXdr: string; readonly networkPassphrase: string }): string =>
  formatSep7('tx', { xdr: order.envelopeXdr, network_passphrase: order.networkPassphrase })
