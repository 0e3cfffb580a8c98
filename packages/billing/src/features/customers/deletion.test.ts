import { readFileSync } from 'node:fs'
import { Customer, hourMs, Sealed } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { rowsOf } from '@quittance/event-store'
import * as O from 'fp-ts/lib/Option.js'
import { execute } from '../../kernel/execute.ts'
import { allKept, runBeside } from '../../testing/kept.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { filesIn } from '../../testing/platform.ts'
import { command, someone } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { isInDatabase, provenLog } from '../../testing/stores.ts'
import { units } from '../../testing/wallets.ts'

describe('deleting a customer', () => {
  let shop: StoreFront
  let customerId: string
  beforeEach(async () => {
    shop = await openStoreFront()
    const context = command(shop.platform, shop.merchantId)
    const made = await done(shop.billing.customers.createAll(context, [someone('ada@example.org', 'Ada', '+15550100')]))
    customerId = present(made[0]).id
  })
  afterEach(() => shop.close())
  const remove = () => shop.billing.customers.remove(command(shop.platform, shop.merchantId), customerId)
  const profileInLog = async () => {
    const { events } = await done(shop.platform.log.readStream(`customer-${customerId}`))
    const sealed = events.map(({ data }) => data.profile).find((profile) => typeof profile === 'string')
    return shop.services.vault.unseal(customerId, decoded(Sealed, sealed))
  }
  const wrappedKey = async (): Promise<Uint8Array | null> => {
    const rows = rowsOf('SELECT wrapped FROM vault WHERE name = ?', `subject/${customerId}`)
    const [row] = await runBeside(shop.folder.path, 'vault', rows)
    return row?.wrapped instanceof Uint8Array && row.wrapped.length > 0 ? row.wrapped : null
  }
  const vaultBytes = (): Buffer => {
    const { vault } = filesIn(shop.folder.path)
    return Buffer.concat([readFileSync(vault), readFileSync(`${vault}-wal`)])
  }

  it('makes personal data unreadable in log, lists and repeated responses, and keeps every hash chain valid', async () => {
    const { id } = await shop.sell(undefined, { id: customerId, email: null, phone: null })
    await shop.pay(id, [units(10)])
    expect(O.isSome(await profileInLog())).toBe(true)
    expect((await shop.payment(id)).billing_details).toEqual({ email: 'ada@example.org', name: 'Ada' })
    await done(remove())
    expect(await profileInLog()).toEqual(O.none)
    expect(await shop.payment(id)).toMatchObject({
      status: 'confirmed',
      customer_id: customerId,
      billing_details: null,
    })
    expect(await refused(shop.billing.customers.retrieve(shop.scope, customerId))).toEqual({ _tag: 'CustomerNotFound' })
    expect((await shop.billing.customers.list({ ...shop.scope, limit: 10 })()).resources).toEqual([])
    const row = (await (await shop.platform.shown()).customers.all()).find((each) => each.id === customerId)?.row
    expect(row).toMatchObject({ status: 'deleted', wallets: [], record: { profile: null, emailHash: null } })
    expect(await provenLog(shop.folder.path)).toMatchObject({ ok: true, problems: [] })
  })

  it('leaves no personal data anywhere before or after a deletion, even after changes', async () => {
    const { claims, vault } = shop.services
    const request = {
      merchantId: shop.merchantId,
      environment: 'testnet' as const,
      key: 'change ada',
      requestHash: await vault.keyedHash('request', '{"email":"countess@example.net"}'),
    }
    const claim = present(O.toNullable(O.fromEither(await claims.open(request))))
    const context = { ...command(shop.platform, shop.merchantId), commandId: claim.commandId }
    const change = {
      email: 'countess@example.net',
      name: 'Countess Lovelace',
      phone: '+15550199',
      metadata: { likes: 'engines' },
    }
    await done(shop.billing.customers.update({ ...context, alongside: claim.alongside }, customerId, change))
    await claim.bind()
    const { id } = await shop.sell(undefined, { id: customerId, email: null, phone: null })
    await shop.pay(id, [units(10)])
    const personal = ['ada@example.org', '5550100', 'countess', 'Lovelace', '5550199', 'engines']
    const found = async () => {
      const kept = await allKept(shop.folder.path)
      return [kept.includes(shop.merchantId), personal.filter((text) => kept.includes(text))]
    }
    expect(await found()).toEqual([true, []])
    await done(remove())
    expect(await found()).toEqual([true, []])
    expect(await profileInLog()).toEqual(O.none)
  })

  it('wins over a concurrent change of the deleted customer', async () => {
    const change = shop.billing.customers.update(command(shop.platform, shop.merchantId), customerId, { name: 'Grace' })
    const [, removed] = await Promise.all([change(), remove()()])
    expect(removed._tag).toBe('Right')
    expect(await profileInLog()).toEqual(O.none)
    expect(await wrappedKey()).toBeNull()
    expect(await refused(shop.billing.customers.retrieve(shop.scope, customerId))).toEqual({ _tag: 'CustomerNotFound' })
  })

  // On PostgreSQL the bytes of a row are the server's: the vault's own tests show what becomes of them.
  if (!isInDatabase()) {
    it('leaves no byte of a deleted key in the vault or its write-ahead log', async () => {
      const key = Buffer.from(present(await wrappedKey()))
      expect(vaultBytes().includes(key)).toBe(true)
      await done(remove())
      expect(await wrappedKey()).toBeNull()
      const bytes = vaultBytes()
      const pieces = Array.from({ length: Math.floor(key.length / 8) }, (_, n) => key.subarray(n * 8, n * 8 + 8))
      expect(pieces.filter((piece) => bytes.includes(piece))).toEqual([])
    })
  }

  it('releases a deleted customer’s email and phone', async () => {
    await done(remove())
    const again = command(shop.platform, shop.merchantId)
    const [next] = await done(shop.billing.customers.createAll(again, [someone('ada@example.org')]))
    expect(next?.id).not.toBe(customerId)
    const resolve = shop.billing.customers.resolve(command(shop.platform, shop.merchantId), {
      id: null,
      email: 'ada@example.org',
      phone: null,
    })
    expect(await done(resolve)).toBe(next?.id)
  })

  it('accepts a repeated deletion', async () => {
    await done(remove())
    const head = await shop.platform.logEnd()
    await done(remove())
    expect(await shop.platform.logEnd()).toEqual(head)
  })

  it('has a worker finish a deletion after a crash before the key is destroyed', async () => {
    const context = command(shop.platform, shop.merchantId)
    const decide = Customer.decider.decide({ type: 'DeleteCustomer' })
    await shop.step()
    await done(execute(shop.services.store)(Customer, customerId, context, decide))
    expect(await wrappedKey()).not.toBeNull()
    shop.network.wait(hourMs)
    await shop.step()
    expect(await wrappedKey()).toBeNull()
  })

  it('books a later payment of a deleted customer as a guest’s', async () => {
    const { id } = await shop.sell(undefined, { id: customerId, email: null, phone: null })
    await done(remove())
    await shop.pay(id, [units(10)])
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
    expect(await shop.payment(id)).toMatchObject({ billing_details: null, payment_method_details: null })
    expect(await wrappedKey()).toBeNull()
  })
})
