import {
  type AssetId,
  decimalFromStroops,
  entitlementAt,
  hourMs,
  issuerOf,
  minuteMs,
  type SubscriptionId,
  unixMs,
} from '@quittance/domain'
import { type ContractCall, type LedgerGateway, tokenContractOf } from '@quittance/ledger'
import { Address, Asset, nativeToScVal, Operation, xdr } from '@stellar/stellar-sdk'
import { passphrase } from '../../testing/network.ts'
import { done, present, right } from '../../testing/outcomes.ts'
import { openPlatform } from '../../testing/platform.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { type Subscribers, subscribersOf } from '../../testing/subscribers.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import { retryJitter } from './retry-jitter.ts'

const all = units(10_000)

describe('a customer who evades the charge of one ledger', () => {
  let front: StoreFront
  let people: Subscribers
  let thief: Wallet
  let id: SubscriptionId
  beforeEach(async () => {
    front = await openStoreFront()
    people = await subscribersOf(front)
    thief = await front.wallets.wallet(3)
    id = await people.subscribe(thief)
  })
  afterEach(() => front.close())

  const usdc = (): AssetId => front.network.usdc.assetId
  const sdk = (assetId: AssetId): Asset => new Asset(assetId.split(':')[0] ?? '', present(issuerOf(assetId)))
  const payment = (from: Wallet, to: Wallet, assetId: AssetId) =>
    Operation.payment({
      source: from.account,
      destination: to.account,
      asset: sdk(assetId),
      amount: decimalFromStroops(all),
    })
  const distrust = (assetId: AssetId) => Operation.changeTrust({ asset: sdk(assetId), limit: '0' })
  const act = (wallet: Wallet, ...operations: Parameters<StoreFront['wallets']['act']>[1]) =>
    front.wallets.act(wallet.secret, operations)

  /** What a wallet approves of the token itself, past the service and the contract. */
  const approve = (amount: bigint): ContractCall => {
    const contract = present(front.network.seen().mandateContract)
    const { ledger } = front.network.sandbox.clock()
    const invocation = new xdr.InvokeContractArgs({
      contractAddress: new Address(tokenContractOf(usdc(), passphrase)).toScAddress(),
      functionName: 'approve',
      args: [
        new Address(thief.account).toScVal(),
        new Address(contract).toScVal(),
        nativeToScVal(amount, { type: 'i128' }),
        nativeToScVal(ledger + 1_000_000, { type: 'u32' }),
      ],
    })
    return {
      caller: thief.account,
      operation: (auth, source) =>
        Operation.invokeHostFunction({
          func: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation),
          auth: [...auth],
          ...source,
        }),
      authorised: new xdr.SorobanAuthorizedInvocation({
        function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocation),
        subInvocations: [],
      }),
      transactionData: null,
    }
  }

  const freeze = (account: string, for_ledgers: number): void =>
    void right(front.network.sandbox.faults.set({ deauthorise: { account, asset_id: usdc(), for_ledgers } }))
  /** The charge is sent, and the next ledger will hold it. */
  const chargeIsSent = async (): Promise<void> => {
    people.sleepADay()
    await front.step()
    expect((await people.now(id)).attempts.at(-1)).toMatchObject({ status: 'under_way', isHandedOver: true })
  }
  const lastFailure = async () =>
    (await people.eventsOf(`subscription-${id}`)).findLast(({ type }) => type === 'ChargeFailed')?.data
  const isEntitled = async (): Promise<boolean> => {
    const now = unixMs(front.network.now())
    return entitlementAt(await people.now(id), now, now) !== null
  }

  type Trick = readonly [string, string, string, () => Promise<void> | void, () => Promise<void> | void]
  const tricks: ReadonlyArray<Trick> = [
    [
      'moves the balance away and back',
      '10',
      'balance_too_low',
      () => void act(thief, payment(thief, front.other, usdc())),
      () => void act(front.other, payment(front.other, thief, usdc())),
    ],
    [
      'keeps the balance a stroop below the price',
      '10',
      'balance_too_low',
      () =>
        void thief.pay({
          to: front.other.account,
          asset: usdc(),
          parts: [units(9_990), units(0.000_000_1)],
          memo: null,
        }),
      () => void act(front.other, payment(front.other, thief, usdc())),
    ],
    [
      'revokes the allowance and gives it again',
      '9',
      'allowance_too_low',
      () => people.callAs(thief, approve(0n)),
      () => people.callAs(thief, approve(units(5_000))),
    ],
    [
      'lowers the allowance and raises it again',
      '9',
      'allowance_too_low',
      () => people.callAs(thief, approve(units(9.999))),
      () => people.callAs(thief, approve(units(5_000))),
    ],
    [
      'removes the trustline and sets it again',
      '13',
      'no_trustline',
      () => void act(thief, payment(thief, front.other, usdc()), distrust(usdc())),
      () => {
        thief.trust(usdc())
        act(front.other, payment(front.other, thief, usdc()))
      },
    ],
    [
      'merges the account away and creates it again',
      '13',
      'no_trustline',
      () => {
        const { eurc } = front.network
        const assets = [usdc(), eurc.assetId]
        act(
          thief,
          ...assets.flatMap((asset) => [payment(thief, front.other, asset), distrust(asset)]),
          Operation.accountMerge({ destination: front.other.account }),
        )
      },
      () => {
        front.wallets.create(front.other.secret, thief.account, units(100), null)
        thief.trust(usdc())
        act(front.other, payment(front.other, thief, usdc()))
      },
    ],
    [
      'is frozen by the issuer, and authorised again',
      '11',
      'not_authorized',
      () => {
        freeze(thief.account, 2)
        front.network.sandbox.close()
      },
      () => front.network.sandbox.close(),
    ],
  ]

  it.each(tricks)(
    'has failed a charge that counts, and has no access, who %s',
    async (_, code, cause, evade, restore) => {
      // Two ledgers take it: one to evade in, whatever the order within a ledger.
      right(front.network.sandbox.faults.set({ include_late: { ledgers: 1, times: 1 } }))
      await chargeIsSent()
      await evade()
      front.network.sandbox.close()
      await restore()
      await front.step()
      await front.step()
      expect(await lastFailure()).toMatchObject({ code, cause, counts: true, includedIn: expect.any(Number) })
      expect(await people.now(id)).toMatchObject({ status: 'past_due', failedPaymentCount: 1 })
      expect(await isEntitled()).toBe(false)
      expect([await front.exceptions(), front.worker.troubles()]).toEqual([[], []])
    },
  )

  it('has no access on four days with the money away in the ledger of the charge alone, and then pays', async () => {
    const access: Array<boolean> = []
    for (let day = 0; day < 4; day++) {
      await chargeIsSent()
      // Payments come before contract calls in a ledger, whenever they were sent.
      act(thief, payment(thief, front.other, usdc()))
      act(front.other, payment(front.other, thief, usdc()))
      await front.step()
      await front.step()
      access.push(await isEntitled())
    }
    expect(access).toEqual([false, false, false, false])
    await people.pass(hourMs)
    for (let ledgers = 0; ledgers < 4; ledgers++) await people.pass()
    expect(await people.now(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 4 } })
  })

  it('has failed a charge that counts, whose money was away in the ledger of the simulation alone', async () => {
    const { simulate } = front.network.gateway
    let isBack = false
    const seen = front.network.seen()
    const gateway: LedgerGateway = {
      ...seen.gateway,
      simulate: (envelope) => async () => {
        const simulated = await simulate(envelope)()
        if (!isBack) act(front.other, payment(front.other, thief, usdc()))
        isBack = true
        return simulated
      },
    }
    const platform = await openPlatform({ ...front.network, seen: () => ({ ...seen, gateway }) }, front.folder.path)
    people.sleepADay()
    act(thief, payment(thief, front.other, usdc()))
    await done(platform.worker.step)
    expect(await lastFailure()).toMatchObject({ code: '10', cause: 'balance_too_low', counts: true, includedIn: null })
    expect([isBack, await isEntitled()]).toEqual([true, false])
    await platform.close()
  })

  it('cannot learn beforehand when a retry comes, from nothing that the interface shows', async () => {
    people.sleepADay()
    act(thief, payment(thief, front.other, usdc()))
    await front.step()
    const failure = present(await lastFailure())
    const [stated, offset] = [Number(failure.retryAt), Number(failure.retryOffsetMs)]
    expect([stated - Number(failure.failedAt), offset > 0, offset < 30 * minuteMs]).toEqual([6 * hourMs, true, true])
    const shown = await done(front.billing.subscriptions.retrieve(front.scope, id))
    expect(shown).toMatchObject({ status: 'past_due', next_renewal_at: new Date(stated).toISOString() })
    const history = await done(front.billing.subscriptions.history(front.scope, id))
    const { retryOffsetMs: _, ...told } = failure
    expect(history.find(({ type }) => type === 'ChargeFailed')?.data).toEqual(told)
    expect(JSON.stringify([shown, history])).not.toContain(String(offset))
    // Any process with the same vault computes the same.
    const other = await openPlatform(front.network, front.folder.path)
    const jitters = await Promise.all(
      [front.services, other.services].map((each) => retryJitter(each, String(failure.paymentId))),
    )
    expect(jitters.map((jitter) => Math.floor(jitter * 30 * minuteMs))).toEqual([offset, offset])
    await other.close()
  })

  it('is not blamed while the merchant cannot receive', async () => {
    freeze(front.account, 100)
    people.sleepADay()
    await people.pass()
    expect(await lastFailure()).toMatchObject({ code: '11', cause: 'contract_refused', counts: false })
    expect([(await people.now(id)).failedPaymentCount, await isEntitled()]).toEqual([0, true])
  })

  it('is not blamed for a merchant who cannot receive in the ledger of the charge alone, and can a moment later', async () => {
    await chargeIsSent()
    freeze(front.account, 1)
    front.network.sandbox.close()
    front.network.sandbox.close()
    await front.step()
    await front.step()
    expect(await lastFailure()).toMatchObject({ code: '11', cause: 'contract_refused', counts: false })
    expect([(await people.now(id)).failedPaymentCount, await isEntitled()]).toEqual([0, true])
  })
})
