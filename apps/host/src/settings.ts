import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'

/** The environment of a process: texts by the names of variables. */
export type Variables = Readonly<Record<string, string | undefined>>

/** What is wrong with one variable, for the person who set it. The value itself is not repeated: it may be a secret. */
export type ConfigProblem = { readonly variable: string; readonly expected: string }

/** The value that a text stands for; null where it stands for none. */
export type Read<A> = (text: string) => A | null

/** Reads variables one by one, and keeps what is wrong with them, so that all problems are reported together. */
export type Settings = {
  /** The value of `QUITTANCE_<name>`, or `unset` where it is not set, empty, or not what is `expected`. */
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

/** Values separated by commas; none of them may be wrong. */
export const listOf =
  <A>(decode: Read<A>): Read<ReadonlyArray<A>> =>
  (text) => {
    const values = text.split(',').map((each) => decode(each.trim()))
    return values.every((value) => value !== null) ? values : null
  }

/** An address without a slash at its end. */
export const httpUrl: Read<string> = (text) =>
  /^https?:\/\/[^/]/.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : null

/** What the operator has to put right, a line each. */
export const problemText = (problems: ReadonlyArray<ConfigProblem>): string =>
  problems.map(({ variable, expected }) => `${variable} must be ${expected}`).join('\n')
