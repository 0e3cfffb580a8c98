import { isLoopbackHost } from '@quittance/domain'
import { AddressNotAllowed, isPublicAddress } from '@quittance/ledger'
import type { Task } from 'fp-ts/lib/Task.js'
import { Agent, errors, request } from 'undici'
import { type AddressRanges, noRanges } from './address-ranges.ts'
import { type Connecting, guardedConnector, judged } from './guarded-connector.ts'
import { dnsLookup, type Lookup, loopbackLookup } from './resolve.ts'

/** One attempt. `mayBeLoopback`: where endpoints of this machine are for trying things out, over http as well. */
export type Post = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly mayBeLoopback: boolean
}

/** What came of an attempt. Only `Answered` with a status of 2xx means that the event has arrived. */
export type Answer =
  /** `body`: at most 1 KiB of it, as far as it had come. */
  | { readonly _tag: 'Answered'; readonly status: number; readonly body: string }
  /** The host is, or is named for, an address that deliveries do not go to, or its address is no longer allowed. */
  | { readonly _tag: 'AddressRefused' }
  | { readonly _tag: 'TimedOut' }
  /** No connection, no valid certificate, or no answer that is one. */
  | { readonly _tag: 'Unreachable'; readonly cause: string }

export interface Sender {
  readonly post: (post: Post) => Task<Answer>
  /** Ends what is under way. */
  readonly close: () => Promise<void>
}

export type SenderOptions = Pick<Connecting, 'authority'> & {
  readonly names: Lookup
  /** What operators allow beside public addresses. */
  readonly allowed: AddressRanges
  /** For everything: resolving, connecting, sending, and the answer. */
  readonly totalMs: number
}

const mostAnswerBytes = 1_024
const mostHeaderBytes = 16 * 1_024

/** Connections serve what follows at once; longer, and they may be closed from the other side just as they are used. */
const keptMs = 1_000

/**
 * Posts to endpoints that anyone may name: without redirects and proxies, within bounds of time and size. For each
 * attempt the host is judged anew, and whenever it is connected to: a name may mean something else each time that it is
 * resolved.
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
  const judging = {
    resolve: names.lookup,
    isAllowed: (address: string) => isPublicAddress(address) || allowed.holds(address),
  }
  const guarded = agent(judging)
  const local = agent({ resolve: loopbackLookup, isAllowed: (address) => address === '::1' || isLoopbackHost(address) })

  const exchange = async ({ url, headers, body, mayBeLoopback }: Post): Promise<Answer> => {
    const { protocol, hostname } = new URL(url)
    const isLocal = protocol === 'http:' && mayBeLoopback && isLoopbackHost(hostname)
    if (protocol !== 'https:' && !isLocal) return { _tag: 'AddressRefused' }
    const signal = AbortSignal.timeout(totalMs)
    const ask = async () => {
      if (!isLocal) await judged(hostname, judging)
      return request(url, { method: 'POST', headers, body, dispatcher: isLocal ? local : guarded, signal })
    }
    const answer = await Promise.race([
      ask(),
      // The library heeds a signal only once it is connected.
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

/** The status is the answer: a body that breaks off, or does not come in time, is what has come of it. */
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

const failed = (thrown: unknown): Answer => {
  if (thrown instanceof AddressNotAllowed) return { _tag: 'AddressRefused' }
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError') return { _tag: 'TimedOut' }
  return { _tag: 'Unreachable', cause: causeOf(thrown) }
}

/**
 * A code of the network or the library, such as `ECONNREFUSED`: shown to the merchant, so never more than that. What
 * has none is a defect of ours.
 */
const causeOf = (thrown: unknown): string => {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code
  if (thrown instanceof errors.HTTPParserError) return 'HPE_MALFORMED'
  throw thrown
}
