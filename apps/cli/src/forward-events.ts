import { createHash } from 'node:crypto'
import { sender, signedHeaders } from '@quittance/billing'
import { type Client, createClient } from '@quittance/client'
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

/** The same each time for the same key, so that a receiver is set up once. Who has the key may know it. */
export const secretFor = ({ apiKey }: Service): string =>
  `whsec_${createHash('sha256').update(`quittance listen\n${apiKey}`).digest('base64')}`

/** Forwards what happens from now on, signed, until the signal aborts. Rejects where the service does not answer. */
export const forwardEvents = async ({ service, url, isWanted, tell, signal }: Forwarding): Promise<Forwarded> => {
  const client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey })
  const posting = sender()
  const secret = secretFor(service)
  const counts = { forwarded: 0, failed: 0 }
  try {
    const newest = await newestIn(client)
    tell(`Listening. Signed with ${secret}`)
    for await (const event of client.events.follow(newest === null ? {} : { after: newest }, {
      pauseMs: lookAgainMs,
      signal,
    })) {
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

const newestIn = async ({ events }: Client): Promise<string | null> => {
  let newest: string | null = null
  for await (const { id } of events.list({ limit: 100 })) newest = id
  return newest
}
