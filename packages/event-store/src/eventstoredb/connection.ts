import { EventStoreDBClient } from '@eventstore/db-client'
import { DeadlinePassed, within } from './deadline.ts'

export type Credentials = { readonly username: string; readonly password: string }

export type ConnectionOptions = {
  /** `esdb://`, `esdb+discover://`, or the same with `kurrentdb` or `kdb`. */
  readonly connectionString: string
  /** How long a call may take before it is answered without the server. */
  readonly deadlineMs: number
  /** Instead of those in the connection string. */
  readonly credentials?: Credentials
  /** PEM file of the authority that signed the nodes' certificates. */
  readonly caFile?: string
  /** Which node of a cluster to talk to. Only the leader is sure to know what was just written. */
  readonly nodePreference?: 'leader' | 'follower' | 'read_only_replica' | 'random'
  /** Appends through one long call for all, under our own timer: faster, and see `docs/eventstoredb.md`. */
  readonly batchAppend?: boolean
}

export type Connection = {
  /** The client at present. Ask anew for each call. */
  readonly client: () => EventStoreDBClient
  /**
   * Puts a new client in the place of one whose batch stream gives no answers: the client does not notice when a server
   * ends that stream, and would send everything that follows into it.
   */
  readonly renew: (silent: EventStoreDBClient) => void
  /** What each append passes, so that it goes by the path whose deadline works; null where appends go in batches. */
  readonly appendCredentials: Credentials | null
  /** Ends the client's calls once nobody else in the process uses it. */
  readonly release: () => Promise<void>
}

type Shared = { client: EventStoreDBClient; readonly isBatching: boolean; users: number }

// One client for each server, shared by all stores of the process.
const clients = new Map<string, Shared>()

const form =
  /^(?:esdb|kurrentdb|kdb)(?<discover>\+discover)?:\/\/(?:(?<username>[^:@/]+):(?<password>[^@/]*)@)?(?<hosts>[^/?@]+)\/?(?:\?(?<settings>.*))?$/

type Resolved = { readonly text: string; readonly credentials: Credentials | null; readonly isSecure: boolean }

const settingOf = (settings: URLSearchParams, name: string): string | undefined =>
  [...settings].find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]

/**
 * The connection string as the client understands it, with our options in it.
 * Errors: throws where it is none, or asks for answers that this adapter cannot work with.
 */
export const resolveConnection = (options: ConnectionOptions): Resolved => {
  const parts = form.exec(options.connectionString.trim())?.groups
  // The string itself may hold a password and stays out of the message.
  if (parts === undefined) throw new Error('The connection string of the event store is malformed')
  const { discover = '', username, password, hosts = '', settings: given = '' } = parts
  const settings = new URLSearchParams(given)
  if (settingOf(settings, 'throwOnAppendFailure') === 'false') {
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
  const login =
    credentials === null
      ? ''
      : `${encodeURIComponent(credentials.username)}:${encodeURIComponent(credentials.password)}@`
  const query = [...settings].map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')
  return {
    text: `esdb${discover}://${login}${hosts}?${query}`,
    credentials,
    isSecure: settingOf(settings, 'tls') !== 'false',
  }
}

const requireOneBatchingServer = (text: string): void => {
  const isAnother = [...clients].some(([known, { isBatching }]) => isBatching && known !== text)
  // The client keeps the pending batch appends of a whole process in one table, which any server's failure empties.
  if (isAnother) throw new Error('A process can append in batches to one event store only')
}

const disposalMs = 1_000

/** Ends a client's calls; those on a stream that has ended without its knowledge never do. */
const dispose = async (client: EventStoreDBClient): Promise<void> => {
  try {
    await within(client.dispose(), disposalMs)
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error
  }
}

/**
 * The process's client for a server. Nothing is connected before the first call.
 * Errors: throws where the options contradict each other; see also `resolveConnection`.
 */
export const connect = (options: ConnectionOptions): Connection => {
  const { text, credentials, isSecure } = resolveConnection(options)
  const isBatching = options.batchAppend ?? false
  const key = `${isBatching ? 'batches' : 'calls'} ${text}`
  if (isBatching) requireOneBatchingServer(key)
  // Over plain text the client drops them, but that they are given decides by which path it appends.
  const appendCredentials = isBatching ? null : (credentials ?? (isSecure ? null : { username: 'none', password: '' }))
  if (!isBatching && appendCredentials === null) {
    throw new Error('An event store over TLS needs credentials, in its connection string or apart from it')
  }
  const shared = clients.get(key) ?? { client: EventStoreDBClient.connectionString(text), isBatching, users: 0 }
  shared.users += 1
  clients.set(key, shared)
  return {
    client: () => shared.client,
    renew: (silent) => {
      if (shared.client !== silent) return
      shared.client = EventStoreDBClient.connectionString(text)
      void dispose(silent)
    },
    appendCredentials,
    release: async () => {
      shared.users -= 1
      if (shared.users > 0) return
      clients.delete(key)
      await dispose(shared.client)
    },
  }
}
