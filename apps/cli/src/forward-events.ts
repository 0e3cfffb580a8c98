import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sender, signedHeaders } from '@quittance/billing'
import { type Client, createClient, QuittanceError } from '@quittance/client'
import type { Event } from '@quittance/client/wire'
import { printable } from './answer.ts'
import type { Service } from './site.ts'

export type Forwarding = {
  readonly service: Service
  /** Where events go to. */
  readonly url: string
  readonly isWanted: (type: string) => boolean
  /** Told what happens, line by line. */
  readonly tell: (line: string) => void
  readonly signal: AbortSignal
}

export type Forwarded = { readonly forwarded: number; readonly failed: number }

const lookAgainMs = 250
const askAgainMs = 2_000

/** The same each time for the same key, so that a receiver is set up once. Who has the key may know it. */
export const secretFor = ({ apiKey }: Service): string =>
  `whsec_${createHash('sha256').update(`quittance listen\n${apiKey}`).digest('base64')}`

/**
 * Forwards what happens from now on, signed, until the signal aborts. A service that does not answer any more is waited for.
 * Rejects where none answers to begin with, and where it refuses.
 */
export const forwardEvents = async ({ service, url, isWanted, tell, signal }: Forwarding): Promise<Forwarded> => {
  const client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey })
  const posting = sender()
  const secret = secretFor(service)
  const counts = { forwarded: 0, failed: 0 }
  try {
    const newest = await newestIn(client)
    tell(`Listening. Signed with ${secret}`)
    for await (const event of following(client, newest, tell, signal)) {
      if (!isWanted(event.type)) continue
      const body = JSON.stringify(event)
      const headers = signedHeaders(event.id, Date.now(), body, [secret])
      const answer = await posting.post({ url, headers, body, mayBeLoopback: true })()
      const came = answer._tag === 'Answered' ? String(answer.status) : answer._tag
      counts.forwarded += 1
      if (answer._tag !== 'Answered' || answer.status < 200 || answer.status > 299) counts.failed += 1
      tell(printable(`${event.type} ${event.id} ${came}`))
    }
  } finally {
    await posting.close()
  }
  return counts
}

async function* following(
  { events }: Client,
  newest: string | null,
  tell: Forwarding['tell'],
  signal: AbortSignal,
): AsyncGenerator<Event, void> {
  let [last, isToldGone] = [newest, false]
  while (!signal.aborted) {
    try {
      for await (const event of events.follow(last === null ? {} : { after: last }, { pauseMs: lookAgainMs, signal })) {
        last = event.id
        isToldGone = false
        yield event
      }
    } catch (error) {
      if (!isGone(error)) throw error
      if (!isToldGone) tell('The service does not answer. It is asked again until it does.')
      isToldGone = true
      await pause(askAgainMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

/** Whether it may come back: the client has tried for some seconds. */
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
      return false
  }
}

const newestIn = async ({ events }: Client): Promise<string | null> => {
  let newest: string | null = null
  for await (const { id } of events.list({ limit: 100 })) newest = id
  return newest
}
