import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

export type Credentials = { readonly username: string; readonly password: string }

export type ConnectionOptions = {
  /** `esdb://`, `esdb+discover://`, or the same with `kurrentdb` or `kdb`. */
  readonly connectionString: string
  /** Time-out of a call in milliseconds. */
  readonly deadlineMs: number
  /** Replaces the credentials of the connection string. */
  readonly credentials?: Credentials
  /** PEM file of the authority that signed the nodes' certificates. */
  readonly caFile?: string
  /** The preferred node of a cluster. Only the leader surely knows the latest writes. */
  readonly nodePreference?: 'leader' | 'follower' | 'read_only_replica' | 'random'
  /** Appends through one shared long call, with our own timer; faster, see `docs/eventstoredb.md`. */
  readonly batchAppend?: boolean
}

const form =
  /^(?:esdb|kurrentdb|kdb)(?<discover>\+discover)?:\/\/(?:(?<username>[^:@/]+):(?<password>[^@/]*)@)?(?<hosts>[^/?@]+)\/?(?:\?(?<settings>.*))?$/

export type Resolved = {
  readonly text: string
  readonly credentials: Credentials | null
  readonly isSecure: boolean
  /** Those in `text`. */
  readonly settings: ReadonlyMap<string, string>
}

const settingNames = [
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'throwOnAppendFailure',
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
]

/**
 * Makes the client fail at once when no node of a cluster answers, so that this adapter retries and knows that the
 * append was not sent. A long discovery of the client, cut off by the deadline, would leave that unknown.
 */
const oneDiscovery = new Map([
  ['maxDiscoverAttempts', '1'],
  ['discoveryInterval', '1'],
])

const flat = (name: string): string => name.trim().toLowerCase().replace(/[_-]/g, '')

/** Settings under one name each: the client accepts several spellings, and uses the last of repeated values. */
const settingsOf = (text: string): Map<string, string> => {
  const settings = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(text)) {
    const name = settingNames.find((known) => flat(known) === flat(key))
    // The client would ignore it, and print the string with its password.
    if (name === undefined) throw new Error(`The connection string of the event store has an unknown setting: ${key}`)
    settings.set(name, value.trim())
  }
  return settings
}

/** Throws for a file without a certificate: the client would trust no server and blame the server's certificate. */
const requireCertificate = (path: string): void => {
  try {
    new X509Certificate(readFileSync(path))
  } catch (cause) {
    throw new Error(`The CA file of the event store cannot be used: ${path}`, { cause })
  }
}

/**
 * The client's connection string, with our options.
 * Errors: throws for an invalid string, unknown settings, settings that this adapter cannot work with, or an unusable
 * CA file. No message contains the string, which may hold a password.
 */
export const resolveConnection = (options: ConnectionOptions): Resolved => {
  const parts = form.exec(options.connectionString.trim())?.groups
  if (parts === undefined) throw new Error('The connection string of the event store is malformed')
  const { discover = '', username, password, hosts = '', settings: given = '' } = parts
  const settings = new Map([...oneDiscovery, ...settingsOf(given)])
  if (settings.get('throwOnAppendFailure') === 'false') {
    throw new Error('throwOnAppendFailure=false would hide the actual revision of a stream: leave it out')
  }
  settings.set('defaultDeadline', String(options.deadlineMs))
  if (options.caFile !== undefined) settings.set('tlsCAFile', options.caFile)
  if (options.nodePreference !== undefined) settings.set('nodePreference', options.nodePreference)
  const inString =
    username === undefined || password === undefined
      ? null
      : { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  const credentials = options.credentials ?? inString
  const isSecure = settings.get('tls') !== 'false'
  const caFile = settings.get('tlsCAFile')
  if (isSecure && caFile !== undefined) requireCertificate(caFile)
  const login =
    credentials === null
      ? ''
      : `${encodeURIComponent(credentials.username)}:${encodeURIComponent(credentials.password)}@`
  const query = [...settings].map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')
  return { text: `esdb${discover}://${login}${hosts}?${query}`, credentials, isSecure, settings }
}
