import {
  authorizeEntry,
  Contract,
  type contract,
  Operation,
  rpc,
  SorobanDataBuilder,
  scValToNative,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { declaredBy } from '../ledger/contract-transaction.ts'
import { accountEntry, codeOf, testPassphrase, trustline, usdc } from '../testing/fixture.ts'
import {
  type CallOptions,
  called,
  callOf,
  channel,
  customer,
  mandateClient,
  operator,
  payee,
  prepared,
  sent,
  serveMandates,
  termsOf,
  tokenCall,
  unprepared,
  usdcContract,
} from '../testing/mandates.ts'
import type { Served } from '../testing/server.ts'

let served: Served
let mandates: contract.Client
beforeEach(async () => {
  served = await serveMandates()
  mandates = await mandateClient(served)
})
afterEach(() => served.close())

const asCustomer = { source: customer }
const asOperator = { source: channel, operationSource: operator }

const operationOf = (name: string, args: object, options: CallOptions) =>
  callOf(served.sandbox.mandateContract, name, mandates.spec.funcArgsToScVals(name, args), options)
const call = (name: string, args: object, options: CallOptions) =>
  called(served, operationOf(name, args, options), options)

const enrol = async (more: object = {}): Promise<Buffer> => {
  const mandate = await call('create', termsOf(served, more), asCustomer)
  if (!(mandate instanceof Uint8Array)) throw new Error(`not enrolled: ${mandate}`)
  return Buffer.from(mandate)
}
const now = () => BigInt(served.sandbox.read.range().latest.closeTime)
const chargeOf = (mandate: Buffer, more: object = {}) => ({
  mandate,
  period_start: now(),
  amount: 30_000_000n,
  reference: Buffer.from('pay_1'),
  ...more,
})
const heldBy = (key: typeof customer) => trustline(served.sandbox, key, usdc).balance

const allowed = () => {
  const allowance = tokenCall(usdcContract, 'allowance', [customer, served.sandbox.mandateContract], asCustomer)
  return called(served, allowance, asCustomer)
}

const eventsFrom = async (startLedger: number) =>
  (await served.client.getEvents({ startLedger, filters: [] })).events.map(({ topic, contractId }) => [
    contractId?.contractId() === served.sandbox.mandateContract ? 'mandate' : 'token',
    scValToNative(topic[0] ?? xdr.ScVal.scvVoid()),
  ])

describe('a mandate, by the client of the SDK', () => {
  it("one customer signature and transaction create a mandate with its approval, at the customer's expense", async () => {
    const operation = operationOf('create', termsOf(served), asCustomer)
    const transaction = await prepared(served, operation, asCustomer)
    expect(transaction.signatures).toHaveLength(1)
    const { sequence } = served.sandbox.read.range().latest
    const found = await sent(served, transaction)
    expect(found.status).toBe(rpc.Api.GetTransactionStatus.SUCCESS)
    expect(await eventsFrom(sequence + 1)).toEqual([
      ['token', 'approve'],
      ['mandate', 'mandate_created'],
    ])
    const invoked = transaction.operations[0]
    const [agreed, ...more] = invoked?.type === 'invokeHostFunction' ? (invoked.auth ?? []) : []
    expect(more).toEqual([])
    expect(agreed?.credentials.type).toBe('sorobanCredentialsSourceAccount')
    expect(agreed?.rootInvocation.subInvocations).toHaveLength(1)
  })

  it('creating a mandate can collect its first amount', async () => {
    await enrol({ first_amount: 40_000_000n })
    expect(heldBy(payee)).toBe(40_000_000n)
  })

  it('the operator charges a mandate through a channel that pays the fee', async () => {
    const mandate = await enrol()
    const before = { channel: accountEntry(served.sandbox, channel), operator: accountEntry(served.sandbox, operator) }
    const { sequence } = served.sandbox.read.range().latest
    expect(await call('charge', chargeOf(mandate), asOperator)).toBeNull()
    expect([heldBy(customer), heldBy(payee)]).toEqual([99_970_000_000n, 30_000_000n])
    expect(await eventsFrom(sequence + 1)).toEqual([
      ['token', 'transfer'],
      ['mandate', 'charged'],
    ])
    expect(accountEntry(served.sandbox, operator)).toEqual(before.operator)
    const { seqNum, balance } = accountEntry(served.sandbox, channel)
    expect(seqNum).toBe(before.channel.seqNum + 1n)
    expect(balance < before.channel.balance).toBe(true)
  })

  it('a mandate is charged once per period, whatever is resent', async () => {
    const charge = chargeOf(await enrol())
    await call('charge', charge, asOperator)
    await expect(call('charge', charge, asOperator)).rejects.toThrow('HostError: Error(Contract, #113)')
    const other = { ...charge, reference: Buffer.from('pay_2') }
    await expect(call('charge', other, asOperator)).rejects.toThrow('Error(Contract, #114)')
    expect(heldBy(payee)).toBe(30_000_000n)
  })

  it('a batch charges mandates, and one that fails stops no others', async () => {
    const [one, other] = [await enrol(), await enrol({ reference: Buffer.from('chk_2'), allowance: 1_100_000_000n })]
    const charges = [
      chargeOf(one),
      chargeOf(Buffer.alloc(32)),
      chargeOf(other, { amount: 100_000_001n }),
      chargeOf(other),
    ]
    const answered = await call('charge_many', { operator: operator.publicKey(), charges }, asOperator)
    expect(answered).toEqual([0, 100, 107, 0])
    expect(heldBy(payee)).toBe(60_000_000n)
  })

  it('either side can cancel a mandate', async () => {
    const mandate = await enrol()
    await call('cancel', { mandate, by: customer.publicKey() }, asCustomer)
    await expect(call('charge', chargeOf(mandate), asOperator)).rejects.toThrow('Error(Contract, #111)')
    expect(await call('cancel', { mandate, by: operator.publicKey() }, asOperator)).toBeNull()
  })

  it("the customer can renew a mandate's allowance", async () => {
    const mandate = await enrol()
    const allowance_expiry_ledger = served.sandbox.clock().ledger + 200_000
    await call('renew_allowance', { mandate, allowance: 2_000_000_000n, allowance_expiry_ledger }, asCustomer)
    expect(await allowed()).toBe(2_000_000_000n)
    await expect(
      call('renew_allowance', { mandate, allowance: 2_000_000_000n, allowance_expiry_ledger: 1_000 }, asCustomer),
    ).rejects.toThrow('Error(Contract, #109)')
  })

  it('an authorization entry signs a mandate that another account submits', async () => {
    const operation = operationOf('create', termsOf(served), { source: channel })
    const simulated = await served.client.simulateTransaction(await unprepared(served, operation, { source: channel }))
    if (!rpc.Api.isSimulationSuccess(simulated)) throw new Error('refused')
    const unsigned = simulated.result?.auth ?? []
    expect(unsigned.map(({ credentials }) => credentials.type)).toEqual(['sorobanCredentialsAddressV2'])
    const until = served.sandbox.clock().ledger + 100
    const auth = await Promise.all(unsigned.map((each) => authorizeEntry(each, customer, until, testPassphrase)))
    const again = operationOf('create', termsOf(served), { source: channel, auth })
    const found = await sent(served, await prepared(served, again, { source: channel }))
    expect(found.status).toBe(rpc.Api.GetTransactionStatus.SUCCESS)
    const forged = await Promise.all(unsigned.map((each) => authorizeEntry(each, customer, until, testPassphrase)))
    const other = operationOf('create', termsOf(served, { cap: 100_000_001n }), { source: channel, auth: forged })
    await expect(prepared(served, other, { source: channel })).rejects.toThrow('Error(Auth, InvalidAction)')
  })

  it("the SDK's client built from the deployed code creates a mandate", async () => {
    served.sandbox.start()
    const create: unknown = Reflect.get(mandates, 'create')
    if (typeof create !== 'function') throw new Error('the code declares no function create')
    const assembled = await create(termsOf(served))
    const { result } = await assembled.signAndSend()
    served.sandbox.stop()
    const found = await served.client.getLedgerEntries(mandateKey(Buffer.from(result.unwrap())))
    expect(found.entries).toHaveLength(1)
  })
})

/** The ledger key of a mandate. */
const mandateKey = (mandate: Buffer) =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: new Contract(served.sandbox.mandateContract).address().toScAddress(),
      key: xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Mandate'), xdr.ScVal.scvBytes(mandate)]),
      durability: xdr.ContractDataDurability.persistent,
    }),
  )

const lifetime = async (key: xdr.LedgerKey) =>
  (await served.client.getLedgerEntries(key)).entries[0]?.liveUntilLedgerSeq

describe('an archived mandate', () => {
  it('an archived mandate shows lifetime 0, and the charge that uses it restores it', async () => {
    const mandate = await enrol()
    served.sandbox.faults.set({ archived_entry: { mandate: mandate.toString('hex'), for_ledgers: 1 } })
    const before = await lifetime(mandateKey(mandate))
    expect(before).toBeGreaterThan(100_000)
    served.sandbox.close()
    expect(await lifetime(mandateKey(mandate))).toBe(0)
    served.sandbox.faults.set({ lag: { ledgers: 1, times: 1 } })
    expect(await lifetime(mandateKey(mandate))).toBe(before)
    const charge = operationOf('charge', chargeOf(mandate), asOperator)
    const transaction = await prepared(served, charge, asOperator)
    const envelope = transaction.toEnvelope()
    expect(envelope.type === 'envelopeTypeTx' && declaredBy(envelope.v1.tx)?.ext.type).toBe('resourceExt')
    expect((await sent(served, transaction)).status).toBe(rpc.Api.GetTransactionStatus.SUCCESS)
    expect(await lifetime(mandateKey(mandate))).toBeGreaterThan(100_000)
    expect(heldBy(payee)).toBe(30_000_000n)
  })

  it('an archived mandate fails a charge that was simulated before', async () => {
    const mandate = await enrol()
    const transaction = await prepared(served, operationOf('charge', chargeOf(mandate), asOperator), asOperator)
    served.sandbox.faults.set({ archived_entry: { mandate: mandate.toString('hex'), for_ledgers: 1 } })
    served.sandbox.close()
    expect(codeOf((await sent(served, transaction)).resultXdr)).toBe('invokeHostFunctionEntryArchived')
  })

  it('operations of their own restore an archived mandate and extend it', async () => {
    const mandate = await enrol()
    const key = mandateKey(mandate)
    served.sandbox.faults.set({ archived_entry: { mandate: mandate.toString('hex'), for_ledgers: 1 } })
    served.sandbox.close()
    const restored = await upkeep(Operation.restoreFootprint({}), new SorobanDataBuilder().setReadWrite([key]))
    expect(restored.status).toBe('SUCCESS')
    expect(await lifetime(key)).toBe(served.sandbox.clock().ledger + 120_959)
    const extend = Operation.extendFootprintTtl({ extendTo: 500_000 })
    expect((await upkeep(extend, new SorobanDataBuilder().setReadOnly([key]))).status).toBe('SUCCESS')
    expect(await lifetime(key)).toBe(served.sandbox.clock().ledger + 500_000)
  })
})

const upkeep = async (operation: xdr.Operation, data: SorobanDataBuilder) => {
  const bare = await unprepared(served, operation, { source: channel })
  const declared = TransactionBuilder.cloneFrom(bare, { networkPassphrase: testPassphrase }).setSorobanData(
    data.build(),
  )
  const transaction = await served.client.prepareTransaction(declared.build())
  transaction.sign(channel)
  return sent(served, transaction)
}
