import { Keypair } from '@stellar/stellar-sdk'
import { problem } from '../testing/client.ts'
import { provenDestination } from '../testing/destination.ts'
import { eventually } from '../testing/eventually.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

const many = Keypair.random()
let service: Service
let wallet: Wallet
let exchange: Wallet
let usdc: string
beforeAll(async () => {
  service = await startService({ QUITTANCE_OMNIBUS_ACCOUNTS: many.publicKey() })
  usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  wallet = await fundedWallet(service.facts, [usdc])
  exchange = await fundedWallet(service.facts, [usdc], many)
  await provenDestination(service, wallet)
}, 30_000)
afterAll(() => service.close())

const sell = () => openSale(service, { amount: 5, currency_code: 'USDC' })
/** Pays 5 USDC that name nothing of ours. */
const pay = async (from: Wallet): Promise<string> => (await from.pay({ ...(await sell()), memo: 'for nobody' })).hash
const exceptionOf = async (hash: string, status: string) => {
  const { body } = await eventually(
    () => service.api(`/exceptions?status=${status}&limit=100`),
    (answer) => answer.body.data.data.some((each: Readonly<Record<string, unknown>>) => each.transaction_hash === hash),
  )
  return body.data.data.find((each: Readonly<Record<string, unknown>>) => each.transaction_hash === hash)
}
const decide = (id: string, body: object, key?: string) =>
  service.api(`/exceptions/${id}/resolve`, {
    body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
/** The id of an exception that waits for a person: what exchanges send does not go back by itself. */
const waiting = async () => {
  const hash = await pay(exchange)
  const { body } = await eventually(
    () => service.api('/exceptions?status=open&limit=100'),
    (answer) =>
      answer.body.data.data.some(
        (each: Readonly<Record<string, unknown>>) => each.transaction_hash === hash && each.decision_needed !== null,
      ),
  )
  return body.data.data.find((each: Readonly<Record<string, unknown>>) => each.transaction_hash === hash)
}
const empty = { data: { object: 'list', data: [], has_more: false, url: '/exceptions' } }

describe('an exception', () => {
  it('returns money by rule, and shows the exception with every documented field', async () => {
    const hash = await pay(wallet)
    const exception = await exceptionOf(hash, 'resolved')
    expect(exception).toEqual({
      id: expect.stringMatching(/^exc_/),
      object: 'exception',
      kind: 'unmatched',
      status: 'resolved',
      asset_id: usdc,
      amount: '5 USDC',
      amount_stroops: '50000000',
      payments: 1,
      transaction_hash: hash,
      from_address: wallet.address,
      memo: 'for nobody',
      paid_to: [],
      checkout_id: null,
      payment_id: null,
      decision_needed: null,
      decision_message: null,
      return_status: 'succeeded',
      return_address: wallet.address,
      return_sends_at: null,
      return_transaction_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      return_failure_code: null,
      applied_to: null,
      applied_from: null,
      action: 'refund',
      note: null,
      resolved_by: 'process',
      environment: 'testnet',
      created_at: expect.any(String),
      resolved_at: expect.any(String),
    })
    expect((await wallet.ledger.getTransaction(exception.return_transaction_hash)).status).toBe('SUCCESS')
    expect((await service.api(`/exceptions/${exception.id}`)).body).toEqual({ data: exception })
  })

  it('lists exceptions by status and kind, page by page', async () => {
    const [one, other] = [await waiting(), await waiting()]
    const idsIn = async (query: string) =>
      (await service.api(`/exceptions?${query}`)).body.data.data.map((each: { readonly id: string }) => each.id)
    expect(await idsIn('status=open&kind=unmatched&limit=1')).toEqual([other.id])
    expect(await idsIn(`status=open&limit=1&starting_after=${other.id}`)).toEqual([one.id])
    expect((await service.api('/exceptions?kind=paid_twice')).body).toEqual(empty)
    expect((await service.api('/exceptions?status=lost')).status).toBe(400)
    expect((await service.api('/exceptions?kind=lost')).status).toBe(400)
    expect((await service.api('/exceptions/exc_0000000000000000000000')).status).toBe(404)
  })
})

describe('the resolution of an exception', () => {
  it('returns the money of an exception to the named account', async () => {
    const { id } = await waiting()
    expect(await decide(id, { action: 'refund', destination: wallet.address, note: 'by mail' })).toMatchObject({
      status: 200,
      body: { data: { id, status: 'open', return_status: 'pending', return_address: wallet.address } },
    })
    const { body } = await eventually(
      () => service.api(`/exceptions/${id}`),
      (answer) => answer.body.data.status === 'resolved',
    )
    expect(body.data).toMatchObject({ action: 'refund', note: 'by mail', resolved_by: expect.stringMatching(/^key_/) })
  })

  it('applies the money of an exception to a checkout', async () => {
    const [{ id, transaction_hash }, sale] = [await waiting(), await sell()]
    expect(await decide(id, { action: 'apply', checkout_id: sale.id })).toMatchObject({
      status: 200,
      body: { data: { status: 'resolved', action: 'apply', applied_to: sale.id } },
    })
    const { payment_id } = await completed(service, sale.id)
    expect((await service.api(`/payment/${payment_id}`)).body.data).toMatchObject({
      status: 'confirmed',
      transaction_hash,
    })
  })

  it('keeps the money of an exception once, with the same answer under its key', async () => {
    const { id } = await waiting()
    const body = { action: 'accept', note: 'a gift' }
    const answers = await Promise.all([1, 2, 3].map(() => decide(id, body, `keep ${id}`)))
    const done = answers.find(({ status }) => status === 200)
    expect(done?.body.data).toMatchObject({ status: 'resolved', action: 'accept', note: 'a gift' })
    expect((await decide(id, body, `keep ${id}`)).body).toEqual(done?.body)
    expect((await decide(id, { action: 'accept' }, `keep ${id}`)).status).toBe(422)
    expect(await decide(id, body)).toMatchObject({ status: 409, body: problem('exception_resolved') })
  })

  it('refuses a resolution while money is on its way back, and where it would be lost or does not fit', async () => {
    const [{ id }, paid] = [await waiting(), await sell()]
    await wallet.pay(paid)
    await completed(service, paid.id)
    const nowhere = Keypair.random().publicKey()
    const refusals = [
      [{ action: 'refund' }, 409, problem('destination_is_omnibus', 'destination')],
      [{ action: 'refund', destination: nowhere }, 409, problem('destination_not_found', 'destination')],
      [{ action: 'apply', checkout_id: paid.id }, 409, problem('credit_does_not_fit', 'checkout_id')],
      [{ action: 'apply', checkout_id: 'chk_0000000000000000000000' }, 404, problem('not_found', 'checkout_id')],
    ] as const
    for (const [body, status, expected] of refusals)
      expect(await decide(id, body)).toMatchObject({ status, body: expected })
    await decide(id, { action: 'refund', destination: wallet.address })
    expect((await decide(id, { action: 'accept' })).body.code).toMatch(/^exception_(being_)?resolved$/)
    expect(await decide('exc_0000000000000000000000', { action: 'accept' })).toMatchObject({ status: 404 })
  })

  it.each([
    [{}, 'action'],
    [{ action: 'keep' }, 'action'],
    [{ action: ['accept'] }, 'action'],
    [{ action: 'apply' }, 'checkout_id'],
    [{ action: 'apply', checkout_id: 7 }, 'checkout_id'],
    [{ action: 'apply', checkout_id: 'x'.repeat(101) }, 'checkout_id'],
    [{ action: 'refund', destination: 'GABC' }, 'destination'],
    [{ action: 'refund', destination: { $ne: null } }, 'destination'],
    [{ action: 'accept', note: 'x'.repeat(5_001) }, 'note'],
    [{ action: 'accept', note: '\ud800' }, 'note'],
  ])('refuses a malformed resolution with 400, and changes nothing: %j', async (body, param) => {
    const { data } = (await service.api('/exceptions?status=open&limit=1')).body.data
    const answer = await decide(data[0]?.id, body)
    expect({ status: answer.status, param: answer.body.param }).toEqual({ status: 400, param })
    expect((await service.api(`/exceptions/${data[0]?.id}`)).body.data).toEqual(data[0])
  })
})
