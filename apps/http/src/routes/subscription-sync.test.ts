import { right } from '@quittance/billing/testing/outcomes'
import { AccountId, ContractId, MandateId, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type ContractCall, cancelCall, prepareCall, rpcGateway } from '@quittance/ledger'
import { startStillService } from '../testing/still-service.ts'
import { newPlan } from '../testing/subscriber.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

let close = async (): Promise<void> => {}
afterEach(() => close())

/** Someone who has subscribed, by a wallet of their own; nothing is read of the ledger but on command. */
const subscribed = async () => {
  const service = await startStillService()
  close = service.close
  const { sandbox, network, api, anyone, read } = service
  const wallet = await fundedWallet(network)
  const product_id = await newPlan(api, { asset_id: 'native' })
  const body = { product_id, customer_email: 'syncs@example.com' }
  const { id: checkout } = (await api('/checkout?type=product', { body })).body.data
  const offer = await anyone(`/pay/${checkout}/transaction`, { body: { source_account: wallet.address } })
  const transaction_xdr = wallet.sign(offer.body.data.transaction_xdr)
  await anyone(`/pay/${checkout}/submit`, { body: { transaction_xdr } })
  sandbox.close()
  await read()
  const { subscription_id: id } = (await api(`/checkout/${checkout}`)).body.data
  const shown = async () => (await api(`/subscriptions/${id}`)).body.data
  const facts = async (): Promise<ReadonlyArray<string>> =>
    (await api(`/subscriptions/${id}/history`)).body.data.data.map(({ type }: { type: string }) => type)
  /** The mandate is ended by its wallet, in a ledger that nobody has read. */
  const endMandate = async (): Promise<void> => {
    const { contract_id, mandate_id } = (await shown()).authorization
    const [contract, mandate] = [decoded(ContractId, contract_id), decoded(MandateId, mandate_id)]
    await call(network, wallet, cancelCall(contract, decoded(AccountId, wallet.address), mandate))
    sandbox.close()
  }
  /** The allowance of the wallet is gone when the next period begins, and the charge fails. */
  const missAPeriod = async (): Promise<void> => {
    const expired_allowance = { account: wallet.address, asset_id: 'native' }
    right(sandbox.faults.set({ expired_allowance }))
    const to = Date.parse((await shown()).current_period_end)
    right(await sandbox.advance({ to, nextDue: async () => null, settle: read })())
    for (let ledgers = 0; ledgers < 4; ledgers++) {
      sandbox.close()
      await read()
    }
  }
  return { service, shown, facts, endMandate, missAPeriod }
}

/** Calls a contract from a wallet, past the service. */
const call = async (
  { rpc_url: url, network_passphrase: networkPassphrase }: { rpc_url: string; network_passphrase: string },
  wallet: Wallet,
  called: ContractCall,
): Promise<void> => {
  const gateway = rpcGateway({ url, networkPassphrase, timeoutMs: 5_000 })
  const account = decoded(AccountId, wallet.address)
  const head = right(await gateway.latestLedger()())
  const view = right(await gateway.accountView(account, [])())
  const order = {
    sourceAccount: account,
    nextAccountSequence: (view?.accountSequence ?? 0n) + 1n,
    ledgerClosedAt: head.closedAt,
    lifetimeMs: 60_000,
    notAfter: null,
    fee: stroops(1_000n),
    networkPassphrase,
  }
  const { envelopeXdr } = right(await prepareCall(gateway)(order, called)())
  right(await gateway.submit(wallet.sign(envelopeXdr))())
}

describe('retrieving a subscription', () => {
  it('shows at once that the wallet has ended the mandate of a subscription', async () => {
    const { shown, endMandate } = await subscribed()
    expect(await shown()).toMatchObject({ cancel_at_period_end: false, authorization: { status: 'active' } })
    await endMandate()
    expect(await shown()).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      next_renewal_at: null,
      authorization: { status: 'revoked' },
    })
  }, 60_000)

  it.each([
    ['does not answer', { silent: {} }],
    ['is down', { server_error: {} }],
  ])(
    'returns the recorded state of a subscription when the node %s',
    async (_, fault) => {
      const { service, shown, facts, endMandate } = await subscribed()
      const before = await shown()
      await endMandate()
      right(service.sandbox.faults.set(fault))
      expect(await shown()).toEqual(before)
      expect(await facts()).toEqual(['SubscriptionStarted'])
      right(service.sandbox.faults.set({}))
      expect(await shown()).toMatchObject({ cancel_at_period_end: true, authorization: { status: 'revoked' } })
    },
    60_000,
  )

  it('changes neither the debt nor its next retry when it retrieves a subscription', async () => {
    const { service, shown, facts, missAPeriod } = await subscribed()
    await missAPeriod()
    const known = await facts()
    const owed = await shown()
    expect(owed).toMatchObject({
      status: 'past_due',
      failed_payment_count: 1,
      authorization: { status: 'insufficient' },
      last_attempt: { status: 'failed' },
    })
    expect(await shown()).toEqual(owed)
    right(service.sandbox.faults.set({ silent: {} }))
    expect(await shown()).toEqual(owed)
    expect(await facts()).toEqual([...known, 'AllowanceSeen'])
  }, 60_000)
})
