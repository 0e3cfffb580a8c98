import { AccountId, AssetId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { parse, stringify } from 'smol-toml'

/**
 * What a domain says of itself, as far as we say or need it. `currencies` leaves out the native asset, which has no
 * issuer.
 */
export type StellarToml = {
  readonly networkPassphrase: string | null
  readonly accounts: ReadonlyArray<AccountId>
  /** Signs SEP-10 challenges. */
  readonly signingKey: AccountId | null
  /** Signs SEP-7 requests. */
  readonly uriRequestSigningKey: AccountId | null
  readonly currencies: ReadonlyArray<AssetId>
}

export type MalformedStellarToml = { readonly _tag: 'MalformedStellarToml'; readonly cause: string }

/** The standard's own bound on the document. */
export const LARGEST_STELLAR_TOML_BYTES = 100 * 1024

/** The document as text. Source: SEP-1. */
export const writeStellarToml = (toml: StellarToml): string => {
  const optional = (name: string, value: string | null) => (value === null ? {} : { [name]: value })
  return stringify({
    ...optional('NETWORK_PASSPHRASE', toml.networkPassphrase),
    ...optional('SIGNING_KEY', toml.signingKey),
    ...optional('URI_REQUEST_SIGNING_KEY', toml.uriRequestSigningKey),
    ACCOUNTS: [...toml.accounts],
    CURRENCIES: toml.currencies.map((assetId) => {
      const [code = '', issuer = ''] = assetId.split(':')
      return { code, issuer }
    }),
  })
}

const optional = <A>(codec: t.Type<A, unknown, unknown>) => t.union([codec, t.undefined])

const Document = t.type({
  NETWORK_PASSPHRASE: optional(t.string),
  SIGNING_KEY: optional(AccountId),
  URI_REQUEST_SIGNING_KEY: optional(AccountId),
  ACCOUNTS: optional(t.readonlyArray(t.unknown)),
  CURRENCIES: optional(t.readonlyArray(t.UnknownRecord)),
})

/**
 * Reads a document that anyone may have written; of its lists, what is no account or no issued asset is passed over.
 * Never throws.
 * Errors: `MalformedStellarToml` for what is no TOML, and a key, passphrase or list that is none.
 */
export const readStellarToml = (text: string): E.Either<MalformedStellarToml, StellarToml> => {
  const malformed = (cause: string): MalformedStellarToml => ({ _tag: 'MalformedStellarToml', cause })
  const parsed = E.tryCatch<MalformedStellarToml, unknown>(
    () => parse(text, { integersAsBigInt: 'asNeeded' }),
    (thrown) => malformed(thrown instanceof Error ? thrown.message : 'unreadable'),
  )
  if (E.isLeft(parsed)) return parsed
  const document = Document.decode(parsed.right)
  if (E.isLeft(document)) return E.left(malformed(document.left[0]?.context[1]?.key ?? 'unreadable'))
  const { NETWORK_PASSPHRASE, SIGNING_KEY, URI_REQUEST_SIGNING_KEY, ACCOUNTS = [], CURRENCIES = [] } = document.right
  return E.right({
    networkPassphrase: NETWORK_PASSPHRASE ?? null,
    accounts: ACCOUNTS.filter(AccountId.is),
    signingKey: SIGNING_KEY ?? null,
    uriRequestSigningKey: URI_REQUEST_SIGNING_KEY ?? null,
    currencies: CURRENCIES.map(({ code, issuer }) => `${String(code)}:${String(issuer)}`).filter(AssetId.is),
  })
}
