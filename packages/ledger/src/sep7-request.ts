import { type AccountId, type AssetId, decimalFromStroops, type Stroops } from '@quittance/domain'
import type { Memo } from './incoming-payment.ts'
import { memoParameters } from './sep7-memo.ts'
import type { Sep7Parameters } from './sep7-parameters.ts'
import { formatReplacement, type Sep7Replacement } from './sep7-replacement.ts'

/** What both kinds of request may carry. */
export type SharedRequest = {
  readonly networkPassphrase: string
  /** Where the wallet posts what it signed (https), instead of submitting it. */
  readonly callback?: string
  /** Shown by the wallet, at most 300 characters. */
  readonly message?: string
  /** Whose `stellar.toml` has the key of the signature. */
  readonly originDomain?: string
  /** Base64 of 64 bytes. */
  readonly signature?: string
}

/** A request to pay; the wallet chooses how, and without an amount its user how much. */
export type PayRequest = SharedRequest & {
  readonly operation: 'pay'
  /** `G…`, `M…` or `C…`, or a federated address (`name*domain`). */
  readonly destination: string
  readonly amount?: Stroops
  readonly assetId: AssetId
  readonly memo: Memo
}

/** A request to sign this transaction. What is in the envelope is not looked at here. */
export type SignRequest = SharedRequest & {
  readonly operation: 'tx'
  readonly envelopeXdr: string
  readonly replace?: Sep7Replacement
  /** Who has to sign. */
  readonly publicKey?: AccountId
  /** The request that this one follows from, itself a URI. */
  readonly chain?: string
}

export type Sep7Request = PayRequest | SignRequest

type Parameters = Sep7Parameters['parameters']

const assetParameters = (assetId: AssetId): Parameters => {
  const [asset_code, asset_issuer] = assetId.split(':')
  return asset_code === undefined || asset_issuer === undefined ? {} : { asset_code, asset_issuer }
}

const optional = (name: string, value: string | undefined): Parameters => (value === undefined ? {} : { [name]: value })

const callbackOf = ({ callback }: SharedRequest): Parameters =>
  optional('callback', callback === undefined ? undefined : `url:${callback}`)

const sharedParameters = ({ message, networkPassphrase, originDomain, signature }: SharedRequest): Parameters => ({
  ...optional('msg', message),
  network_passphrase: networkPassphrase,
  ...optional('origin_domain', originDomain),
  ...optional('signature', signature),
})

const ownParameters = (request: Sep7Request): Parameters => {
  switch (request.operation) {
    case 'pay':
      return {
        destination: request.destination,
        ...optional('amount', request.amount === undefined ? undefined : decimalFromStroops(request.amount)),
        ...assetParameters(request.assetId),
        ...memoParameters(request.memo),
        ...callbackOf(request),
      }
    case 'tx':
      return {
        xdr: request.envelopeXdr,
        ...optional('replace', request.replace === undefined ? undefined : formatReplacement(request.replace)),
        ...callbackOf(request),
        ...optional('pubkey', request.publicKey),
        ...optional('chain', request.chain),
      }
  }
}

/** The request's parameters, whatever is in them. */
export const formatRequest = (request: Sep7Request): Sep7Parameters => ({
  operation: request.operation,
  parameters: { ...ownParameters(request), ...sharedParameters(request) },
})
