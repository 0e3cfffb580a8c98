import * as E from 'fp-ts/lib/Either.js'
import { type Manner, type Market, startMarket } from '../../testing/markets.ts'
import { type DocumentFetcher, documentFetcher, FETCH_LIMITS } from './fetch-document.ts'

describe('fetching a document', () => {
  let market: Market
  let fetcher: DocumentFetcher
  beforeEach(async () => {
    market = await startMarket()
    fetcher = documentFetcher()
  })
  afterEach(async () => {
    await fetcher.close()
    await market.close()
  })
  const fetched = async (manner: Manner, by = fetcher) => {
    market.behaves(manner)
    return by.fetch(market.url)()
  }

  it('keeps numbers as text, digit for digit', async () =>
    expect(await fetched('{"rate":1.0e-7}')).toEqual(E.right({ rate: '1.0e-7' })))
  it('reads up to 2 MiB', async () =>
    expect(await fetched(`"${'x'.repeat(2 * 1024 * 1024 - 2)}"`)).toMatchObject({ _tag: 'Right' }))

  const unreachable = E.left({ _tag: 'Unreachable', cause: expect.any(String) })
  const unreadable = E.left({ _tag: 'Unreadable', problem: expect.any(String) })
  it.each<[string, Manner, unknown]>([
    ['more than 2 MiB', `"${'x'.repeat(2 * 1024 * 1024)}"`, unreachable],
    [
      'more without end',
      (response) => void setInterval(() => response.write('x'.repeat(65_536)), 1).unref(),
      unreachable,
    ],
    [
      'a body that is cut off',
      (response) => void response.writeHead(200, { 'content-length': 99 }).end('{"rate":1'),
      unreachable,
    ],
    ['a connection that is dropped', (response) => void response.socket?.destroy(), unreachable],
    ['half a document', '{"rate":1', unreadable],
    ['a page', '<html>Too many requests</html>', unreadable],
    ['nothing', '', unreadable],
    ['what is nested too deeply', '['.repeat(200_000) + ']'.repeat(200_000), unreadable],
    [
      'an error',
      (response) => void response.writeHead(500).end('{"rate":1}'),
      E.left({ _tag: 'Refused', status: 500 }),
    ],
    ['too many requests', (response) => void response.writeHead(429).end(), E.left({ _tag: 'Refused', status: 429 })],
  ])('fails on %s', async (_, manner, failure) => expect(await fetched(manner)).toEqual(failure))

  it.each<[string, Manner]>([
    ['no headers in time', () => undefined],
    ['a body that stops', (response) => void response.write('{"rate":')],
    ['a body that drips', (response) => void setInterval(() => response.write(' '), 20).unref()],
  ])('fails on %s', async (_, manner) => {
    const impatient = documentFetcher({ ...FETCH_LIMITS, headersMs: 200, bodyMs: 200, totalMs: 400 })
    expect(await fetched(manner, impatient)).toEqual(unreachable)
    await impatient.close()
  })

  it('follows no redirect', async () => {
    const elsewhere = await startMarket('{"rate":1}')
    const redirect: Manner = (response) => void response.writeHead(302, { location: elsewhere.url }).end()
    expect([await fetched(redirect), elsewhere.asked()]).toEqual([E.left({ _tag: 'Refused', status: 302 }), 0])
    await elsewhere.close()
  })
  it('fails where nobody listens', async () => {
    await market.close()
    expect(await fetcher.fetch(market.url)()).toEqual(unreachable)
    market = await startMarket()
  })
})
