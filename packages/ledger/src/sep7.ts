import { AccountId, AssetId, decimalFromStroops, type Stroops, stroopsFromDecimal } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Memo } from './credit.ts'
import { isDomainName } from './domain-name.ts'
import { named } from './named.ts'
import { memoParameters, readMemo } from './sep7-memo.ts'
import { formatSep7, type MalformedSep7, malformedSep7, parseSep7, type Sep7Parameters } from './sep7-parameters.ts'
import { formatReplacement, readReplacement, type Sep7Replacement } from './sep7-replacement.ts'
import { readStrkey } from './stellar/strkey.ts'

type Shared = {
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
export type PayRequest = Shared & {
  readonly operation: 'pay'
  /** `G…`, `M…` or `C…`, or a federated address (`name*domain`). */
  readonly destination: string
  readonly amount?: Stroops
  readonly assetId: AssetId
  readonly memo: Memo
}

/** A request to sign this transaction. What is in the envelope is not looked at here. */
export type SignRequest = Shared & {
  readonly operation: 'tx'
  readonly envelopeXdr: string
  readonly replace?: Sep7Replacement
  /** Who has to sign. */
  readonly publicKey?: AccountId
  /** The request that this one follows from, itself a URI. */
  readonly chain?: string
}

export type Sep7Request = PayRequest | SignRequest

const MESSAGE_CHARACTERS = 300
const CHAIN_LEVELS = 7
const PUBLIC_NETWORK = 'Public Global Stellar Network ; September 2015'
const NATIVE = named(AssetId, 'native')

type Parameters = Sep7Parameters['parameters']

const assetParameters = (assetId: AssetId): Parameters => {
  const [asset_code, asset_issuer] = assetId.split(':')
  return asset_code === undefined || asset_issuer === undefined ? {} : { asset_code, asset_issuer }
}

const optional = (name: string, value: string | undefined): Parameters => (value === undefined ? {} : { [name]: value })

const callbackOf = ({ callback }: Shared): Parameters =>
  optional('callback', callback === undefined ? undefined : `url:${callback}`)

const sharedParameters = ({ message, networkPassphrase, originDomain, signature }: Shared): Parameters => ({
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

const format = (request: Sep7Request): Sep7Parameters => ({
  operation: request.operation,
  parameters: { ...ownParameters(request), ...sharedParameters(request) },
})

/** A request to pay exactly this to an account, with this memo of at most 28 bytes. */
export type PayOrder = {
  readonly destination: AccountId
  readonly amount: Stroops
  readonly assetId: AssetId
  readonly memoText: string
  readonly networkPassphrase: string
}

export const payUri = ({ memoText, ...order }: PayOrder): string =>
  formatSep7(format({ operation: 'pay', ...order, memo: { _tag: 'text', value: memoText } }))

/** A request to sign this transaction, and to submit it. */
export const txUri = (order: { readonly envelopeXdr: string; readonly networkPassphrase: string }): string =>
  formatSep7(format({ operation: 'tx', ...order }))

/** The request as a URI. Errors: `MalformedSep7` for what no wallet could read: see `readSep7`. Source: SEP-7. */
export const sep7Uri = (request: Sep7Request): E.Either<MalformedSep7, string> => {
  const formatted = format(request)
  const isWhole = Object.values(formatted.parameters).every((value) => value.isWellFormed())
  if (!isWhole) return malformedSep7('half a character')
  const uri = formatSep7(formatted)
  return E.map(() => uri)(readSep7(uri))
}

/**
 * Reads a SEP-7 URI that anyone may have written; parameters that the standard does not name are passed over. Whether
 * the signature is true is another question. Never throws.
 * Errors: `MalformedSep7` for what `parseSep7` refuses, and for a parameter whose value the standard does not allow.
 */
export const readSep7 = (uri: string): E.Either<MalformedSep7, Sep7Request> =>
  pipe(
    parseSep7(uri),
    E.chain(({ operation, parameters }) =>
      pipe(
        readShared(parameters),
        E.chain(
          (shared): E.Either<MalformedSep7, Sep7Request> =>
            operation === 'pay' ? readPay(parameters, shared) : readSign(parameters, shared),
        ),
      ),
    ),
  )

const readShared = (parameters: Parameters): E.Either<MalformedSep7, Shared> => {
  const { callback, msg, network_passphrase: networkPassphrase = PUBLIC_NETWORK, origin_domain, signature } = parameters
  const callbackUrl = callback?.startsWith('url:https://') ? callback.slice('url:'.length) : undefined
  if (callback !== undefined && (callbackUrl === undefined || !URL.canParse(callbackUrl)))
    return malformedSep7('callback is no https address')
  if (msg !== undefined && [...msg].length > MESSAGE_CHARACTERS) return malformedSep7('msg is too long')
  if (origin_domain !== undefined && !isDomainName(origin_domain)) return malformedSep7('origin_domain is no domain')
  if (signature !== undefined && !isSignature(signature)) return malformedSep7('signature is no signature')
  return E.right({
    networkPassphrase,
    ...(callbackUrl === undefined ? {} : { callback: callbackUrl }),
    ...(msg === undefined ? {} : { message: msg }),
    ...(origin_domain === undefined ? {} : { originDomain: origin_domain }),
    ...(signature === undefined ? {} : { signature }),
  })
}

const isSignature = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 64 && bytes.toString('base64') === text
}

const payable: ReadonlySet<string> = new Set(['account', 'muxed_account', 'contract'])

const isDestination = (text: string): boolean => {
  const [name, domain, ...rest] = text.split('*')
  if (domain !== undefined) return name !== '' && isDomainName(domain) && rest.length === 0
  const strkey = readStrkey(text)
  return E.isRight(strkey) && payable.has(strkey.right._tag)
}

const assetOf = ({ asset_code: code, asset_issuer: issuer }: Parameters): AssetId | null => {
  if (code === undefined && issuer === undefined) return NATIVE
  const assetId = `${code ?? ''}:${issuer ?? ''}`
  return AssetId.is(assetId) ? assetId : null
}

const readPay = (parameters: Parameters, shared: Shared): E.Either<MalformedSep7, PayRequest> => {
  const { destination = '', amount: amountText, memo: memoText, memo_type } = parameters
  const amount = amountText === undefined ? E.right(undefined) : stroopsFromDecimal(amountText)
  const assetId = assetOf(parameters)
  const memo = readMemo(memoText, memo_type)
  if (!isDestination(destination)) return malformedSep7('destination is no address')
  if (E.isLeft(amount) || amount.right === 0n) return malformedSep7('amount is no amount')
  if (assetId === null) return malformedSep7('asset_code and asset_issuer name no asset')
  if (memo === null) return malformedSep7('memo is no memo of its type')
  const asked = amount.right === undefined ? {} : { amount: amount.right }
  return E.right({ operation: 'pay', destination, ...asked, assetId, memo, ...shared })
}

const readSign = (parameters: Parameters, shared: Shared): E.Either<MalformedSep7, SignRequest> => {
  const { xdr: envelopeXdr = '', replace: replaceText, pubkey, chain } = parameters
  const replace = replaceText === undefined ? undefined : readReplacement(replaceText)
  if (replace === null) return malformedSep7('replace names no fields')
  if (pubkey !== undefined && !AccountId.is(pubkey)) return malformedSep7('pubkey is no account')
  if (chain !== undefined && !isChain(chain, CHAIN_LEVELS)) return malformedSep7('chain is no request, or too long')
  return E.right({
    operation: 'tx',
    envelopeXdr,
    ...(replace === undefined ? {} : { replace }),
    ...(pubkey === undefined ? {} : { publicKey: pubkey }),
    ...(chain === undefined ? {} : { chain }),
    ...shared,
  })
}

/** Requests within each other, so many levels of them at most. */
const isChain = (uri: string, levels: number): boolean => {
  const outer = parseSep7(uri)
  if (E.isLeft(outer) || levels === 0) return false
  const inner = outer.right.parameters.chain
  return inner === undefined || isChain(inner, levels - 1)
}
