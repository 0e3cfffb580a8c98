import { right } from '@quittance/domain/testing/outcomes'
import { type contract, rpc, scValToNative, type Transaction } from '@stellar/stellar-sdk'
import { trustline, usdc } from '../testing/fixture.ts'
import {
  called,
  callOf,
  channel,
  customer,
  mandateClient,
  operator,
  payee,
  prepared,
  serveMandates,
  termsOf,
  tokenCall,
  usdcContract,
} from '../testing/mandates.ts'
import type { Served } from '../testing/server.ts'
import type { Faults } from './faults.ts'

let served: Served
let mandates: contract.Client
let mandate: Buffer
beforeEach(async () => {
  served = await serveMandates()
  mandates = await mandateClient(served)
  mandate = Buffer.from(await enrolled())
})
afterEach(() => served.close())

const asOperator = { source: channel, operationSource: operator }
const asCustomer = { source: customer }
const usdcId = `USDC:${usdc.getIssuer()}`

const operationOf = (name: string, args: object, options: typeof asOperator | typeof asCustomer) =>
  callOf(served.sandbox.mandateContract, name, mandates.spec.funcArgsToScVals(name, args), options)
const enrolled = async (): Promise<Uint8Array> => {
  const made = await called(served, operationOf('create', termsOf(served), asCustomer), asCustomer)
  if (made instanceof Uint8Array) return made
  throw new Error(`not enrolled: ${made}`)
}
const charge = (amount = 10_000_000n) => {
  const period_start = BigInt(served.sandbox.read.range().latest.closeTime)
  return operationOf('charge', { mandate, period_start, amount, reference: Buffer.from('pay_1') }, asOperator)
}
const charging = (): Promise<Transaction> => prepared(served, charge(), asOperator)
const allowed = () =>
  called(
    served,
    tokenCall(usdcContract, 'allowance', [customer, served.sandbox.mandateContract], asCustomer),
    asCustomer,
  )
const set = (faults: Faults): void => {
  right(served.sandbox.faults.set(faults))
}
const close = (times = 1): void => {
  for (let at = 0; at < times; at += 1) served.sandbox.close()
}
const collected = () => trustline(served.sandbox, payee, usdc).balance
const statusOf = async (transaction: Transaction) =>
  (await served.client.getTransaction(Buffer.from(transaction.hash()).toString('hex'))).status

describe('a charge through a faulty node', () => {
  it('collects a charge once after a lost reply, however often it is resent', async () => {
    const transaction = await charging()
    set({ lose_reply: { times: 1 } })
    await expect(served.client.sendTransaction(transaction)).rejects.toThrow()
    expect((await served.client.sendTransaction(transaction)).status).toBe('DUPLICATE')
    close()
    expect(await statusOf(transaction)).toBe('SUCCESS')
    expect((await served.client.sendTransaction(transaction)).status).toBe('TRY_AGAIN_LATER')
    close(9)
    const again = await served.client.sendTransaction(transaction)
    expect([again.status, again.errorResult?.result.type]).toEqual(['ERROR', 'txBadSeq'])
    expect(collected()).toBe(10_000_000n)
  })

  it('does not collect a dropped charge until it is resent', async () => {
    const transaction = await charging()
    set({ drop: { times: 1 } })
    await served.client.sendTransaction(transaction)
    close()
    expect([await statusOf(transaction), collected()]).toEqual(['NOT_FOUND', 0n])
    await served.client.sendTransaction(transaction)
    close()
    expect([await statusOf(transaction), collected()]).toEqual(['SUCCESS', 10_000_000n])
  })

  it('collects a delayed charge later', async () => {
    const transaction = await charging()
    set({ include_late: { ledgers: 2, times: 1 } })
    await served.client.sendTransaction(transaction)
    close(2)
    expect(collected()).toBe(0n)
    close()
    expect(collected()).toBe(10_000_000n)
  })

  it('a charge waits while a fee surge exceeds its bid', async () => {
    const transaction = await charging()
    await served.client.sendTransaction(transaction)
    set({ fee_surge: { base_fee: 1_000, for_ledgers: 2 } })
    close(2)
    expect(collected()).toBe(0n)
    close()
    expect(collected()).toBe(10_000_000n)
  })

  it('a lagging node simulates a charge on its own latest ledger', async () => {
    await served.client.sendTransaction(await charging())
    close()
    await expect(prepared(served, charge(), asOperator)).rejects.toThrow('Error(Contract, #11')
    const { latest } = served.sandbox.read.range()
    const period_start = BigInt(latest.closeTime - 1)
    set({ lag: { ledgers: 1 } })
    const args = { mandate, period_start, amount: 10_000_000n, reference: Buffer.from('pay_1') }
    const simulated = await prepared(served, operationOf('charge', args, asOperator), asOperator)
    expect(simulated.operations).toHaveLength(1)
    const { events } = await served.client.getEvents({ startLedger: latest.sequence - 1, filters: [] })
    expect(events.map(({ topic }) => topic.map(scValToNative)[0])).toEqual(['approve', 'mandate_created'])
  })
})

describe('missing_events', () => {
  const names = async () => {
    const startLedger = served.sandbox.clock().ledger
    const { events, cursor } = await served.client.getEvents({ startLedger, filters: [] })
    return { names: events.map(({ topic }) => topic.map(scValToNative)[0]), cursor }
  }

  it("missing_events omits a contract's events while the cursor advances past them", async () => {
    const whole = await names()
    set({ missing_events: { contract: usdcContract, times: 1 } })
    expect(await names()).toEqual({ names: ['mandate_created'], cursor: whole.cursor })
    expect(await names()).toEqual(whole)
  })

  it('missing_events omits the events of some ledgers and counts only answers that had any', async () => {
    const { ledger } = served.sandbox.clock()
    set({ missing_events: { from_ledger: ledger, to_ledger: ledger, times: 1 } })
    expect((await served.client.getEvents({ startLedger: 1, endLedger: ledger, filters: [] })).events).toEqual([])
    expect((await names()).names).toEqual([])
    expect((await names()).names).toEqual(['approve', 'mandate_created'])
  })
})

describe('expired_allowance', () => {
  it("expired_allowance ends the mandate contract's allowance until it is renewed", async () => {
    const transaction = await charging()
    set({ expired_allowance: { account: customer.publicKey(), asset_id: usdcId, for_ledgers: 1 } })
    close()
    expect(served.sandbox.faults.present()).toEqual({})
    await expect(charging()).rejects.toThrow('Error(Contract, #9)')
    await served.client.sendTransaction(transaction)
    close()
    expect([await statusOf(transaction), collected()]).toEqual([rpc.Api.GetTransactionStatus.FAILED, 0n])
    const renewed = {
      mandate,
      allowance: 500_000_000n,
      allowance_expiry_ledger: served.sandbox.clock().ledger + 200_000,
    }
    await called(served, operationOf('renew_allowance', renewed, asCustomer), asCustomer)
    expect(await allowed()).toBe(500_000_000n)
    await called(served, charge(), asOperator)
    expect(collected()).toBe(10_000_000n)
  })

  it("expired_allowance appears in the ledger's meta, so a lagging node still sees the allowance", async () => {
    const operation = charge()
    set({ expired_allowance: { account: customer.publicKey(), asset_id: usdcId, for_ledgers: 1 } })
    close()
    await expect(prepared(served, operation, asOperator)).rejects.toThrow('Error(Contract, #9)')
    set({ lag: { ledgers: 1 } })
    expect((await prepared(served, operation, asOperator)).operations).toHaveLength(1)
  })

  it('expired_allowance rejects an invalid account and an unknown asset', () => {
    const refused = (field: string) => ({
      _tag: 'Left',
      left: { _tag: 'FaultRefused', knob: 'expired_allowance', field },
    })
    const { faults } = served.sandbox
    expect(faults.set({ expired_allowance: { account: 'G', asset_id: usdcId } })).toEqual(refused('account'))
    expect(faults.set({ expired_allowance: { account: customer.publicKey(), asset_id: 'EUR' } })).toEqual(
      refused('asset_id'),
    )
  })
})

describe('archived_entry', () => {
  it('archived_entry rejects an invalid mandate, an invalid key and a temporary entry', () => {
    const refused = (field: string) => ({ _tag: 'Left', left: { _tag: 'FaultRefused', knob: 'archived_entry', field } })
    const { faults } = served.sandbox
    expect(faults.set({ archived_entry: { mandate: 'ab' } })).toEqual(refused('mandate'))
    expect(faults.set({ archived_entry: { key: 'AAAA' } })).toEqual(refused('key'))
    expect(faults.set({ archived_entry: {} })).toEqual(refused('key'))
    expect(served.sandbox.faults.present()).toEqual({})
  })
})
