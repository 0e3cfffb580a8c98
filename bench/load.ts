import autocannon from 'autocannon'

const connections = 32
const usualSeconds = 3

/** A repeated request. `[<id>]` in a body changes each time. */
export type Load = {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const ask = async (
  { url, headers = {}, body }: Load,
  seconds: number,
  perSecond: number | null,
): Promise<autocannon.Result> => {
  const post = { method: 'POST' as const, body, idReplacement: true }
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : post),
    ...(perSecond === null ? {} : { overallRate: perSecond }),
  })
  if (result.non2xx + result.errors > 0 || result['2xx'] === 0)
    throw new Error(`${url} was not always answered with 200`)
  return result
}

/** Answered requests per second, with callers that ask again at once. */
export const rateOf = async (load: Load, seconds = usualSeconds): Promise<number> => {
  const { duration, '2xx': answered } = await ask(load, seconds, null)
  return answered / duration
}

/** The 99th percentile of response times in milliseconds at this rate. */
export const slowestOf = async (load: Load, perSecond: number): Promise<number> =>
  (await ask(load, usualSeconds, Math.max(connections, Math.round(perSecond)))).latency.p99
