import * as E from 'fp-ts/lib/Either.js'

const SCHEME = 'web+stellar:'

/** A SEP-7 request with its parameters decoded and otherwise untouched. */
export type Sep7Parameters = {
  readonly operation: 'pay' | 'tx'
  readonly parameters: Readonly<Record<string, string>>
}

export type MalformedSep7 = { readonly _tag: 'MalformedSep7'; readonly cause: string }

export const malformedSep7 = (cause: string): E.Either<MalformedSep7, never> => E.left({ _tag: 'MalformedSep7', cause })

/** The request as a URI, parameters in the given order, each percent-encoded. */
export const formatSep7 = ({ operation, parameters }: Sep7Parameters): string =>
  `${SCHEME}${operation}?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`

const required = { pay: 'destination', tx: 'xdr' } as const

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Takes a SEP-7 URI apart that anyone may have written. Never throws.
 * Errors: `MalformedSep7` for another scheme or operation, broken encoding, a parameter twice or without a value, and a
 * missing `destination` or `xdr`.
 */
export const parseSep7 = (uri: string): E.Either<MalformedSep7, Sep7Parameters> => {
  const match = /^web\+stellar:(pay|tx)\?(.+)$/s.exec(uri)
  if (match === null) return malformedSep7('not a pay or tx request')
  const operation = match[1] === 'pay' ? 'pay' : 'tx'
  const parameters = new Map<string, string>()
  for (const part of (match[2] ?? '').split('&')) {
    const [name = '', text, ...rest] = part.split('=')
    const value = text === undefined || rest.length > 0 ? null : decoded(text)
    if (name === '' || value === null) return malformedSep7(`parameter ${name} cannot be read`)
    if (parameters.has(name)) return malformedSep7(`parameter ${name} occurs twice`)
    parameters.set(name, value)
  }
  if (!parameters.get(required[operation])) return malformedSep7(`parameter ${required[operation]} is missing`)
  return E.right({ operation, parameters: Object.fromEntries(parameters) })
}
