import autocannon from 'autocannon'

const connections = 32
const seconds = 3

/**
 * A request to repeat. `[<id>]` in a body is another text each time. `paths` are asked for
 * in turn.
 */
export type Load = {
  readonly url: string
  readonly paths?: ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const ask = async ({ url, paths, headers = {}, body }: Load, perSecond: number | null): Promise<autocannon.Result> => {
  const post = { method: 'POST' as const, body, idReplacement: true }
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : post),
    ...(paths === undefined ? {} : { requests: [inTurn(paths)] }),
    ...(perSecond === null ? {} : { overallRate: perSecond }),
  })
  if (result.non2xx + result.errors > 0 || result['2xx'] === 0) throw new Error(`${url} was not answered with 200`)
  return result
}

/** Each of the paths once, whichever caller asks, and then again. */
const inTurn = (paths: ReadonlyArray<string>): autocannon.Request => {
  let asked = 0
  return { setupRequest: (request) => ({ ...request, path: paths[asked++ % paths.length] ?? '/' }) }
}

/** Requests a second that are answered, by so many callers who ask again as soon as they are answered. */
export const rateOf = async (load: Load): Promise<number> => {
  const { duration, '2xx': answered } = await ask(load, null)
  return answered / duration
}

/** The time in milliseconds in which 99 of 100 requests are answered while so many come each second. */
export const slowestOf = async (load: Load, perSecond: number): Promise<number> =>
  (await ask(load, Math.max(connections, Math.round(perSecond)))).latency.p99
