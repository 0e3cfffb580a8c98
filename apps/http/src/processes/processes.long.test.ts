import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { runInside } from '@quittance/cli/testing/run-cli'
import { type ConfiguredProcess, startConfigured } from '../testing/configured-process.ts'
import { eventually } from '../testing/eventually.ts'
import { privatePassphrase, startPrivateNetwork } from '../testing/private-network.ts'
import { temporaryDirectory } from '../testing/service.ts'

const processes = 3

type Answer = { readonly status: number | undefined; readonly requestId: string; readonly body: unknown }

/** A client on a connection of its own, which stays open. */
const openClient = (url: string, apiKey: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const ask = async (path: string, method = 'GET', body?: object): Promise<Answer> => {
    const asked = request(`${url}${path}`, { agent, method, headers }).end(body && JSON.stringify(body))
    const [response]: Array<IncomingMessage> = await once(asked, 'response')
    if (response === undefined) throw new Error('there is no response')
    const requestId = String(response.headers['x-request-id'])
    return { status: response.statusCode, requestId, body: await json(response) }
  }
  return { ask, close: () => agent.destroy() }
}
type Client = ReturnType<typeof openClient>

const logged = ({ log }: ConfiguredProcess) =>
  log.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : [])) as ReadonlyArray<Record<string, unknown>>

/** The process of a service that wrote the line of a request. */
const answeredBy = (service: ConfiguredProcess, requestId: string): Promise<unknown> =>
  eventually(
    async () => logged(service).find(({ reqId, msg }) => reqId === requestId && msg === 'request completed')?.pid,
    (pid) => pid !== undefined,
  )

const mainOf = (service: ConfiguredProcess): number =>
  Number(logged(service).find(({ msg }) => String(msg).startsWith('Server listening'))?.pid)

/** The siblings that have begun to answer, in the course of time. */
const siblingsOf = (service: ConfiguredProcess): ReadonlyArray<number> =>
  logged(service)
    .filter(({ msg }) => String(msg).startsWith('A further process answers'))
    .map(({ pid }) => Number(pid))

const untilSiblings = (service: ConfiguredProcess, count: number): Promise<unknown> =>
  eventually(
    async () => siblingsOf(service).length,
    (found) => found === count,
  )

describe('a service of several processes', () => {
  const directory = temporaryDirectory()
  let network: Awaited<ReturnType<typeof startPrivateNetwork>>
  let settings: Readonly<Record<string, string>>
  let apiKey: string
  let service: ConfiguredProcess
  let clients: ReadonlyArray<Client> = []

  beforeAll(async () => {
    network = await startPrivateNetwork()
    settings = {
      QUITTANCE_DATA_DIR: directory.path,
      QUITTANCE_MASTER_KEY: 'ab'.repeat(32),
      QUITTANCE_TESTNET_RPC_URLS: network.url,
      QUITTANCE_TESTNET_PASSPHRASE: privatePassphrase,
      QUITTANCE_PROCESSES: String(processes),
    }
    const made = await runInside(settings, 'merchant', 'create', '--name', 'Ada & Co', '--json')
    apiKey = JSON.parse(made.stdout).api_key
  })
  beforeEach(async () => {
    service = await startConfigured(settings)
    await untilSiblings(service, processes - 1)
  })
  afterEach(async () => {
    for (const client of clients) client.close()
    await service.stop()
  })
  afterAll(async () => {
    await network.close()
    directory.remove()
  })

  /** Clients that different processes answer, with the process of each. */
  const clientsOfAll = async (): Promise<ReadonlyMap<unknown, Client>> => {
    const found = new Map<unknown, Client>()
    const opened: Array<Client> = []
    clients = opened
    await eventually(
      async () => {
        const client = openClient(service.url, apiKey)
        opened.push(client)
        found.set(await answeredBy(service, (await client.ask('/health')).requestId), client)
        return found.size
      },
      (size) => size === processes,
    )
    return found
  }
  const isListening = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
    })

  it('answers with all of them, each of which sees at once what another has written', async () => {
    const all = [...(await clientsOfAll()).values()]
    for (const [n, writer] of all.entries()) {
      const book = { name: `By ${n}`, type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
      const { status, body } = await writer.ask('/product', 'POST', book)
      expect(status).toBe(200)
      const { data } = body as { data: { id: string } }
      const path = `/product/${data.id}`
      for (const name of ['First', 'Second']) {
        for (const reader of all)
          expect(await reader.ask(path)).toMatchObject({ status: 200, body: { data: { id: data.id } } })
        await writer.ask(path, 'PUT', { name })
        for (const reader of all) expect(await reader.ask(path)).toMatchObject({ body: { data: { name } } })
      }
    }
  })

  /** How many requests for readiness all processes have answered, as far as they have told. */
  const counted = async (): Promise<number> => {
    const metricsUrl = String(logged(service).find(({ metricsUrl }) => metricsUrl !== undefined)?.metricsUrl)
    const text = await (await fetch(metricsUrl)).text()
    const counts = text.matchAll(/duration_seconds_count{method="GET",route="\/ready",status="\d+"} (\d+)/g)
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  }

  it('counts the requests of all, and tells at any of them whether the main process is ready', async () => {
    const all = [...(await clientsOfAll()).values()]
    for (const client of all)
      await eventually(
        () => client.ask('/ready'),
        ({ status }) => status === 200,
      )
    const before = await counted()
    for (const client of all) expect(await client.ask('/ready')).toMatchObject({ status: 200 })
    await eventually(counted, (count) => count >= before + processes)
  })

  it('starts a process again that was killed, while the others answer, and still counts what it had answered', async () => {
    const [killed = 0] = siblingsOf(service)
    for (const client of (await clientsOfAll()).values()) await client.ask('/ready')
    for (const client of clients) client.close()
    const before = await eventually(counted, (count) => count >= processes)
    process.kill(killed, 'SIGSTOP')
    clients = Array.from({ length: 3 * processes }, () => openClient(service.url, apiKey))
    const asked = clients.map((client) => client.ask('/products'))
    await Promise.any(asked)
    process.kill(killed, 'SIGKILL')
    // Those that were given to it are closed. None waits for ever.
    const answers = await Promise.allSettled(asked)
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(2 * processes)
    await untilSiblings(service, processes)
    expect([...(await clientsOfAll()).keys()]).not.toContain(killed)
    expect(await counted()).toBeGreaterThanOrEqual(before)
  })

  it('starts no second service on its port', async () => {
    const { port } = new URL(service.url)
    const another = startConfigured({ ...settings, QUITTANCE_PORT: port })
    await expect(another).rejects.toThrow('QUITTANCE_PORT must be a port that is free')
  })

  it('ends as a whole when its main process is killed', async () => {
    process.kill(mainOf(service), 'SIGKILL')
    // Resolves once no process has the output open any more, so once all have ended.
    expect(await service.stop()).toBe(null)
    expect(await isListening()).toBe(false)
  })

  it('answers what has begun on any of them when it is told to stop, also as a group', async () => {
    const body = '{"name":"A book","type":"one_time","currency_code":"EUR","price_amount":12.5}'
    const begin = async () => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
      let heard = ''
      socket.on('data', (chunk) => {
        heard += chunk.toString()
      })
      const end = once(socket, 'close')
      const head = `POST /product HTTP/1.1\r\nhost: a\r\nx-api-key: ${apiKey}\r\ncontent-type: application/json`
      socket.write(`${head}\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`)
      await once(socket, 'data')
      const finish = async () => {
        socket.write(body)
        await end
        return heard
      }
      return { finish }
    }
    const begun = await Promise.all(Array.from({ length: 2 * processes }, begin))
    for (const sibling of siblingsOf(service)) process.kill(sibling, 'SIGTERM')
    const ended = service.stop()
    await eventually(isListening, (is) => !is)
    const heard = await Promise.all(begun.map(({ finish }) => finish()))
    expect(heard.map((all) => /HTTP\/1.1 200 OK/.test(all))).toEqual(begun.map(() => true))
    expect(await ended).toBe(0)
  })
})
