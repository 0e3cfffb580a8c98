import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const empty = (url: string) => ({ data: { object: 'list', data: [], has_more: false, url } })

describe('subscriptions, of which there are none yet', () => {
  it('are an empty list of a customer, who has to be named', async () => {
    const url = '/subscriptions'
    expect((await service.api(`${url}?customer_id=cus_none`)).body).toEqual(empty(url))
    expect(await service.api(url)).toMatchObject({ status: 400, body: problem('invalid_request', 'customer_id') })
  })

  it('are not found', async () => {
    const path = '/subscriptions/sub_0000000000000000000000'
    expect((await service.api(path)).status).toBe(404)
    expect((await service.api(path, { method: 'PUT', body: { cancel_at_period_end: true } })).status).toBe(404)
    for (const action of ['cancel', 'pause', 'resume']) {
      expect((await service.api(`${path}/${action}`, { method: 'POST' })).status).toBe(404)
    }
  })
})
