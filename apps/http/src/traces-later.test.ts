import { createServer } from 'node:http'
import { startProcess } from './testing/child-process.ts'
import { startCollector } from './testing/collector.ts'
import { eventually } from './testing/eventually.ts'
import { openSale } from './testing/sale.ts'
import { temporaryDirectory } from './testing/service.ts'

it('a webhook that a later process delivers is in the trace of the request that caused it', async () => {
  const directory = temporaryDirectory()
  const [first, later] = [await startCollector(), await startCollector()]
  let [status, posts] = [503, 0]
  const endpoint = createServer((request, response) => {
    posts += 1
    request.resume()
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => void endpoint.listen(0, '127.0.0.1', resolve))
  const address = endpoint.address()
  if (address === null || typeof address === 'string') throw new Error('the endpoint listens on no port')

  const before = await startProcess(directory.path, first.environment)
  const hook = { name: 'hook', url: `http://127.0.0.1:${address.port}/`, events: ['checkout.created'] }
  await before.api('/webhooks', { body: hook })
  await openSale(before)
  await eventually(
    async () => posts,
    (count) => count === 1,
  )
  expect(await before.stop()).toBe(0)

  status = 200
  const after = await startProcess(directory.path, later.environment)
  await after.api('/sandbox/advance', { body: { seconds: 3_600 } })
  await eventually(
    async () => posts,
    (count) => count === 2,
  )
  expect(await after.stop()).toBe(0)

  const append = first.spans().find(({ name }) => name === 'append checkout')
  const attempts = [first, later].map((collector) =>
    collector
      .spans()
      .filter(({ name }) => name === 'deliver webhook')
      .map(({ traceId, parentSpanId, attributes }) => ({
        traceId,
        parentSpanId,
        attempt: attributes['quittance.delivery.attempt'],
        status: attributes['http.response.status_code'],
      })),
  )
  const parent = { traceId: append?.traceId, parentSpanId: append?.spanId }
  expect(attempts).toEqual([[{ ...parent, attempt: 1, status: 503 }], [{ ...parent, attempt: 2, status: 200 }]])
  endpoint.close()
  endpoint.closeAllConnections()
  await first.close()
  await later.close()
  directory.remove()
})
