import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { eventually } from '@quittance/http/testing/eventually'
import { type Service, startService } from '@quittance/http/testing/service'
import { Webhook } from 'svix'
import { processMs, refusalOf, runInside, type TestDirectory, testDirectory } from '../testing/run-cli.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 3 }

/** Runs `quittance listen` in its own process until it is interrupted. */
const startListening = (settings: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) => {
  const env = { ...settings, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  const child = spawn(process.execPath, [main, 'listen', ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [said, shown] = ['', '']
  child.stdout.on('data', (chunk) => {
    said += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    shown += String(chunk)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    shown: () => shown,
    interrupt: async () => {
      child.kill('SIGINT')
      return { status: await ended, said }
    },
    kill: () => child.kill('SIGKILL'),
  }
}

/** Answers instead of a service: with the events after one, or a refusal. It can be opened again at the same address. */
const fakeService = () => {
  let server: Server | null = null
  const open = async (
    eventsAfter: (id: string | null) => ReadonlyArray<unknown> | null,
    at?: string,
    refusal?: object,
  ): Promise<string> => {
    const opened = createServer((request, response) => {
      const data = eventsAfter(new URL(request.url ?? '', 'http://service').searchParams.get('after'))
      const list = { object: 'list', data, has_more: false, url: '/events' }
      response.writeHead(data === null ? 403 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(data === null ? refusal : { data: list }))
    })
    server = opened
    await new Promise<void>((listening) =>
      opened.listen(at === undefined ? 0 : Number(new URL(at).port), '127.0.0.1', listening),
    )
    const address = opened.address()
    return `http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}`
  }
  const close = async (): Promise<void> => {
    server?.closeAllConnections()
    await new Promise((closed) => server?.close(closed) ?? closed(null))
  }
  return { open, close }
}

describe('listen', () => {
  let service: Service
  let listening: ReturnType<typeof startListening> | null = null
  const received: Array<{ readonly text: string; readonly headers: Record<string, string> }> = []
  const shop = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', () => {
        const names = ['id', 'timestamp', 'signature'].map((name) => `webhook-${name}`)
        const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]))
        received.push({ text: Buffer.concat(chunks).toString(), headers })
        response.end()
      })
  })
  let url: string
  beforeAll(async () => {
    service = await startService()
    await new Promise<void>((open) => shop.listen(0, '127.0.0.1', open))
    const address = shop.address()
    url = `http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}/hook`
  })
  afterAll(async () => {
    listening?.kill()
    shop.closeAllConnections()
    await new Promise((closed) => shop.close(closed))
    await service.close()
  })

  it(
    'listen forwards new events, signed with the secret that it shows',
    async () => {
      await service.api('/product', { body: book })
      const settings = { QUITTANCE_DATA_DIR: service.dataDir }
      const started = startListening(settings, '--forward-to', url, '--events', 'product.created')
      listening = started
      const secret = await eventually(
        async () => /Signed with (whsec_\S+)/.exec(started.shown())?.[1] ?? '',
        (text) => text !== '',
      )
      const { id } = (await service.api('/product', { body: book })).body.data
      await service.api(`/product/${id}`, { method: 'PUT', body: { name: 'Another book' } })
      await eventually(
        async () => started.shown(),
        (text) => text.includes('product.created'),
      )
      const [event] = (await service.api(`/events?resource_id=${id}`)).body.data.data
      expect(received.map(({ text }) => JSON.parse(text))).toEqual([event])
      for (const { text, headers } of received) expect(() => new Webhook(secret).verify(text, headers)).not.toThrow()
      expect(await started.interrupt()).toEqual({ status: 0, said: 'Forwarded 1 events, of which 0 failed.\n' })
    },
    processMs,
  )

  it(
    'continues after the last event when the service answers again, and sends every event to each of two listeners',
    async () => {
      await service.api('/product', { body: book })
      const events = (await service.api('/events?type=product.created&limit=100')).body.data.data
      const [first, second] = events
      const away = fakeService()
      const address = await away.open((after) => (after === null ? [first] : []))
      const settings = {
        QUITTANCE_DATA_DIR: service.dataDir,
        QUITTANCE_API_URL: address,
        QUITTANCE_API_KEY: 'sk_test_a',
      }
      const both = [startListening(settings, '--forward-to', url), startListening(settings, '--forward-to', url)]
      const shows = (text: string) => () =>
        eventually(
          async () => both,
          (each) => each.every(({ shown }) => shown().includes(text)),
        )
      try {
        received.length = 0
        await shows('Listening')()
        await away.close()
        await shows('does not answer')()
        await away.open((after) => (after === first.id ? [second] : []), address)
        await shows(second.id)()
        expect(received.map(({ text }) => JSON.parse(text))).toEqual([second, second])
        for (const each of both) {
          expect(await each.interrupt()).toEqual({ status: 0, said: 'Forwarded 1 events, of which 0 failed.\n' })
        }
      } finally {
        for (const each of both) each.kill()
        await away.close()
      }
    },
    processMs,
  )

  it(
    'replaces control characters in the errors of a service',
    async () => {
      const stranger = fakeService()
      const error = 'no \u001b[31mentry\u001b[0m\u009b2J\nListening. Signed with whsec_AAAA'
      const address = await stranger.open(() => null, undefined, { error, code: 'x\u0007', request_id: 'req_1' })
      const settings = {
        QUITTANCE_DATA_DIR: directory.path,
        QUITTANCE_API_URL: address,
        QUITTANCE_API_KEY: 'sk_test_a',
      }
      const { status, stderr } = await runInside(settings, 'listen', '--forward-to', url)
      await stranger.close()
      expect([status, stderr]).toEqual([1, 'no �[31mentry�[0m�2J�Listening. Signed with whsec_AAAA (x�)\n'])
    },
    processMs,
  )

  let directory: TestDirectory
  beforeEach(() => {
    directory = testDirectory()
  })
  afterEach(() => directory.remove())
  it.each(['foo', 'ftp://127.0.0.1', 'http://me:secret@127.0.0.1', 'http://127.0.0.1/?a=b'])(
    'refuses to listen to a service at %s',
    async (address) => {
      const settings = { QUITTANCE_DATA_DIR: directory.path, QUITTANCE_API_URL: address, QUITTANCE_API_KEY: 'a' }
      const run = await runInside(settings, 'listen', '--forward-to', 'http://localhost/', '--json')
      expect(refusalOf(run)).toEqual([2, 'invalid_configuration'])
    },
    processMs,
  )
  it.each([
    ['a malformed address', ['--forward-to', 'localhost:4000'], 'usage'],
    ['an unknown event', ['--forward-to', 'http://localhost/', '--events', 'payment.done'], 'usage'],
    ['a missing service', ['--forward-to', 'http://localhost/'], 'no_service'],
  ])('refuses to listen with %s', async (_, words, code) => {
    expect(await directory.refusal('listen', ...words)).toEqual([2, code])
  })
})
