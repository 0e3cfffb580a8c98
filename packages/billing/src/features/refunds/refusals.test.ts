import { AccountId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { Keypair } from '@stellar/stellar-sdk'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PaymentResource } from '../../resources/payment.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { refundsIn, wantedRefund } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import type { NewRefund } from './request.ts'

let front: StoreFront
let refunds: ReturnType<typeof refundsIn>
beforeAll(async () => {
  front = await openStoreFront()
  refunds = refundsIn(front)
})
afterAll(() => front.close())

describe('rejected refunds', () => {
  const refusedFor = async (changed: Partial<NewRefund>, payment?: PaymentResource) => {
    const before = payment ?? (await refunds.paid())
    const outcome = await refused(refunds.request(before, changed))
    expect(await refunds.paymentNow(before)).toMatchObject({ line_items: [] })
    return outcome
  }
  const unfit = (reason: string) => ({ _tag: 'DestinationUnfit', reason })
  const usdc = () => front.network.usdc.assetId
  const account = (key = Keypair.random()) => decoded(AccountId, key.publicKey())

  it('rejects a refund of a missing or unconfirmed payment', async () => {
    expect(await refused(refunds.request({ id: 'pay_none' }))).toEqual({ _tag: 'PaymentNotFound' })
    const payment = await refunds.paid()
    expect(
      await refused(
        front.billing.refunds.request({ ...refunds.now(), merchantId: 'mer_other' }, wantedRefund(payment)),
      ),
    ).toEqual({ _tag: 'PaymentNotFound' })
    const pending = await refunds.paid(4)
    expect(await refused(refunds.request(pending))).toEqual({ _tag: 'PaymentNotConfirmed', status: 'pending' })
  })
  it('rejects a refund while another is pending, and names that one', async () => {
    const payment = await refunds.paid()
    const { id } = await done(refunds.request(payment))
    expect(await refused(refunds.request(payment))).toEqual({ _tag: 'RefundExists', refundId: id })
  })
  it('rejects a refund to an account that does not exist', async () => {
    expect(await refusedFor({ destination: account() })).toEqual(unfit('not_found'))
  })
  it('rejects a refund to an account that does not trust the asset, unless it is the issuer', async () => {
    const key = Keypair.random()
    await done(front.network.sandbox.fund({ address: key.publicKey() }))
    expect(await refusedFor({ destination: account(key) })).toEqual(unfit('no_trustline'))
    const issuer = decoded(AccountId, usdc().split(':')[1])
    expect(await done(refunds.request(await refunds.paid(), { destination: issuer }))).toMatchObject({
      status: 'pending',
    })
  })
  it('rejects a refund to an account that has lost its authorisation', async () => {
    const frozen = await front.wallets.wallet(31)
    const { faults } = front.network.sandbox
    faults.set({ deauthorise: { account: frozen.account, asset_id: usdc() } })
    front.network.wait(1000)
    expect(await refusedFor({ destination: frozen.account })).toEqual(unfit('not_authorized'))
    faults.set({})
    front.network.wait(1000)
  })
  it('rejects a refund to an account one stroop short of room, and accepts one with room', async () => {
    const full = await front.wallets.wallet(32)
    full.limit(usdc(), units(10_009.9999999))
    expect(await refusedFor({ destination: full.account })).toEqual(unfit('full'))
    full.limit(usdc(), units(10_010))
    expect(await done(refunds.request(await refunds.paid(), { destination: full.account }))).toMatchObject({
      status: 'pending',
    })
  })
  it('rejects a refund to an account that requires memos', async () => {
    const exchange = await front.wallets.wallet(33)
    exchange.requireMemo()
    expect(await refusedFor({ destination: exchange.account })).toEqual(unfit('requires_memo'))
  })
  it("rejects a refund to a shared account on the operator's list", async () => {
    const omnibus = await front.wallets.wallet(34)
    front.network.omnibusAccounts.add(omnibus.account)
    expect(await refusedFor({ destination: omnibus.account })).toEqual(unfit('is_omnibus'))
  })
  it('rejects a refund to the paying account', async () => {
    expect(await refusedFor({ destination: front.account })).toEqual(unfit('is_own'))
  })
  it('rejects a refund while the ledger is unreachable', async () => {
    const payment = await refunds.paid()
    const silent = TE.left({ _tag: 'LedgerUnreachable' as const, cause: 'a test' })
    const network = present(front.services.networks.testnet)
    const original = network.gateway.accountView
    Object.assign(network.gateway, { accountView: () => silent })
    expect((await refused(refunds.request(payment)))._tag).toBe('LedgerUnreachable')
    Object.assign(network.gateway, { accountView: original })
    expect(await refunds.paymentNow(payment)).toMatchObject({ line_items: [] })
  })
  it('rejects a refund with malformed metadata', async () => {
    expect(await refusedFor({ metadata: [] })).toEqual({ _tag: 'MetadataNotAnObject' })
  })
})
