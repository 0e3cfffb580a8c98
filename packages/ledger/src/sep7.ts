import { type AccountId, type AssetId, decimalFromStroops, type Stroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'

const SCHEME = 'web+stellar:'

/** A request to pay exactly this, with this memo; the wallet chooses how. */
export type PayRequest = {
  readonly destination: AccountId
  readonly amount: Stroops
  readonly assetId: AssetId
  readonly memoText: string
  readonly networkPassphrase: string
  /** Shown by the wallet, at most 300 characters. */
  readonly message?: string
}

/** A request to sign this transaction. With a `callback` (https) the wallet posts it there, else it submits it. */
export type SignRequest = {
  readonly envelopeXdr: string
  readonly networkPassphrase: string
  readonly callback?: string
  readonly message?: string
}

/** A SEP-7 request with its parameters decoded and otherwise untouched. */
export type Sep7Request = {
  readonly operation: 'pay' | 'tx'
  readonly parameters: Readonly<Record<string, string>>
}

export type MalformedSep7 = { readonly _tag: 'MalformedSep7'; readonly cause: string }

/** The request as a URI, parameters in the given order, each percent-encoded. */
export const sep7Uri = ({ operation, parameters }: Sep7Request): string =>
  `${SCHEME}${operation}?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`

const assetParameters = (assetId: AssetId): Readonly<Record<string, string>> => {
  const [code, issuer] = assetId.split(':')
  return code === undefined || issuer === undefined ? {} : { asset_code: code, asset_issuer: issuer }
}

const optional = (name: string, value: string | undefined): Readonly<Record<string, string>> =>
  value === undefined ? {} : { [name]: value }

/** A `pay` URI. Source: SEP-7, "Operation pay"; the native asset is named by leaving code and issuer out. */
export const payUri = (request: PayRequest): string =>
  sep7Uri({
    operation: 'pay',
    parameters: {
      destination: request.destination,
      amount: decimalFromStroops(request.amount),
      ...assetParameters(request.assetId),
      memo: request.memoText,
      memo_type: 'MEMO_TEXT',
      ...optional('msg', request.message),
      network_passphrase: request.networkPassphrase,
    },
  })

/** A `tx` URI. Source: SEP-7, "Operation tx". */
export const txUri = (request: SignRequest): string =>
  sep7Uri({
    operation: 'tx',
    parameters: {
      xdr: request.envelopeXdr,
      ...optional('callback', request.callback === undefined ? undefined : `url:${request.callback}`),
      ...optional('msg', request.message),
      network_passphrase: request.networkPassphrase,
    },
  })

const required = { pay: 'destination', tx: 'xdr' } as const

const malformed = (cause: string): E.Either<MalformedSep7, never> => E.left({ _tag: 'MalformedSep7', cause })

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Reads a SEP-7 URI that anyone may have written. Never throws.
 * Errors: `MalformedSep7` for another scheme or operation, broken encoding, a parameter twice or without a value, and a
 * missing `destination` or `xdr`.
 */
export const parseSep7 = (uri: string): E.Either<MalformedSep7, Sep7Request> => {
  const match = /^web\+stellar:(pay|tx)\?(.+)$/s.exec(uri)
  if (match === null) return malformed('not a pay or tx request')
  const operation = match[1] === 'pay' ? 'pay' : 'tx'
  const parameters = new Map<string, string>()
  for (const part of (match[2] ?? '').split('&')) {
    const [name = '', text, ...rest] = part.split('=')
    const value = text === undefined || rest.length > 0 ? null : decoded(text)
    if (name === '' || value === null) return malformed(`parameter ${name} cannot be read`)
    if (parameters.has(name)) return malformed(`parameter ${name} occurs twice`)
    parameters.set(name, value)
  }
  if (!parameters.get(required[operation])) return malformed(`parameter ${required[operation]} is missing`)
  return E.right({ operation, parameters: Object.fromEntries(parameters) })
}
