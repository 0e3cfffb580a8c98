import { ContractId, type SubscriptionRecord, TransactionHash } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { cancelCall, readMandates, renewCall } from '@quittance/ledger'
import { receiveMandateEnd } from '../../ingest/authorizations.ts'
import type { Club } from '../../testing/club.ts'
import { formerCode, formerWasm } from '../../testing/former-code.ts'
import { movingClub, presentWasm } from '../../testing/moving-club.ts'
import { passphrase } from '../../testing/network.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { command, options } from '../../testing/shop.ts'
import { subscribersOf } from '../../testing/subscribers.ts'
import { units } from '../../testing/wallets.ts'

const elsewhere = decoded(ContractId, 'CBKMUZNFQIAL775XBB2W2GP5CNHBM5YGH6C3XB7AY6SUVO2IBU3VYK2V')
type Mandate = SubscriptionRecord['authorization']['mandate']
let people = 92

describe('a mandate in the contract of a former version', () => {
  let moving: Awaited<ReturnType<typeof movingClub>>
  let club: Club
  beforeAll(async () => {
    moving = await movingClub()
    club = moving.now()
  })
  afterAll(() => moving.close())

  const subscription = (id: string) => moving.subscription(id)
  const passDays = (days: number) => moving.passDays(days)
  const deployed = (wasm: Uint8Array) => moving.deployed(wasm)
  const contract = () => club.network.seen().mandateContract
  const moved = async (mandateContract: ContractId | null) => {
    await moving.moved(mandateContract)
    club = moving.now()
  }

  const endOf = async ({ contract, mandateId, customer, payee }: Mandate, hash: string) => {
    const { sequence: ledger, closedAt } = await done(club.network.gateway.latestLedger())
    const place = { contract, transactionHash: decoded(TransactionHash, hash), innerHash: null, ledger, closedAt }
    return { _tag: 'MandateCancelled' as const, ...place, mandate: mandateId, customer, payee, by: customer }
  }

  it('is not ended with a mandate of the same id in another contract', async () => {
    const reader = await club.wallets.wallet(91)
    const checkout = await club.join(await club.club(), 'twin@former.example')
    const hash = await club.enrol(checkout, reader)
    const id = present((await club.checkout(checkout)).subscription_id)
    const { mandate } = (await subscription(id)).authorization
    const twin = await endOf({ ...mandate, contract: elsewhere }, hash)
    await done(() => receiveMandateEnd(club.services, club.scope, twin))
    expect(await subscription(id)).toMatchObject({ cancellation: null, endedMandates: [] })
    const own = await endOf(mandate, hash)
    await done(() => receiveMandateEnd(club.services, club.scope, own))
    expect(await subscription(id)).toMatchObject({ endedMandates: [mandate.mandateId] })
  })

  it('is charged on, until its customer signs one in the new contract, which ends it', async () => {
    const reader = await club.wallets.wallet(90)
    const checkout = await club.join(await club.club(), 'reader@former.example')
    await club.enrol(checkout, reader)
    const id = present((await club.checkout(checkout)).subscription_id)
    const old = (await subscription(id)).authorization.mandate
    await moved(await deployed(presentWasm))
    await passDays(31)
    expect(await subscription(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 1 } })

    const productId = await club.club({ price: { amount: '25', amountCents: null } })
    const patch = { cancelAtPeriodEnd: null, metadata: undefined, productId }
    await done(club.billing.subscriptions.update(command(club.platform, club.merchantId), id, patch))
    const { authorization } = await done(club.billing.subscriptions.retrieve(club.scope, id))
    const request = present(authorization.update_url).replace(/^.*\/pay\//, '')
    const { transaction_xdr, mandate } = await done(club.billing.payer.transaction(request, reader.account))
    expect(mandate?.contract_id).toBe(contract())
    const { transaction_hash } = await done(club.billing.payer.submit(request, reader.sign(transaction_xdr)))
    while ((await subscription(id)).retired.length === 0) await club.pass()
    const twin = await endOf({ ...old, contract: elsewhere }, transaction_hash)
    await done(() => receiveMandateEnd(club.services, club.scope, twin))
    expect(await subscription(id)).toMatchObject({ endedMandates: [], retired: [{ mandateId: old.mandateId }] })
    await passDays(0)
    const { mandate: current } = (await subscription(id)).authorization
    expect(current.contract).toBe(contract())
    const key = { ...old, mandate: old.mandateId, assetId: club.network.usdc.assetId }
    const [standing] = await done(readMandates(club.network.gateway)([key]))
    expect(standing?.record?.isCancelled).toBe(true)
    expect(await subscription(id)).toMatchObject({ endedMandates: [old.mandateId], retired: [] })
    await passDays(31)
    expect(await subscription(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 2 } })
  })

  it('is not made by an offer from before', async () => {
    await moved(await deployed(presentWasm))
    const wallet = await club.wallets.wallet(89)
    const checkout = await club.join(await club.club(), 'early@former.example')
    const { transaction_xdr } = await club.offered(checkout, wallet)
    await moved(decoded(ContractId, club.network.sandbox.mandateContract))
    const late = await refused(club.billing.payer.submit(checkout, wallet.sign(transaction_xdr)))
    expect(late).toMatchObject({ _tag: 'MandateNotOffered' })
    await club.enrol(checkout, wallet)
    const { subscription_id } = await club.checkout(checkout)
    expect((await subscription(present(subscription_id))).authorization.mandate.contract).toBe(contract())
  })

  it('is not sold any more', async () => {
    await moved(await deployed(formerWasm))
    const [order, wanted] = [command(club.platform, club.merchantId), options({ id: null, email: null, phone: null })]
    const sale = club.billing.checkouts.createForProduct(order, await club.club(), wanted)
    expect(await refused(sale)).toMatchObject({ _tag: 'CannotCollect', because: 'contract_former' })
  })

  it.each([
    ['another contract', true],
    ['none', false],
  ])('goes on in its own code, with %s for new mandates, and ends with it', async (_, isNamed) => {
    await moved(await deployed(formerWasm))
    const wallet = await club.wallets.wallet(++people)
    const before = await subscribersOf(club, people)
    const id = await before.subscribe(wallet, { code: formerCode })
    const { mandate } = (await subscription(id)).authorization
    await moved(isNamed ? await deployed(presentWasm) : null)
    await passDays(1)
    expect(await subscription(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 1 } })
    const [{ paymentId = '' } = {}] = (await subscription(id)).attempts
    expect(present(await (await club.platform.shown()).payments.withId(paymentId)).row.status).toBe('confirmed')
    expect(await club.exceptions()).toEqual([])

    const renewal = { ...mandate.approval, allowance: units(6_000), mandate: mandate.mandateId }
    const { assetId } = (await subscription(id)).details
    await club.call(wallet, renewCall({ ...mandate, ...renewal, assetId }, passphrase))
    await passDays(0)
    expect((await subscription(id)).authorization.mandate.approval.allowance).toBe(units(6_000))

    await club.call(wallet, cancelCall(mandate.contract, wallet.account, mandate.mandateId))
    await passDays(0)
    await passDays(1)
    expect(await subscription(id)).toMatchObject({ status: 'canceled', endedMandates: [mandate.mandateId] })
    await passDays(1)
    expect(await subscription(id)).toMatchObject({ covered: { n: 1 } })
  })
})
