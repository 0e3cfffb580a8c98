import { statSync } from 'node:fs'
import { join } from 'node:path'
import { countedStatements } from '@quittance/event-store/testing/counted-statements'
import Database from 'better-sqlite3'
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

/** What so many requests at once run and decode, without the sandbox's own; each asks whether others have written. */
const taken = async (request: () => Promise<unknown>, count = 1) => {
  counted.take()
  counted.takeEvents()
  await Promise.all(Array.from({ length: count }, request))
  const all = Object.entries(counted.take()).filter(([name]) => !name.includes('sandbox'))
  const { 'pragma data_version': asks = 0, ...statements } = Object.fromEntries(all)
  return { asks, statements, decoded: counted.takeEvents() }
}

/** How many pages of its file a request writes, each once for each commit. */
const pagesOf = async (request: () => Promise<unknown>): Promise<number> => {
  const path = join(directory.path, 'quittance.db')
  const database = new Database(path)
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
    await request()
    const pageSize = Number(database.pragma('page_size', { simple: true }))
    // A header, and each page with one of its own.
    return Math.max(0, statSync(`${path}-wal`).size - 32) / (pageSize + 24)
  } finally {
    database.close()
  }
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
  expect(await taken(checkAccess)).toEqual({ asks: 1, statements: {}, decoded: 0 })
  await checkOut()
  expect(await taken(checkAccess)).toEqual({ asks: 1, statements: {}, decoded: 0 })
})

it('an access check reads once again what it needs after another process has written', async () => {
  const other = await openOperator(directory.path, { settings: embedded })
  await other.createMerchant('Another')
  await other.close()
  expect(await taken(checkAccess)).toEqual({
    asks: 4,
    // The streams of customer and product, from their last known events on.
    statements: { 'select api_keys': 1, 'select customer_merges': 2, 'select events': 2, 'select access': 1 },
    decoded: 2,
  })
  expect(await taken(checkAccess)).toEqual({ asks: 1, statements: {}, decoded: 0 })
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
  expect(one.decoded).toBe(0)
  const ten = await taken(checkOut, 10)
  expect(ten.statements).toEqual(written(10))
  expect(ten.asks).toBeLessThanOrEqual(40)
})

it('an access check writes nothing to the file, and a checkout at most so many pages', async () => {
  expect(await pagesOf(async () => undefined)).toBe(0)
  expect(await pagesOf(checkAccess)).toBe(0)
  const pages = await pagesOf(checkOut)
  // Fifteen, and some room for leaves that are full.
  expect({ pages, isFew: pages > 0 && pages <= 18 }).toEqual({ pages, isFew: true })
})
