import { type AccountId, AssetId, type Stroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { named } from './named.ts'
import { formatSep7, type MalformedSep7, malformedSep7 } from './sep7-parameters.ts'
import { readSep7 } from './sep7-read.ts'
import { formatRequest, type Sep7Request } from './sep7-request.ts'

/** A request to pay exactly this to an account, with this memo of at most 28 bytes. */
export type PayOrder = {
  readonly destination: AccountId
  readonly amount: Stroops
  readonly assetId: AssetId
  readonly memoText: string
  readonly networkPassphrase: string
}

export const payUri = ({ memoText, ...order }: PayOrder): string =>
  formatSep7(formatRequest({ operation: 'pay', ...order, memo: { _tag: 'text', value: memoText } }))

/** XLM for an account of the service, which may not exist yet: such payments have no memo. */
type FundingOrder = {
  readonly account: AccountId
  /** In stroops; 0: whoever pays chooses the amount. */
  readonly missing: Stroops
  readonly networkPassphrase: string
  /** Shown by the wallet; only the first 300 characters are. */
  readonly message: string
}

export const fundingUri = ({ account, missing, networkPassphrase, message }: FundingOrder): string =>
  formatSep7(
    formatRequest({
      operation: 'pay',
      destination: account,
      assetId: named(AssetId, 'native'),
      memo: { _tag: 'none' },
      message: [...message].slice(0, 300).join(''),
      networkPassphrase,
      ...(missing === 0n ? {} : { amount: missing }),
    }),
  )

/** A request to sign this transaction, and to submit it. */
export const txUri = (order: { readonly envelopeXdr: string; readonly networkPassphrase: string }): string =>
  formatSep7(formatRequest({ operation: 'tx', ...order }))

/** The request as a URI. Errors: `MalformedSep7` for what no wallet could read: see `readSep7`. Source: SEP-7. */
export const sep7Uri = (request: Sep7Request): E.Either<MalformedSep7, string> => {
  const formatted = formatRequest(request)
  const isWhole = Object.values(formatted.parameters).every((value) => value.isWellFormed())
  if (!isWhole) return malformedSep7('half a character')
  const uri = formatSep7(formatted)
  return E.map(() => uri)(readSep7(uri))
}
