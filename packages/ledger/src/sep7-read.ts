import { AccountId, AssetId, stroopsFromDecimal } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isDomainName } from './domain-name.ts'
import { named } from './named.ts'
import { readMemo } from './sep7-memo.ts'
import { type MalformedSep7, malformedSep7, parseSep7, type Sep7Parameters } from './sep7-parameters.ts'
import { readReplacement } from './sep7-replacement.ts'
import type { PayRequest, Sep7Request, SharedRequest, SignRequest } from './sep7-request.ts'
import { readStrkey } from './stellar/strkey.ts'

const MESSAGE_CHARACTERS = 300
const CHAIN_LEVELS = 7
const PUBLIC_NETWORK = 'Public Global Stellar Network ; September 2015'
const NATIVE = named(AssetId, 'native')

type Parameters = Sep7Parameters['parameters']

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

const readShared = (parameters: Parameters): E.Either<MalformedSep7, SharedRequest> => {
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

const readPay = (parameters: Parameters, shared: SharedRequest): E.Either<MalformedSep7, PayRequest> => {
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

const readSign = (parameters: Parameters, shared: SharedRequest): E.Either<MalformedSep7, SignRequest> => {
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
