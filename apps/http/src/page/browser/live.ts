import { readStatus, type Status } from './wire.ts'

/** An open stream of server-sent events. */
type EventStream = { readonly isOpen: () => boolean; readonly close: () => void }

export type LiveStatusPorts = {
  readonly openEvents: (onMessage: (data: string) => void) => EventStream
  /** Requests `GET /pay/{id}/status`; rejects without a response. */
  readonly fetchStatus: () => Promise<unknown>
  readonly schedule: (action: () => void, afterMs: number) => void
  readonly onStatus: (status: Status) => void
  readonly onConnection: (isConnected: boolean) => void
}

const POLL_WITHOUT_STREAM_MS = 4_000
const POLL_BESIDE_STREAM_MS = 30_000

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** `completed` and `failed` are final. A payment under way may still complete an expired checkout. */
const isFinal = ({ status }: Status): boolean => status === 'completed' || status === 'failed'

/**
 * Follows a checkout to its final state. Events arrive at once; polling covers for a refused, cut or buffered stream,
 * and continues slowly beside an open one. `refresh` polls now.
 */
export const followStatus = (ports: LiveStatusPorts): { readonly refresh: () => Promise<void> } => {
  let hasEnded = false
  const hear = (value: unknown): void => {
    const status = readStatus(value)
    if (status === null || hasEnded) return
    if (isFinal(status)) {
      hasEnded = true
      stream.close()
    }
    ports.onStatus(status)
  }
  const stream = ports.openEvents((data) => {
    ports.onConnection(true)
    hear(parsed(data))
  })
  const refresh = async (): Promise<void> => {
    try {
      hear(await ports.fetchStatus())
      ports.onConnection(true)
    } catch {
      ports.onConnection(stream.isOpen())
    }
  }
  const poll = (): void => {
    void refresh().then(() => {
      if (!hasEnded) ports.schedule(poll, stream.isOpen() ? POLL_BESIDE_STREAM_MS : POLL_WITHOUT_STREAM_MS)
    })
  }
  poll()
  return { refresh }
}
