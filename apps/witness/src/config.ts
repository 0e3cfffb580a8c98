import { readFileSync } from 'node:fs'
import { parseVerifierKey, type VerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** Everything that the environment configures. */
export type WitnessConfig = {
  /** The name of the witness's key, such as `witness.example/w1`. */
  readonly name: string
  readonly host: string
  /** 0: a free port. */
  readonly port: number
  readonly dataDir: string
  /** Keys of the logs that are witnessed, each named as the log's origin. */
  readonly logs: ReadonlyArray<VerifierKey>
  /** Requests a minute that one address may send. */
  readonly rateLimit: number
}

/** A problem with one variable, for the operator. */
export type ConfigProblem = { readonly variable: string; readonly expected: string }

type Variables = Readonly<Record<string, string | undefined>>

const prefix = 'QUITTANCE_WITNESS_'

/** A codec of text by a function that answers null for what is invalid. */
const fromText = <A>(name: string, read: (text: string) => A | null, print: (value: A) => string, is: t.Is<A>) =>
  new t.Type<A, string, unknown>(
    name,
    is,
    (input, context) => {
      const value = typeof input === 'string' ? read(input) : null
      return value === null ? t.failure(input, context) : t.success(value)
    },
    print,
  )

const text = (name: string, pattern: RegExp) =>
  fromText(
    name,
    (each) => (pattern.test(each) ? each : null),
    (each) => each,
    t.string.is,
  )

const wholeNumber = (name: string, from: number, to: number) =>
  fromText(
    name,
    (each) => (/^\d{1,9}$/.test(each) && Number(each) >= from && Number(each) <= to ? Number(each) : null),
    String,
    t.number.is,
  )

const Settings = {
  NAME: text(
    '1 to 200 characters without spaces and plus, such as witness.example/w1',
    /^[\x21-\x2a\x2c-\x7e]{1,200}$/,
  ),
  HOST: text('an address to listen on', /^[\w.:-]+$/),
  PORT: wholeNumber('a port from 0 to 65535', 0, 65_535),
  DATA_DIR: text('a directory', /./),
  LOGS: text('verifier keys of logs, separated by commas or spaces', /./),
  LOGS_FILE: text('a file with the verifier key of a log on each line', /./),
  RATE_LIMIT: wholeNumber('requests a minute for one address, from 1 to 1000000', 1, 1_000_000),
}
type Setting = keyof typeof Settings

/** The keys of a list; text behind `#` is a comment. Null where one is no key of a log. */
const logKeys = (list: string): ReadonlyArray<VerifierKey> | null => {
  const keys = list
    .replace(/#.*$/gm, '')
    .split(/[\s,]+/)
    .filter((each) => each !== '')
    .map(parseVerifierKey)
  if (keys.length === 0 || !keys.every(E.isRight)) return null
  const found = keys.map(({ right }) => right)
  return found.every(({ type }) => type === 'ed25519') ? found : null
}

const fileText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Decodes the environment, and reports all problems together. An empty variable counts as unset. */
export const configFrom = (variables: Variables): E.Either<ReadonlyArray<ConfigProblem>, WitnessConfig> => {
  const problems: Array<ConfigProblem> = []
  const complain = (setting: string, expected: string): void => {
    problems.push({ variable: `${prefix}${setting}`, expected })
  }
  const isSet = (setting: Setting): boolean => (variables[`${prefix}${setting}`] ?? '') !== ''
  const read = <A>(setting: Setting, codec: t.Type<A, string, unknown>, unset: A): A => {
    if (!isSet(setting)) return unset
    const value = codec.decode(variables[`${prefix}${setting}`])
    if (E.isRight(value)) return value.right
    complain(setting, codec.name)
    return unset
  }
  const name = read('NAME', Settings.NAME, '')
  if (!isSet('NAME')) complain('NAME', Settings.NAME.name)
  const listed = isSet('LOGS_FILE')
    ? fileText(read('LOGS_FILE', Settings.LOGS_FILE, ''))
    : read('LOGS', Settings.LOGS, '')
  const logs = logKeys(listed) ?? []
  const source = isSet('LOGS_FILE') ? 'LOGS_FILE' : 'LOGS'
  if (isSet('LOGS') && isSet('LOGS_FILE')) complain('LOGS_FILE', `unset, since ${prefix}LOGS is set`)
  else if (logs.length === 0) complain(source, `${Settings[source].name}, as their operators publish them`)
  for (const [variable, value] of Object.entries(variables))
    if (variable.startsWith(prefix) && (value ?? '') !== '' && !(variable.slice(prefix.length) in Settings))
      problems.push({ variable, expected: 'unset, since no setting has this name' })
  const config: WitnessConfig = {
    name,
    host: read('HOST', Settings.HOST, '127.0.0.1'),
    port: read('PORT', Settings.PORT, 3500),
    dataDir: read('DATA_DIR', Settings.DATA_DIR, './witness-data'),
    logs,
    rateLimit: read('RATE_LIMIT', Settings.RATE_LIMIT, 600),
  }
  return problems.length === 0 ? E.right(config) : E.left(problems)
}
