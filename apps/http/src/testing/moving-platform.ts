import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { drive, newSale, type Sale } from './buyer.ts'
import { ledgerIsIngested } from './sale.ts'
import { openService, type Service, temporaryDirectory } from './service.ts'
import { fundedWallet } from './wallet.ts'

const quittance = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))
type Settings = Readonly<Record<string, string>>

/** Where a platform goes, and how the service is told. */
export type Place = {
  /** For a customer's name. */
  readonly name: string
  /** As `quittance copy` takes it; null: the data directory. */
  readonly address: string | null
  readonly settings: Settings
  /** What the command says of what is in no log. */
  readonly beside: 'in_place' | 'at_first_start'
}

const lists = ['/products', '/customers', '/checkout', '/payments']

/** What an answer says apart from where the service listens, and when its payments were looked up. */
const lasting = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (name, value) =>
      name === 'synced_at' || name === 'request_id' ? undefined : value,
    ).replace(/127\.0\.0\.1:\d+/g, 'host'),
  )

/** Sells in a data directory of its own, then moves to one place after another, and sells in each. */
export const movingPlatform = () => {
  const directory = temporaryDirectory()
  let service: Service | null = null

  const copy = async (from: string, to: string) => {
    const words = [quittance, 'copy', '--from', from, '--to', to, '--json']
    const { stdout } = await promisify(execFile)(process.execPath, words, { env: {} })
    return JSON.parse(stdout)
  }
  const on = async (settings: Settings) => {
    await service?.close()
    service = await openService(directory.path, settings)
    return service
  }

  const sellsIn = async (places: ReadonlyArray<Place>): Promise<void> => {
    const first = await on({})
    const { facts } = first
    const usdc = facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
    const { keypair } = await fundedWallet(facts, [usdc])
    const key = { 'idempotency-key': 'before the move' }
    const keyed = (at: typeof first) =>
      at.api('/checkout?type=direct', { body: { amount: 7, currency_code: 'EUR' }, headers: key })
    const answered = (await keyed(first)).body
    const sales: Array<Sale> = [newSale('sold-embedded', 'rpc')]
    for (const sale of sales) await drive(first, sale, keypair)

    const ada = { email: 'ada@example.com', name: 'Ada' }
    const customer = (await first.api('/customers', { body: ada })).body.data.id

    const seen = async (at: typeof first) => {
      await ledgerIsIngested(at)
      const pages = await Promise.all(lists.map((list) => at.api(`${list}?limit=100`)))
      const access = sales.map(({ customerId, productId }) => at.api(`/customers/${customerId}/access/${productId}`))
      return { lists: pages.map(({ body }) => body.data), access: (await Promise.all(access)).map(({ body }) => body) }
    }
    let at = first
    let from = directory.path
    for (const { name, address, settings, beside } of places) {
      const to = address ?? directory.path
      const before = await seen(at)
      expect(before.access.map(({ has_access }) => has_access)).toEqual(sales.map(() => true))
      await at.close()
      service = null
      expect(await copy(from, to)).toMatchObject({ ok: true, problems: [], beside })
      from = to
      at = await on(settings)
      const after = await seen(at)
      expect(lasting(after)).toEqual(lasting(before))
      // Her name and address are sealed by a key of the vault.
      expect((await at.api(`/customers/${customer}`)).body.data).toMatchObject(ada)
      expect(lasting((await keyed(at)).body)).toEqual(lasting(answered))
      for (const sale of sales) await drive(at, sale, keypair)
      const next = newSale(`sold-on-${name}`, 'rpc')
      await drive(at, next, keypair)
      sales.push(next)
    }
    const end = await seen(at)
    expect(end.access.map(({ has_access }) => has_access)).toEqual(sales.map(() => true))
  }
  const remove = async (): Promise<void> => {
    await service?.close()
    directory.remove()
  }
  return { sellsIn, remove }
}
