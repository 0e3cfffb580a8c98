import { EventStoreDBClient } from '@eventstore/db-client'
import { sendNoAddresses } from './address-channel.ts'
import { type ConnectionOptions, type Credentials, type Resolved, resolveConnection } from './connection-string.ts'
import { DeadlinePassed, within } from './deadline.ts'

export type Connection = {
  /** The current client. Fetch it for each call. */
  readonly client: () => EventStoreDBClient
  /**
   * Replaces a client whose batch stream no longer answers: it does not notice when a server ends that stream, and
   * would send all later appends into it.
   */
  readonly renew: (silent: EventStoreDBClient) => void
  /** Credentials passed with each append, which selects the path whose deadline works; null for batch appends. */
  readonly appendCredentials: Credentials | null
  /** Ends the client's calls once no other store of the process uses it. */
  readonly release: () => Promise<void>
}

type Shared = { client: EventStoreDBClient; readonly isBatching: boolean; users: number }

// One client per server, shared by all stores of the process.
const clients = new Map<string, Shared>()

const requireOneBatchingServer = (text: string): void => {
  const isAnother = [...clients].some(([known, { isBatching }]) => isBatching && known !== text)
  // The client keeps a process's pending batch appends in one table, which any server's failure empties.
  if (isAnother) throw new Error('A process can append in batches to one event store only')
}

/** Errors: throws where the client rejects the string, without its own error, which would contain the password. */
const newClient = ({ text, isSecure, settings }: Resolved): EventStoreDBClient => {
  try {
    const client = EventStoreDBClient.connectionString(text)
    if (isSecure) sendNoAddresses(client, settings)
    return client
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The connection string of the event store is refused: ${reason}`)
  }
}

const disposalMs = 1_000

/** Ends a client's calls; those on a stream that ended unnoticed never finish. */
const dispose = async (client: EventStoreDBClient): Promise<void> => {
  try {
    await within(client.dispose(), disposalMs)
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error
  }
}

/**
 * The process's client for a server. Connects on the first call.
 * Errors: throws where the options contradict each other; see also `resolveConnection`.
 */
export const connect = (options: ConnectionOptions): Connection => {
  const resolved = resolveConnection(options)
  const { text, credentials, isSecure } = resolved
  const isBatching = options.batchAppend ?? false
  const key = `${isBatching ? 'batches' : 'calls'} ${text}`
  if (isBatching) requireOneBatchingServer(key)
  // The client drops them over plain text, but passing them selects its path for appends.
  const appendCredentials = isBatching ? null : (credentials ?? (isSecure ? null : { username: 'none', password: '' }))
  if (!isBatching && appendCredentials === null) {
    throw new Error('An event store over TLS needs credentials, in its connection string or apart from it')
  }
  const shared = clients.get(key) ?? { client: newClient(resolved), isBatching, users: 0 }
  shared.users += 1
  clients.set(key, shared)
  return {
    client: () => shared.client,
    renew: (silent) => {
      if (shared.client !== silent) return
      shared.client = newClient(resolved)
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
