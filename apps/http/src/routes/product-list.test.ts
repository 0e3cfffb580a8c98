import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
const create = (change: object, path = '/product') => service.api(path, { body: { ...book, ...change } })

describe('the list of products', () => {
  let ids: ReadonlyArray<string>
  beforeAll(async () => {
    const created: Array<string> = []
    for (let n = 0; n < 11; n++) created.unshift((await create({ name: `Volume ${n}` }, '/products')).body.data.id)
    ids = created
  })
  const listed = async (query: string) => {
    const { body } = await service.api(`/product?${query}`)
    return { ids: body.data.data.map(({ id }: { id: string }) => id), hasMore: body.data.has_more }
  }

  it('lists products newest first, ten by default', async () => {
    const { status, body } = await service.api('/product')
    expect({ status, object: body.data.object, url: body.data.url, more: body.data.has_more }).toEqual({
      status: 200,
      object: 'list',
      url: '/product',
      more: true,
    })
    expect(body.data.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 10))
    expect(body.data.data[0]).toEqual((await service.api(`/product/${ids[0]}`)).body.data)
    expect((await service.api('/products')).body.data.url).toBe('/products')
  })

  it('continues the list after a product, and returns to those directly before it', async () => {
    expect(await listed('limit=3')).toEqual({ ids: ids.slice(0, 3), hasMore: true })
    expect(await listed(`limit=3&starting_after=${ids[2]}`)).toEqual({ ids: ids.slice(3, 6), hasMore: true })
    expect(await listed(`limit=2&ending_before=${ids[5]}`)).toEqual({ ids: ids.slice(3, 5), hasMore: true })
    expect(await listed(`limit=5&ending_before=${ids[5]}`)).toEqual({ ids: ids.slice(0, 5), hasMore: false })
    expect(await listed('status=active&limit=3')).toEqual({ ids: ids.slice(0, 3), hasMore: true })
  })

  it('filters products by creation time, together with a cursor', async () => {
    const at = async (id: string | undefined) => (await service.api(`/product/${id}`)).body.data.created_at
    const [from, before] = [await at(ids[6]), await at(ids[2])]
    const times = await Promise.all(ids.map(at))
    const inside = ids.filter((_, index) => String(times[index]) >= from && String(times[index]) < before)
    const range = `created[gte]=${from}&created[lt]=${before}`
    expect(await listed(`limit=100&${range}`)).toEqual({ ids: inside, hasMore: false })
    expect(await listed(`limit=2&${range}&starting_after=${inside[0]}`)).toEqual({
      ids: inside.slice(1, 3),
      hasMore: inside.length > 3,
    })
    expect(await listed(`limit=100&${range}&ending_before=${ids[10]}`)).toEqual({ ids: inside, hasMore: false })
    expect(await listed('created[lt]=1970-01-01T00:00:00Z')).toEqual({ ids: [], hasMore: false })
    const sameMoment = `${from.slice(0, -1)}000%2B00:00`
    expect(await listed(`limit=100&created[gte]=${sameMoment}&created[lt]=${before}`)).toEqual(
      await listed(`limit=100&${range}`),
    )
  })

  it.each([
    ['created[gte]=yesterday', 'created[gte]'],
    ['created[gte]=1700000000', 'created[gte]'],
    ['created[lt]=2026-11-20T10:00:00', 'created[lt]'],
    ['created[lt]=2026-02-28T10:00:00.Z', 'created[lt]'],
    ['created[lt]=2026-02-30T10:00:00Z', 'created[lt]'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit[]=1&limit[]=2', 'query'],
    ['starting_after=prod_unknown', 'starting_after'],
    ['ending_before=prod_unknown', 'ending_before'],
    ['status=sold', 'status'],
  ])('refuses to list products with ?%s', async (query, param) => {
    const { status, body } = await service.api(`/product?${query}`)
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', param) })
  })

  it('refuses to list products with two cursors', async () => {
    const { status, body } = await service.api(`/product?starting_after=${ids[0]}&ending_before=${ids[1]}`)
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', 'ending_before') })
  })
})
