import { isLoopbackHost } from '@quittance/domain'
import { AddressNotAllowed, isPublicAddress } from '@quittance/ledger'
import type { Task } from 'fp-ts/lib/Task.js'
import { Agent, errors, request } from 'undici'
import { type AddressRanges, noRanges } from './address-ranges.ts'
import { type Connecting, checkHost, guardedConnector } from './guarded-connector.ts'
import { dnsLookup, type Lookup, loopbackLookup } from './resolve.ts'

/** One attempt. `mayBeLoopback`: endpoints on this machine are allowed, also over http, to try things out. */
export type Post = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly mayBeLoopback: boolean
}

/** The result of an attempt. Only `Answered` with a status of 2xx means that the event has arrived. */
export type PostResult =
  /** `body`: at most its first KiB, as far as it arrived. */
  | { readonly _tag: 'Answered'; readonly status: number; readonly body: string }
  /** The host is, or resolves to, an address that is not allowed. */
  | { readonly _tag: 'AddressRefused' }
  | { readonly _tag: 'TimedOut' }
  /** No connection, no valid certificate, or no valid HTTP answer. */
  | { readonly _tag: 'Unreachable'; readonly cause: string }

/** Posts webhooks, and only to addresses that are allowed. */
export interface Sender {
  readonly post: (post: Post) => Task<PostResult>
  /** Ends open attempts. */
  readonly close: () => Promise<void>
}

export type SenderOptions = Pick<Connecting, 'authority'> & {
  readonly names: Lookup
  /** Allowed addresses beside the public ones. */
  readonly allowed: AddressRanges
  /** The limit for a whole attempt: resolving, connecting, sending and the answer. */
  readonly totalMs: number
}

const mostAnswerBytes = 1_024
const mostHeaderBytes = 16 * 1_024

/** How long idle connections are kept. After longer, the other side may close one just as it is used. */
const keptMs = 1_000

/**
 * Posts to endpoints that anyone may name: without redirects and proxies, within bounds of time and size. Checks the
 * host for each attempt and again for each connection, since a name may resolve to other addresses each time.
 */
export const sender = (given: Partial<SenderOptions> = {}): Sender => {
  const { names = dnsLookup(), authority, allowed = noRanges, totalMs = 20_000 } = given
  const agent = (connecting: Pick<Connecting, 'resolve' | 'isAllowed'>): Agent =>
    new Agent({
      connect: guardedConnector({ ...connecting, timeoutMs: totalMs, ...(authority ? { authority } : {}) }),
      keepAliveTimeout: keptMs,
      keepAliveMaxTimeout: keptMs,
      headersTimeout: totalMs,
      bodyTimeout: totalMs,
      maxHeaderSize: mostHeaderBytes,
    })
  const connecting = {
    resolve: names.lookup,
    isAllowed: (address: string) => isPublicAddress(address) || allowed.holds(address),
  }
  const guarded = agent(connecting)
  const local = agent({ resolve: loopbackLookup, isAllowed: (address) => address === '::1' || isLoopbackHost(address) })

  const exchange = async ({ url, headers, body, mayBeLoopback }: Post): Promise<PostResult> => {
    const { protocol, hostname } = new URL(url)
    const isLocal = protocol === 'http:' && mayBeLoopback && isLoopbackHost(hostname)
    if (protocol !== 'https:' && !isLocal) return { _tag: 'AddressRefused' }
    const signal = AbortSignal.timeout(totalMs)
    const ask = async () => {
      if (!isLocal) await checkHost(hostname, connecting)
      return request(url, { method: 'POST', headers, body, dispatcher: isLocal ? local : guarded, signal })
    }
    const answer = await Promise.race([
      ask(),
      // The library checks the signal only once it is connected.
      new Promise<never>((_, fail) => signal.addEventListener('abort', () => fail(signal.reason), { once: true })),
    ])
    return { _tag: 'Answered', status: answer.statusCode, body: await beginningOf(answer.body) }
  }
  return {
    post: (post) => () => exchange(post).catch(failed),
    close: async () => {
      names.cancel()
      await Promise.all([guarded.destroy(), local.destroy()])
    },
  }
}

/** Reads the first KiB of a body, or what arrived before it broke off or the time ended. */
const beginningOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= mostAnswerBytes) break
    }
  } catch {
    // The connection ended within the body.
  }
  return Buffer.concat(chunks).subarray(0, mostAnswerBytes).toString('utf8')
}

const failed = (thrown: unknown): PostResult => {
  if (thrown instanceof AddressNotAllowed) return { _tag: 'AddressRefused' }
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError') return { _tag: 'TimedOut' }
  return { _tag: 'Unreachable', cause: causeOf(thrown) }
}

/**
 * The code of a network failure, such as `ECONNREFUSED`. The merchant sees it, so it never holds more. A failure
 * without a code is our defect.
 */
const causeOf = (thrown: unknown): string => {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code
  if (thrown instanceof errors.HTTPParserError) return 'HPE_MALFORMED'
  throw thrown
}
