import { countedStatements } from '@quittance/event-store/testing/counted-statements'
import type { FastifyInstance } from 'fastify'
import { openOperator } from './testing/operator.ts'
import { quietApp } from './testing/quiet-app.ts'
import { temporaryDirectory } from './testing/service.ts'

const embedded = { QUITTANCE_EVENT_STORE: 'sqlite' }
const directory = temporaryDirectory()
const counted = countedStatements()

let operator: Awaited<ReturnType<typeof openOperator>>
let server: FastifyInstance
let key: string
let [access, sale] = ['', {}]

const ask = async (url: string, payload?: object) => {
  const method = payload === undefined ? 'GET' : 'POST'
  const answered = await server.inject({ method, url, headers: { 'x-api-key': key }, ...(payload && { payload }) })
  expect(answered.statusCode).toBe(200)
  return answered.json().data
}
const checkAccess = () => ask(access)
const checkOut = () => ask('/checkout?type=product', sale)

/** What so many requests at once run, without the sandbox's own; each asks whether others have written. */
const taken = async (request: () => Promise<unknown>, count = 1) => {
  counted.take()
  await Promise.all(Array.from({ length: count }, request))
  const all = Object.entries(counted.take()).filter(([name]) => !name.includes('sandbox'))
  const { 'pragma data_version': asks = 0, ...statements } = Object.fromEntries(all)
  return { asks, statements }
}

beforeAll(async () => {
  operator = await openOperator(directory.path, { settings: embedded })
  key = (await operator.createMerchant('A merchant')).secret
  server = (await quietApp(operator.platform)).server
  const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
  const { id } = await ask('/product', book)
  const customer = await ask('/customers', { email: 'ada@shop.example', name: 'Ada' })
  access = `/customers/${customer.id}/access/${id}`
  sale = { product_id: id }
  await checkAccess()
  await checkOut()
})
afterAll(async () => {
  counted.stop()
  await server.close()
  await operator.close()
  directory.remove()
})

it('an access check asks once whether others have written, and reads nothing while they have not', async () => {
  expect(await taken(checkAccess)).toEqual({ asks: 1, statements: {} })
  await checkOut()
  expect(await taken(checkAccess)).toEqual({ asks: 1, statements: {} })
})

it('an access check reads once again what it needs after another process has written', async () => {
  const other = await openOperator(directory.path, { settings: embedded })
  await other.createMerchant('Another')
  await other.close()
  expect(await taken(checkAccess)).toEqual({
    asks: 4,
    // The streams of customer and product, from their last known events on.
    statements: { 'select api_keys': 1, 'select customer_merges': 2, 'select events': 2, 'select access': 1 },
  })
  expect(await taken(checkAccess)).toEqual({ asks: 1, statements: {} })
})

it('a checkout reads the end of its own stream alone, and shares its one commit with those at the same time', async () => {
  const written = (count: number) => ({
    'select events': count,
    'insert events': count,
    'insert announcements': count,
    'insert checkouts': count,
    'select checkout_references': count,
    'insert checkout_references': count,
    begin: 1,
    'select inline_projections': 1,
    'update inline_projections': 1,
    commit: 1,
  })
  await checkOut()
  const one = await taken(checkOut)
  expect(one.statements).toEqual(written(1))
  expect(one.asks).toBeLessThanOrEqual(4)
  const ten = await taken(checkOut, 10)
  expect(ten.statements).toEqual(written(10))
  expect(ten.asks).toBeLessThanOrEqual(40)
})
