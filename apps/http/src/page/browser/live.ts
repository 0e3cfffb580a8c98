import { readStatus, type Status } from './wire.ts'

/** A stream of server-sent events, opened. */
type EventStream = { readonly isOpen: () => boolean; readonly close: () => void }

export type LiveStatusPorts = {
  readonly openEvents: (onMessage: (data: string) => void) => EventStream
  /** Answers `GET /pay/{id}/status`; rejects when there is no answer. */
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

/** `completed` and `failed` stay. An expired checkout may still be completed by a payment that was under way. */
const isFinal = ({ status }: Status): boolean => status === 'completed' || status === 'failed'

/**
 * Follows a checkout until it has ended for good. Events tell at once; asking covers for a stream that is refused, cut,
 * or held back by something between, and runs on slowly beside one that is open. `refresh` asks now.
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
