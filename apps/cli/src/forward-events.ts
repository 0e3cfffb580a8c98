import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sender, signedHeaders } from '@quittance/billing'
import { type Client, createClient, QuittanceError } from '@quittance/client'
import type { Event } from '@quittance/client/wire'
import type { Service } from './installation.ts'
import { printable } from './printing.ts'

export type Forwarding = {
  readonly service: Service
  /** The receiver. */
  readonly url: string
  readonly isWanted: (type: string) => boolean
  /** Takes lines about the progress. */
  readonly report: (line: string) => void
  readonly signal: AbortSignal
}

export type Forwarded = { readonly forwarded: number; readonly failed: number }

const pollMs = 250
const retryMs = 2_000

/** Derives the secret from the key, so that a receiver is configured only once. Holders of the key may know it. */
export const secretFor = ({ apiKey }: Service): string =>
  `whsec_${createHash('sha256').update(`quittance listen\n${apiKey}`).digest('base64')}`

/**
 * Forwards new events, signed, until the signal aborts. Waits for a service that stops answering.
 * Rejects if the service does not answer at first, or refuses.
 */
export const forwardEvents = async ({ service, url, isWanted, report, signal }: Forwarding): Promise<Forwarded> => {
  const client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey })
  const posting = sender()
  const secret = secretFor(service)
  const counts = { forwarded: 0, failed: 0 }
  try {
    const newest = await newestIn(client)
    report(`Listening. Signed with ${secret}`)
    for await (const event of newEvents(client, newest, report, signal)) {
      if (!isWanted(event.type)) continue
      const body = JSON.stringify(event)
      const headers = signedHeaders(event.id, Date.now(), body, [secret])
      const response = await posting.post({ url, headers, body, mayBeLoopback: true })()
      const outcome = response._tag === 'Answered' ? String(response.status) : response._tag
      counts.forwarded += 1
      if (response._tag !== 'Answered' || response.status < 200 || response.status > 299) counts.failed += 1
      report(printable(`${event.type} ${event.id} ${outcome}`))
    }
  } finally {
    await posting.close()
  }
  return counts
}

async function* newEvents(
  { events }: Client,
  newest: string | null,
  report: Forwarding['report'],
  signal: AbortSignal,
): AsyncGenerator<Event, void> {
  let [last, isReportedGone] = [newest, false]
  while (!signal.aborted) {
    try {
      for await (const event of events.follow(last === null ? {} : { after: last }, { pauseMs: pollMs, signal })) {
        last = event.id
        isReportedGone = false
        yield event
      }
    } catch (error) {
      if (!isGone(error)) throw error
      if (!isReportedGone) report('The service does not answer. Retrying until it does.')
      isReportedGone = true
      await pause(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

/** Whether the service may come back. The client itself has retried for some seconds. */
const isGone = (error: unknown): boolean => {
  if (!(error instanceof QuittanceError)) return false
  const { failure } = error
  switch (failure._tag) {
    case 'Unreachable':
    case 'TimedOut':
      return true
    case 'Refused':
      return failure.status >= 500 || failure.status === 429
    case 'Unreadable':
    case 'Aborted':
    case 'NotAnId':
    case 'NotSendable':
      return false
  }
}

const newestIn = async ({ events }: Client): Promise<string | null> => {
  let newest: string | null = null
  for await (const { id } of events.list({ limit: 100 })) newest = id
  return newest
}
