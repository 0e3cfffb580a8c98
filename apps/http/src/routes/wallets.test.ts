import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk'
import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'

describe("a customer's wallets", () => {
  let service: Service
  let customer: string
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    const body = { email: `${crypto.randomUUID()}@shop.example`, name: 'Ada' }
    customer = (await service.api('/customers', { body })).body.data.id
  })

  const owner = Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(3))
  const address = owner.publicKey()
  const start = (headers = {}) => service.api(`/customers/${customer}/wallets`, { body: { address }, headers })
  const verify = (transaction: string, headers = {}) =>
    service.api(`/customers/${customer}/wallets/verify`, { body: { transaction }, headers })
  const signed = ({ transaction, network_passphrase }: Record<'transaction' | 'network_passphrase', string>) => {
    const challenge = TransactionBuilder.fromXdr(transaction, network_passphrase)
    challenge.sign(owner)
    return challenge.toXdr()
  }

  it('lets a customer prove a wallet, which is listed and unlinked', async () => {
    const challenge = await start()
    expect(challenge).toMatchObject({
      status: 200,
      body: { data: { transaction: expect.any(String), network_passphrase: service.facts.network_passphrase } },
    })
    const proven = await verify(signed(challenge.body.data))
    const wallet = {
      id: expect.stringMatching(/^cwl_/),
      address,
      via: 'proven',
      metadata: {},
      created_at: expect.stringMatching(/Z$/),
    }
    expect([proven.status, proven.body]).toEqual([200, { data: wallet }])
    const shown = () => service.api(`/customers/${customer}`)
    expect((await shown()).body.data.wallets).toEqual([proven.body.data])
    const { id } = proven.body.data
    const removed = await service.api(`/customers/${customer}/wallets/${id}`, { method: 'DELETE' })
    expect([removed.status, removed.body]).toEqual([200, { data: { id, object: 'wallet', deleted: true } }])
    expect((await shown()).body.data.wallets).toEqual([])
  })

  it('answers repeated requests for a challenge and a proof alike', async () => {
    const [starting, verifying] = [1, 2].map(() => ({ 'idempotency-key': crypto.randomUUID() }))
    const first = await start(starting)
    expect((await start(starting)).body).toEqual(first.body)
    const proof = signed(first.body.data)
    const { body } = await verify(proof, verifying)
    expect((await verify(proof, verifying)).body).toEqual(body)
    const again = await verify(proof)
    expect([again.status, again.body]).toEqual([409, problem('challenge_spent', 'transaction')])
  })

  it.each([
    ['no account', 'GABC', 'address'],
    [
      'an address with an id inside',
      'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
      'address',
    ],
    ['a number', 5, 'address'],
  ])('gives no challenge for %s', async (_, wrong, param) => {
    const { status, body } = await service.api(`/customers/${customer}/wallets`, { body: { address: wrong } })
    expect([status, body]).toEqual([400, problem('invalid_request', param)])
  })

  it.each([
    ['that nobody has signed', (data: Parameters<typeof signed>[0]) => data.transaction, 'challenge_not_signed'],
    ['that is no transaction', () => 'AAAA', 'challenge_invalid'],
  ])('links no wallet by a challenge %s', async (_, proofOf, code) => {
    const { body } = await start()
    const refused = await verify(proofOf(body.data))
    expect([refused.status, refused.body]).toEqual([400, problem(code, 'transaction')])
  })

  it('unlinks no wallet by another id', async () => {
    for (const id of ['cwl_nobody', 'cwl_7nQe4Cw0XbDq1yLZs5Tt0u']) {
      const { status, body } = await service.api(`/customers/${customer}/wallets/${id}`, { method: 'DELETE' })
      expect([status, body]).toEqual([404, problem('not_found')])
    }
  })

  it('lets a customer into the portal by a signature of the proven wallet', async () => {
    await verify(signed((await start()).body.data))
    const asked = await service.api('/portal/wallets', { body: { address } })
    const body = { transaction: signed(asked.body.data), customer_id: customer }
    const { status, body: session } = await service.api('/portal/wallets/verify', { body })
    expect({ status, object: session.data.object }).toEqual({ status: 200, object: 'portal_session' })
    expect((await fetch(session.data.url, { redirect: 'manual' })).status).toBe(303)
    const { body: again } = await service.api('/portal/wallets', { body: { address } })
    const stranger = { transaction: signed(again.data), customer_id: 'cus_0000000000000000000000' }
    const refused = await service.api('/portal/wallets/verify', { body: stranger })
    expect(refused).toMatchObject({ status: 404, body: problem('not_found', 'customer_id') })
  })
})
