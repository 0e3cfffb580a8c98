import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { serve } from './server.ts'
import { openShop, type Shop } from './shop.ts'

// The clock of these tests: it stands still, and moves when a test says so.
const start = Date.UTC(2027, 0, 1)
const day = 24 * 60 * 60

const directory = mkdtempSync(join(tmpdir(), 'shop-'))
let shop: Shop | null = null
const opened = async (): Promise<Shop> => {
  shop = await openShop({
    directory,
    publicUrl: 'https://shop.example',
    wallClock: () => start,
    isTicking: false,
  })
  return shop
}
afterEach(async () => {
  await shop?.close()
  shop = null
})
after(() => rmSync(directory, { recursive: true }))

const checkoutIn = ({ payAt }: { readonly payAt: string }): string => payAt.replace('https://shop.example/pay/', '')

test('sells a book once: who has paid for it has access, for ever', async () => {
  const { order, find, hasAccess, payFromLentWallet, advance } = await opened()
  const sold = await order('order-1', 'book', 'ada@example.com')
  assert.deepEqual(await order('order-1', 'book', 'ada@example.com'), sold)
  assert.equal(await hasAccess('order-1'), false)
  await payFromLentWallet(checkoutIn(sold))
  await advance(1)
  assert.equal(find('order-1')?.status, 'paid')
  await advance(400 * day)
  assert.equal(await hasAccess('order-1'), true)
})

test('sells a club by subscription: it is charged each month, until it is canceled', async () => {
  const { order, find, hasAccess, payFromLentWallet, advance, cancel } = await opened()
  await payFromLentWallet(checkoutIn(await order('order-2', 'club', 'grace@example.com')))
  await advance(1)
  assert.deepEqual([find('order-2')?.status, await hasAccess('order-2')], ['active', true])
  await advance(62 * day)
  assert.deepEqual([find('order-2')?.renewals, await hasAccess('order-2')], [2, true])
  await cancel('order-2')
  await advance(31 * day)
  assert.deepEqual(
    [find('order-2')?.status, find('order-2')?.renewals, await hasAccess('order-2')],
    ['canceled', 2, false],
  )
})

test('goes on after a restart, with the same merchant and the same orders', async () => {
  const { find, hasAccess } = await opened()
  assert.deepEqual([find('order-1')?.status, await hasAccess('order-1')], ['paid', true])
})

test('answers over HTTP, and says what is wrong with a request', async () => {
  const server = await serve(await opened(), 0)
  const ask = async (path: string, body?: string) => {
    const answer = await fetch(`${server.url}${path}`, body === undefined ? {} : { method: 'POST', body })
    return [answer.status, await answer.json()]
  }
  assert.deepEqual(await ask('/orders', 'no JSON'), [400, { error: 'the body is no JSON object' }])
  assert.deepEqual(await ask('/orders', '{"sku":"car"}'), [
    400,
    { error: 'send { "sku": "book" or "club", "email": … }' },
  ])
  assert.deepEqual(await ask('/orders/none'), [404, { error: 'nothing is here' }])
  assert.deepEqual(await ask('/pay/chk_none'), [404, { error: 'CheckoutNotFound' }])
  assert.deepEqual(await ask('/orders/order-1/cancel', '{}'), [404, { error: 'SubscriptionNotFound' }])
  await server.close()
})
