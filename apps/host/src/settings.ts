import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'

/** The environment variables of a process, by name. */
export type Variables = Readonly<Record<string, string | undefined>>

/** A problem with one variable, for the operator. It does not repeat the value, which may be a secret. */
export type ConfigProblem = { readonly variable: string; readonly expected: string }

/** Decodes a value; null when the text is invalid. */
export type Read<A> = (text: string) => A | null

/** Reads variables one by one and collects their problems, so that all are reported together. */
export type Settings = {
  /** The value of `QUITTANCE_<name>`, or `unset` when it is unset, empty or not what is `expected`. */
  readonly read: <A>(name: string, expected: string, decode: Read<A>, unset: A) => A
  readonly isSet: (name: string) => boolean
  readonly complain: (...problems: ReadonlyArray<ConfigProblem>) => void
  readonly problems: () => ReadonlyArray<ConfigProblem>
}

export const settingsIn = (variables: Variables): Settings => {
  const problems: Array<ConfigProblem> = []
  return {
    read: (name, expected, decode, unset) => {
      const variable = `QUITTANCE_${name}`
      const text = variables[variable]
      if (text === undefined || text === '') return unset
      const value = decode(text)
      if (value === null) problems.push({ variable, expected })
      return value ?? unset
    },
    isSet: (name) => (variables[`QUITTANCE_${name}`] ?? '') !== '',
    complain: (...found) => problems.push(...found),
    problems: () => problems,
  }
}

export const oneOf =
  <A>(codec: t.Decoder<unknown, A>): Read<A> =>
  (text) =>
    E.getOrElse<unknown, A | null>(() => null)(codec.decode(text))

export const number =
  (from: number, to: number): Read<number> =>
  (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : null

export const exactly =
  (value: string): Read<string> =>
  (text) =>
    text === value ? value : null

export const matching =
  (pattern: RegExp): Read<string> =>
  (text) =>
    pattern.test(text) ? text : null

/** Values separated by commas, all of which must be valid. */
export const listOf =
  <A>(decode: Read<A>): Read<ReadonlyArray<A>> =>
  (text) => {
    const values = text.split(',').map((each) => decode(each.trim()))
    return values.every((value) => value !== null) ? values : null
  }

/** An http(s) address, without its final slash. */
export const httpUrl: Read<string> = (text) =>
  /^https?:\/\/[^/]/.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : null

/** One line for each problem. */
export const problemText = (problems: ReadonlyArray<ConfigProblem>): string =>
  problems.map(({ variable, expected }) => `${variable} must be ${expected}`).join('\n')
