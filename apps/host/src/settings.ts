import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { secretFilesIn, secretFileVariables } from './secret-files.ts'

/** The environment variables of a process, by name. */
export type Variables = Readonly<Record<string, string | undefined>>

/** A problem with one variable, for the operator. It does not repeat the value, which may be a secret. */
export type ConfigProblem = {
  readonly variable: string
  readonly expected: string
  /** The setting is right, but a disk or a lock is in the way now. */
  readonly isPassing?: true
}

/** Decodes a value; null when the text is invalid. */
export type Read<A> = (text: string) => A | null

/** Reads variables one by one and collects their problems, so that all are reported together. */
export type Settings = {
  /** The value of `QUITTANCE_<name>`, which may be in a file (`secretFilesIn`), or `unset` when it is unset, empty or not what is `expected`. */
  readonly read: <A>(name: string, expected: string, decode: Read<A>, unset: A) => A
  readonly isSet: (name: string) => boolean
  readonly complain: (...problems: ReadonlyArray<ConfigProblem>) => void
  /** Complains about variables that are set and whose names nobody has read, such as misspelt ones. */
  readonly complainOfOthers: (known: ReadonlyArray<string>) => void
  readonly problems: () => ReadonlyArray<ConfigProblem>
}

const prefix = 'QUITTANCE_'
/** Those of the tests are read elsewhere. */
const isTests = (variable: string): boolean => variable.startsWith(`${prefix}TEST_`)

export const settingsIn = (variables: Variables): Settings => {
  const secrets = secretFilesIn(variables)
  const problems: Array<ConfigProblem> = [...secrets.problems]
  const names = new Set<string>(secretFileVariables)
  const textOf = (variable: string): string => secrets.values.get(variable) ?? variables[variable] ?? ''
  return {
    read: (name, expected, decode, unset) => {
      const variable = `${prefix}${name}`
      names.add(variable)
      const text = textOf(variable)
      if (text === '') return unset
      const value = decode(text)
      if (value === null) problems.push({ variable, expected })
      return value ?? unset
    },
    isSet: (name) => textOf(`${prefix}${name}`) !== '',
    complain: (...found) => problems.push(...found),
    complainOfOthers: (known) => {
      const all = [...names, ...known]
      for (const [variable, text] of Object.entries(variables)) {
        if (!variable.startsWith(prefix) || isTests(variable) || (text ?? '') === '' || all.includes(variable)) continue
        problems.push({
          variable,
          expected: `unset, since no setting has this name; the nearest is ${nearest(variable, all)}`,
        })
      }
    },
    problems: () => problems,
  }
}

/** The name with the fewest changed, added or removed letters. */
const nearest = (variable: string, names: ReadonlyArray<string>): string =>
  names.reduce((best, name) => (distance(variable, name) < distance(variable, best) ? name : best))

const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (const [i, letter] of [...one].entries()) {
    const above = row
    row = [i + 1]
    for (const [j, its] of [...other].entries())
      row.push(Math.min((above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1, (above[j] ?? 0) + (letter === its ? 0 : 1)))
  }
  return row.at(-1) ?? 0
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
