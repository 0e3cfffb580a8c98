import { get, type IncomingMessage } from 'node:http'
import { eventually } from '../testing/eventually.ts'
import { openOperator } from '../testing/operator.ts'
import { quietApp } from '../testing/quiet-app.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet } from '../testing/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** A stream that is being read: what came so far, and whether it has ended in good order. */
const listen = async (url: string) => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject)
  })
  let text = ''
  response.on('data', (chunk) => {
    text += String(chunk)
  })
  let isClosed = false
  response.on('close', () => {
    isClosed = true
  })
  /** Whether it ended in good order, once it has ended; a stream that goes on is a failure, and is left. */
  const end = async (): Promise<boolean> => {
    try {
      await eventually(
        async () => isClosed,
        (closed) => closed,
        10_000,
      )
      return response.complete
    } finally {
      response.destroy()
    }
  }
  const states = () =>
    text.split('\n\n').flatMap((event) => (event.startsWith('data: ') ? [JSON.parse(event.slice(6))] : []))
  return { response, end, states, leave: () => response.destroy() }
}

const openConnections = async (server: import('node:http').Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))))

describe('the events of a checkout', () => {
  it('starts with the state of a checkout, sends each change once, and ends with the checkout', async () => {
    const sale = await openSale(service)
    const stream = await listen(`${service.url}/pay/${sale.id}/events`)
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-request-id': expect.stringMatching(/^req_/),
    })
    const wallet = await fundedWallet(service.facts)
    await wallet.pay(sale)
    await completed(service, sale.id)
    expect(await stream.end()).toBe(true)
    const states = stream.states()
    expect(states.at(0)).toMatchObject({ status: 'open', amount_received: '0' })
    expect(states.at(-1)).toEqual((await service.anyone(`/pay/${sale.id}/status`)).body.data)
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(states.length)
  }, 30_000)

  it('an open stream of events does not delay the end of the service', async () => {
    const other = await startService()
    const { id } = await openSale(other)
    const stream = await listen(`${other.url}/pay/${id}/events`)
    const closed = other.close()
    expect(await stream.end()).toBe(true)
    await closed
    expect(stream.states().length).toBe(1)
  }, 20_000)
})

describe('a stream of events', () => {
  /** The service's routes over a billing core whose looks at a checkout are counted, and can be made to fail. */
  const observed = async () => {
    const operator = await openOperator(service.dataDir)
    const { billing } = operator.platform
    const seen = { looks: new Map<string, number>(), isBroken: false }
    const status: typeof billing.payer.status = (id) => {
      seen.looks.set(id, (seen.looks.get(id) ?? 0) + 1)
      if (seen.isBroken) throw new Error('a defect in the middle')
      return billing.payer.status(id)
    }
    const payer = { ...billing.payer, status }
    const { server } = await quietApp({ ...operator.platform, billing: { ...billing, payer } })
    const url = await server.listen({ port: 0, host: '127.0.0.1' })
    const close = async () => {
      await server.close()
      await operator.close()
    }
    return { url, seen, close, connections: () => openConnections(server.server) }
  }

  it('ends a stream of events when its reader leaves', async () => {
    const [left, watched] = [await openSale(service), await openSale(service)]
    const { url, seen, close, connections } = await observed()
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen(`${url}/pay/${left.id}/events`)))
    expect(await connections()).toBe(5)
    for (const stream of streams) stream.leave()
    await eventually(connections, (count) => count === 0)
    const looks = seen.looks.get(left.id)
    const another = await listen(`${url}/pay/${watched.id}/events`)
    await eventually(
      async () => seen.looks.get(watched.id) ?? 0,
      (count) => count >= 4,
    )
    expect(seen.looks.get(left.id)).toBe(looks)
    another.leave()
    await close()
  }, 20_000)

  it('ends a stream of events when a later read fails, and disturbs no other stream', async () => {
    const { id } = await openSale(service)
    const { url, seen, close } = await observed()
    const stream = await listen(`${url}/pay/${id}/events`)
    await eventually(
      async () => stream.states().length,
      (count) => count === 1,
    )
    seen.isBroken = true
    expect(await stream.end()).toBe(true)
    seen.isBroken = false
    expect((await fetch(`${url}/pay/${id}/status`)).status).toBe(200)
    await close()
  }, 20_000)
})
