import { createApi, Refused, Unanswered } from './api.ts'

const answering = (answer: () => Response | Promise<Response>) => {
  const asked: Array<string> = []
  const heard: Array<number> = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push(`${init?.method ?? 'GET'} ${String(url)} ${String(init?.body ?? '')}`.trim())
    return answer()
  }
  return { api: createApi('chk/1', fetch, (ms) => heard.push(ms)), asked, heard }
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { date: 'Fri, 20 Nov 2026 10:00:00 GMT' } })

describe('requests to the service', () => {
  it('returns the data of a response, and reports its time', async () => {
    const { api, asked, heard } = answering(() => json(200, { data: { a: 1 } }))
    expect(await api.get('/status')).toEqual({ a: 1 })
    expect(await api.post('/submit', { x: 'y' })).toEqual({ a: 1 })
    expect(asked).toEqual(['GET /pay/chk%2F1/status', 'POST /pay/chk%2F1/submit {"x":"y"}'])
    expect(heard).toEqual([Date.UTC(2026, 10, 20, 10), Date.UTC(2026, 10, 20, 10)])
  })

  it.each([
    [409, new Refused('Not now')],
    [503, new Unanswered('Not now')],
  ])('shows the message of a refusal: %d', async (status, expected) =>
    expect(answering(() => json(status, { error: 'Not now' })).api.get('/quote')).rejects.toThrow(expected),
  )

  it.each([
    ['no connection', () => Promise.reject(new TypeError('failed'))],
    ['a page of a proxy', () => new Response('<html>', { status: 502 })],
  ])('reports an unknown outcome after %s', async (_, answer) =>
    expect(answering(answer).api.get('/quote')).rejects.toBeInstanceOf(Unanswered),
  )
})
