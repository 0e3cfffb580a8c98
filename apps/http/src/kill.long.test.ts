import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, verify } from '@quittance/event-store/sqlite'
import { allRecords } from './testing/all-records.ts'
import { drive, newSale, type Sale, ways } from './testing/buyer.ts'
import { type ServiceProcess, startAndKill, startProcess } from './testing/child-process.ts'
import type { HttpResponse } from './testing/client.ts'
import { isOnServer } from './testing/event-store.ts'
import { randomFrom } from './testing/random.ts'
import { readinessAt } from './testing/readiness.ts'
import { ledgerIsIngested } from './testing/sale.ts'
import { temporaryDirectory } from './testing/service.ts'
import { fundedWallet, type Wallet, walletOn } from './testing/wallet.ts'

const seed = Number(process.env.QUITTANCE_TEST_SEED ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
const kills = 20
const killsWhileStarting = 4
const longestLifeMs = 2_000
const buyers = 4

type Data = HttpResponse['body']

describe(`a service that is killed ${kills + killsWhileStarting} times (seed ${seed})`, () => {
  const directory = temporaryDirectory()
  const log = join(directory.path, 'quittance.db')
  const sales: Array<Sale> = []
  let wallets: ReadonlyArray<Wallet> = []
  let service: ServiceProcess
  const problems: Array<unknown> = []

  const salesOf = (buyer: number) => sales.filter(({ name }) => name.startsWith(`b${buyer}-`))
  const unfinished = (buyer: number) => salesOf(buyer).find(({ isCompleted }) => !isCompleted)
  const keyOf = (buyer: number) => (wallets[buyer] ?? walletOn(service.facts)).keypair

  /** A buyer's sales, one after the other, until told to stop; an error while the service lives is a finding. */
  const buy = async (buyer: number, isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      const way = ways[Math.floor(random() * ways.length)] ?? 'rpc'
      const sale = unfinished(buyer) ?? newSale(`b${buyer}-${salesOf(buyer).length}`, way)
      if (!sales.includes(sale)) sales.push(sale)
      try {
        await drive(service, sale, keyOf(buyer))
      } catch (error) {
        if (!isOver()) problems.push(error instanceof TypeError ? String(error.cause) : error)
        return
      }
    }
  }

  const finish = async (buyer: number): Promise<void> => {
    const sale = unfinished(buyer)
    if (sale !== undefined) await drive(service, sale, keyOf(buyer))
  }

  beforeAll(async () => {
    service = await startProcess(directory.path)
    const { facts } = service
    const usdc = facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
    wallets = await Promise.all(Array.from({ length: buyers }, () => fundedWallet(facts, [usdc])))
    // On a busy machine, most lives end before a buyer has come far. Then there are more of them.
    for (let round = 0; round < kills || (sales.length <= buyers && round < 4 * kills); round++) {
      let isKilled = false
      const buying = wallets.map((_, buyer) => buy(buyer, () => isKilled))
      await pause(random() * longestLifeMs)
      isKilled = true
      await service.kill()
      await Promise.all(buying)
      if (round % (kills / killsWhileStarting) === 0) await startAndKill(directory.path, random() * 700)
      service = await startProcess(directory.path)
    }
    await Promise.all(wallets.map((_, buyer) => finish(buyer)))
    await ledgerIsIngested(service)
  })

  afterAll(async () => {
    await service.kill()
    directory.remove()
  })

  it('answers no request wrongly and completes every sale, despite kills', () => {
    expect(problems).toEqual([])
    expect(sales.length).toBeGreaterThan(buyers)
    expect(sales.filter(({ isCompleted }) => !isCompleted)).toEqual([])
  })

  it('never takes its log for one that went back', async () => {
    expect((await readinessAt(service.url)).body.log).toEqual({ status: 'sound', reasons: [] })
  })

  it('keeps every product and checkout that it acknowledged before a kill', async () => {
    for (const { productId, checkoutId, customerId, name } of sales) {
      const product = (await service.api(`/product/${productId}`)).body.data
      const checkout = (await service.api(`/checkout/${checkoutId}`)).body.data
      expect({ name: product.name, of: checkout.product_id, who: checkout.customer_id, is: checkout.status }).toEqual({
        name,
        of: productId,
        who: customerId,
        is: 'completed',
      })
    }
    expect((await allRecords(service, '/product')).length).toBe(sales.length)
    expect((await allRecords(service, '/checkout')).length).toBe(sales.length)
    expect((await allRecords(service, '/customers')).length).toBe(sales.length)
  })

  it('records exactly one confirmed payment for every payment on the ledger, despite kills', async () => {
    const payments = await allRecords(service, '/payment')
    const held = payments.flatMap(({ checkout_id, transactions }) =>
      transactions.map(({ hash }: Data) => `${checkout_id} ${hash}`),
    )
    const sent = sales.flatMap(({ checkoutId, envelopes }) => envelopes.map(({ hash }) => `${checkoutId} ${hash}`))
    expect([...held].sort()).toEqual([...sent].sort())
    expect(new Set(held).size).toBe(held.length)
    expect(payments.map(({ status, amount, overpaid_amount }) => ({ status, amount, overpaid_amount }))).toEqual(
      sales.map(() => ({ status: 'confirmed', amount: '2.16 USDC', overpaid_amount: null })),
    )
    const confirmed = payments.map(({ checkout_id }) => checkout_id)
    expect([...confirmed].sort()).toEqual(sales.map(({ checkoutId }) => checkoutId).sort())
  })

  it('grants access for every sale, despite kills', async () => {
    for (const { customerId, productId, checkoutId } of sales) {
      const { payment_id } = (await service.api(`/checkout/${checkoutId}`)).body.data
      expect((await service.api(`/customers/${customerId}/access/${productId}`)).body).toEqual({
        has_access: true,
        grant: { type: 'one_time', payment_id },
        expires_at: null,
      })
    }
  })

  // A server's log is proven by its chains when it is read; what follows is about the one file.
  if (!isOnServer) {
    it('keeps a log that verifies, both while it is served and after an orderly end', async () => {
      expect(await verify(log)).toMatchObject({ ok: true, problems: [] })
      expect(await service.stop()).toBe(0)
      const { ok, events, problems: found } = await verify(log)
      expect({ ok, found }).toEqual({ ok: true, found: [] })
      expect(events).toBeGreaterThan(sales.length * 8)
    })

    it('verification finds a single flipped bit in the log and names its event', async () => {
      const stream = `product-${sales[0]?.productId}`
      const sql = openDatabase(log, { durability: 'full', readOnly: true })
      const row = sql.prepare('SELECT type, data FROM events WHERE stream = ?').get(stream)
      sql.close()
      const bytes = readFileSync(log)
      const stored = `${row?.type}${row?.data}`
      // Where a page was split, the half that moved leaves a copy behind that nobody reads any more.
      const copies: Array<number> = []
      for (let at = bytes.indexOf(stored); at >= 0; at = bytes.indexOf(stored, at + 1)) copies.push(at)
      expect(copies.length).toBeGreaterThan(0)
      const file = openSync(log, 'r+')
      for (const copy of copies) {
        const place = copy + stored.indexOf('b0-0')
        writeSync(file, Buffer.from([(bytes[place] ?? 0) ^ 1]), 0, 1, place)
      }
      closeSync(file)
      const { ok, problems: found } = await verify(log)
      expect(ok).toBe(false)
      expect(found).toContainEqual({ stream, revision: 0n, problem: 'its hash does not match its content' })
      expect(new Set(found.map((problem) => problem.stream))).toEqual(new Set([stream]))
    })
  }
})
