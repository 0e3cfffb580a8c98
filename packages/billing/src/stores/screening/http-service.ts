import { minuteMs, secondMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Agent, request } from 'undici'
import type { Screening, ScreeningUnavailable } from './port.ts'

/** `token` is sent as a bearer token. The times are those of tests. */
export type ScreeningServiceOptions = {
  readonly url: string
  readonly token: string | null
  readonly timeoutMs?: number
  readonly now?: () => number
}

const attempts = 2
const mostAddresses = 100
const mostAnswerBytes = 64 * 1024
const mostRemembered = 10_000
/** How long an answer counts. */
const rememberedMs = minuteMs
/** How long nobody asks again after a failure, so that a service that is down delays nothing for long. */
const restMs = 5 * secondMs

const Answer = t.type({ listed: t.array(t.string) })
type Verdicts = E.Either<ScreeningUnavailable, ReadonlySet<string>>

/**
 * The operator's own service: it is posted `{ "addresses": […] }`, at most 100, and answers 200 with
 * `{ "listed": […] }`, those of them that are listed. Any other answer counts as none. Questions of one moment share a request.
 */
export const screeningService = ({
  url,
  token,
  timeoutMs = 3 * secondMs,
  now = Date.now,
}: ScreeningServiceOptions): Screening & { readonly close: () => Promise<void> } => {
  const agent = new Agent({ connect: { timeout: timeoutMs }, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  }
  const remembered = new Map<string, { readonly isListed: boolean; readonly until: number }>()
  let down: { readonly failure: E.Either<ScreeningUnavailable, never>; readonly until: number } | null = null
  let gathering: { readonly addresses: Set<string>; readonly answer: Promise<Verdicts> } | null = null

  const askOnce = async (addresses: ReadonlyArray<string>): Promise<ReadonlySet<string>> => {
    const signal = AbortSignal.timeout(timeoutMs)
    const body = JSON.stringify({ addresses })
    const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal })
    let text = ''
    for await (const chunk of answer.body.setEncoding('utf8')) {
      text += String(chunk)
      if (text.length > mostAnswerBytes) throw new RangeError('its answer is too long')
    }
    if (answer.statusCode !== 200) throw new Error(`it answered ${answer.statusCode}`)
    const decoded = Answer.decode(JSON.parse(text))
    if (E.isLeft(decoded)) throw new TypeError('its answer is not { "listed": [addresses] }')
    const { listed } = decoded.right
    if (listed.some((address) => !addresses.includes(address))) throw new TypeError('it lists what nobody asked about')
    return new Set(listed)
  }

  const ask = async (addresses: ReadonlyArray<string>): Promise<Verdicts> => {
    let cause = ''
    for (let attempt = 0; attempt < attempts; attempt++) {
      try {
        return E.right(await askOnce(addresses))
      } catch (error) {
        cause = error instanceof Error ? error.message : 'unknown'
      }
    }
    const failure = E.left<ScreeningUnavailable, never>({
      _tag: 'ScreeningUnavailable',
      cause: `the screening service failed: ${cause}`,
    })
    down = { failure, until: now() + restMs }
    return failure
  }

  const askAll = async (wanted: ReadonlySet<string>): Promise<Verdicts> => {
    const all = [...wanted]
    const listed = new Set<string>()
    for (let begin = 0; begin < all.length; begin += mostAddresses) {
      const some = all.slice(begin, begin + mostAddresses)
      const answer = await ask(some)
      if (E.isLeft(answer)) return answer
      if (remembered.size + some.length > mostRemembered) remembered.clear()
      const until = now() + rememberedMs
      for (const address of some) remembered.set(address, { isListed: answer.right.has(address), until })
      for (const address of answer.right) listed.add(address)
    }
    return E.right(listed)
  }

  /** Joins the request that is about to be sent. */
  const gather = (addresses: ReadonlyArray<string>): Promise<Verdicts> => {
    if (gathering === null) {
      const wanted = new Set<string>()
      const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        gathering = null
        return askAll(wanted)
      })
      gathering = { addresses: wanted, answer }
    }
    for (const address of addresses) gathering.addresses.add(address)
    return gathering.answer
  }

  return {
    isOn: true,
    listed: (addresses) => async () => {
      const known = (address: string) => {
        const found = remembered.get(address)
        return found === undefined || found.until <= now() ? null : found.isListed
      }
      const listed = new Set(addresses.filter((address) => known(address) === true))
      const unknown = addresses.filter((address) => known(address) === null)
      if (unknown.length === 0) return E.right(listed)
      if (down !== null && now() < down.until) return down.failure
      const answer = await gather(unknown)
      if (E.isLeft(answer)) return answer
      for (const address of unknown) if (answer.right.has(address)) listed.add(address)
      return E.right(listed)
    },
    close: () => agent.destroy(),
  }
}
