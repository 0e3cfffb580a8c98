import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { denyFile } from './deny-file.ts'
import { screeningService } from './http-service.ts'
import { noScreening, type Screening, screeningBy } from './port.ts'

const [ada, bob, cy] = ['A', 'B', 'C'].map((letter) => letter.repeat(4)) as [string, string, string]
const one = 'GAAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQDZ7H'
const two = 'GC6GYKCMRBVXZQZLD4WV7QRJSA6Q4FJDJASMEC7776634JW3GSLZ7Q2W'
const asked = async (screening: Screening, ...addresses: ReadonlyArray<string>): Promise<unknown> => {
  const answer = await screening.listed(addresses)()
  return E.isLeft(answer) ? answer.left._tag : [...answer.right]
}

describe('a deny file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-deny-'))
  const path = join(folder, 'deny.txt')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const write = (text: string) => {
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }

  it('lists the addresses of its lines, and is read again when it has changed', async () => {
    const list = denyFile(path)
    write(`# of today\n\n ${one} # a thief\r\n`)
    expect(await asked(list, one, two)).toEqual([one])
    write(`# nobody\n`)
    expect(await asked(list, one, two)).toEqual([])
    write(`${two}\n${one}`)
    expect(await asked(list, one, two)).toEqual([one, two])
  })

  it.each([
    ['missing', null],
    ['empty', ''],
    ['blank', ' \n'],
    ['half an address', `${two}\n${one.slice(0, 30)}`],
    ['an address with a wrong checksum', `${one.slice(0, -1)}A`],
  ])('answers nothing while it is %s', async (_, text) => {
    if (text === null) rmSync(path, { force: true })
    else write(text)
    expect(await asked(denyFile(path), one)).toBe('ScreeningUnavailable')
  })
})

describe('a screening service', () => {
  let server: Server
  let answer: RequestListener = () => undefined
  let requests: Array<{ readonly body: unknown; readonly authorization: string | undefined }> = []
  let now = 0
  let opened: ReadonlyArray<{ readonly close: () => Promise<void> }> = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += String(chunk)
      })
      request.on('end', () => {
        requests.push({ body: JSON.parse(text), authorization: request.headers.authorization })
        answer(request, response)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  beforeEach(() => {
    requests = []
    now = 0
  })
  afterEach(async () => {
    for (const each of opened) await each.close()
    opened = []
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const answering =
    (body: unknown, status = 200): RequestListener =>
    (_, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const service = (timeoutMs = 10_000) => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('it does not listen')
    const made = screeningService({
      url: `http://127.0.0.1:${address.port}/`,
      token: 'secret',
      timeoutMs,
      now: () => now,
    })
    opened = [...opened, made]
    return made
  }

  it('is asked with the token about all addresses of one moment at once, and again after a minute', async () => {
    answer = answering({ listed: [bob] })
    const screening = service()
    expect(await Promise.all([asked(screening, ada, bob), asked(screening, cy)])).toEqual([[bob], []])
    expect(await asked(screening, bob)).toEqual([bob])
    expect(requests).toEqual([{ body: { addresses: [ada, bob, cy] }, authorization: 'Bearer secret' }])
    now = 61_000
    answer = answering({ listed: [] })
    expect(await asked(screening, bob)).toEqual([])
    expect(requests).toHaveLength(2)
  })

  it('is asked about a hundred addresses at most', async () => {
    answer = answering({ listed: [] })
    await asked(service(), ...Array.from({ length: 250 }, (_, number) => `address ${number}`))
    expect(requests.map(({ body }) => (body as { addresses: Array<string> }).addresses.length)).toEqual([100, 100, 50])
  })

  it.each<[string, RequestListener, number?]>([
    ['another status', answering({ listed: [] }, 500)],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/' }).end()],
    ['another body', answering({ hits: [] })],
    ['an address that nobody asked about', answering({ listed: [cy] })],
    ['too much', (_, response) => response.end('x'.repeat(100_000))],
    ['no end', () => undefined, 300],
  ])('counts %s as no answer, asks twice, and leaves it alone for five seconds', async (_, bad, timeoutMs = 10_000) => {
    answer = bad
    const screening = service(timeoutMs)
    expect(await asked(screening, ada)).toBe('ScreeningUnavailable')
    expect(await asked(screening, bob)).toBe('ScreeningUnavailable')
    expect(requests).toHaveLength(2)
    now = 5_000
    answer = answering({ listed: [ada] })
    expect(await asked(screening, ada)).toEqual([ada])
  })
})

describe('several screenings', () => {
  const listing = (...listed: ReadonlyArray<string>): Screening => ({
    isOn: true,
    listed: () => async () => E.right(new Set(listed)),
  })
  const down: Screening = {
    isOn: true,
    listed: () => async () => E.left({ _tag: 'ScreeningUnavailable', cause: 'a test' }),
  }

  it('list whom any of them lists, and answer nothing unless all do', async () => {
    expect(await asked(screeningBy([listing(ada), listing(bob)]), ada, bob, cy)).toEqual([ada, bob])
    expect(await asked(screeningBy([listing(ada), down]), ada)).toBe('ScreeningUnavailable')
    expect([screeningBy([]).isOn, screeningBy([noScreening]).isOn, screeningBy([down]).isOn]).toEqual([
      false,
      false,
      true,
    ])
    expect(await asked(screeningBy([]), ada)).toEqual([])
  })
})
