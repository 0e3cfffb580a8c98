import { Memo, MuxedAccount, rpc, scValToNative, type Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { declaredBy, measureOf } from '../ledger/contract-transaction.ts'
import { readStoredEnvelope } from '../ledger/envelope.ts'
import { nonRefundableFee } from '../ledger/resource-fees.ts'
import { hexOf, sha256 } from '../network.ts'
import {
  accountEntry,
  appliedOf,
  codeOf,
  funded,
  keyNumber,
  network,
  refusalOf,
  submit,
  testPassphrase,
  trustline,
  usdc,
} from '../testing/fixture.ts'
import {
  type CallOptions,
  called,
  channel,
  customer,
  operator,
  payee,
  prepared,
  sent,
  serveMandates,
  tokenCall,
  unprepared,
  usdcContract,
  xlmContract,
} from '../testing/mandates.ts'
import type { Served } from '../testing/server.ts'

let served: Served
beforeEach(async () => {
  served = await serveMandates()
})
afterEach(() => served.close())

const asCustomer = { source: customer }
const transfer = (amount = 10_000_000n, to = payee, options: CallOptions = asCustomer) =>
  tokenCall(usdcContract, 'transfer', [customer, to, amount], options)
const declared = (transaction: Transaction): xdr.SorobanTransactionData => {
  const envelope = transaction.toEnvelope()
  const data = envelope.type === 'envelopeTypeTx' ? declaredBy(envelope.v1.tx) : undefined
  if (data === undefined) throw new Error('the transaction declares no resources')
  return data
}
/** Deauthorizes the customer's trustline from the next ledger on. */
const withdrawConsent = (): void => {
  const asset_id = `USDC:${usdc.getIssuer()}`
  served.sandbox.faults.set({ deauthorise: { account: customer.publicKey(), asset_id } })
  served.sandbox.close()
}
const balance = (key = customer) => accountEntry(served.sandbox, key).balance

type Change = Partial<ConstructorParameters<typeof xdr.SorobanResources>[0]>

/** A prepared transaction with other declared resources, signed again. */
const redeclared = (
  transaction: Transaction,
  resources: Change,
  more: Partial<ConstructorParameters<typeof xdr.SorobanTransactionData>[0]> = {},
): Transaction => {
  const data = declared(transaction)
  const sorobanData = new xdr.SorobanTransactionData({
    ...data,
    resources: new xdr.SorobanResources({ ...data.resources, ...resources }),
    ...more,
  })
  const classicFee = (BigInt(transaction.fee) - data.resourceFee).toString()
  const rebuilt = TransactionBuilder.cloneFrom(transaction, {
    fee: classicFee,
    networkPassphrase: testPassphrase,
    sorobanData,
  }).build()
  rebuilt.sign(customer)
  return rebuilt
}

describe('a contract transaction', () => {
  it('a contract transaction pays inclusion and declared resources, and is refunded the unused part', async () => {
    const before = balance()
    const transaction = await prepared(served, transfer(), asCustomer)
    const data = declared(transaction)
    const found = await sent(served, transaction)
    const meta = found.resultMetaXdr
    const told = meta.type === 'v4' ? meta.v4.sorobanMeta?.ext : undefined
    if (told?.type !== 'v1') throw new Error('the meta names no fees')
    const signed = readStoredEnvelope(transaction.toEnvelope().toXdr(), network)
    const nonRefundable = nonRefundableFee(data, measureOf(signed))
    expect(told.v1.totalNonRefundableResourceFeeCharged).toBe(nonRefundable)
    const used = nonRefundable + told.v1.totalRefundableResourceFeeCharged
    expect(used < data.resourceFee).toBe(true)
    expect(found.resultXdr.feeCharged).toBe(100n + used)
    expect(balance()).toBe(before - 100n - used)
  })

  it('a simulation allows for the growth of an account that has sent nothing before', async () => {
    const [fresh, other] = [keyNumber(41), keyNumber(42)]
    await funded(served.sandbox, fresh, other)
    const give = tokenCall(xlmContract, 'transfer', [fresh, other, 1n], { source: fresh })
    expect(await called(served, give, { source: fresh })).toBeNull()
  })

  it('refunds come after all transactions of the ledger', async () => {
    const transaction = await prepared(served, transfer(), asCustomer)
    const { feeCharged } = (await sent(served, transaction)).resultXdr
    const [ledger] = served.sandbox.read.ledgersFrom(served.sandbox.clock().ledger, 1)
    const close = xdr.LedgerCloseMeta.fromXdr(ledger?.meta ?? new Uint8Array())
    const [applied] = close.type === 'v2' ? close.v2.txProcessing : []
    const balances = (changes: ReadonlyArray<xdr.LedgerEntryChange>) =>
      changes.flatMap((each) =>
        each.type !== 'ledgerEntryRemoved' && each.value.data.type === 'account'
          ? [each.value.data.account.balance]
          : [],
      )
    const [before = 0n, charged = 0n] = balances(applied?.feeProcessing ?? [])
    const [at = 0n, after = 0n] = balances(applied?.postTxApplyFeeProcessing ?? [])
    expect(before - charged).toBe(BigInt(transaction.fee))
    expect([at, before - after]).toEqual([charged, feeCharged])
  })

  it("a contract transaction's result is the hash of its return value and events", async () => {
    const found = await sent(served, await prepared(served, transfer(), asCustomer))
    const result = found.resultXdr.result.type === 'txSuccess' ? found.resultXdr.result.results[0] : undefined
    const events = found.events.contractEventsXdr[0] ?? []
    const preimage = new xdr.InvokeHostFunctionSuccessPreImage({ returnValue: xdr.ScVal.scvVoid(), events })
    const told = result?.type === 'opInner' ? result.tr.value : undefined
    expect(told?.type === 'invokeHostFunctionSuccess' && told.success.toString()).toBe(hexOf(sha256(preimage.toXdr())))
    expect(events).toHaveLength(1)
  })

  it('a failed contract transaction pays declared resources, changes nothing, and reports why in a diagnostic event', async () => {
    const before = balance()
    const transaction = await prepared(served, transfer(), asCustomer)
    withdrawConsent()
    const found = await sent(served, transaction)
    expect(codeOf(found.resultXdr)).toBe('invokeHostFunctionTrapped')
    expect(trustline(served.sandbox, customer, usdc).balance).toBe(100_000_000_000n)
    expect(found.resultMetaXdr.type === 'v4' && found.resultMetaXdr.v4.sorobanMeta).toBeNull()
    const signed = readStoredEnvelope(transaction.toEnvelope().toXdr(), network)
    const nonRefundable = nonRefundableFee(declared(transaction), measureOf(signed))
    expect([found.resultXdr.feeCharged, before - balance()]).toEqual([100n + nonRefundable, 100n + nonRefundable])
    const last = (found.diagnosticEventsXdr ?? []).findLast(({ event }) => {
      const [topic] = event.body.v0.topics
      return topic !== undefined && scValToNative(topic) === 'error'
    })
    const error = last?.event.body.v0.topics[1]
    expect(error?.type === 'scvError' && error.error.type === 'sceContract' && error.error.contractCode).toBe(11)
    expect((await served.client.getEvents({ startLedger: found.ledger, filters: [] })).events).toEqual([])
  })

  it.each([
    ['too few instructions', { instructions: 1 }, 'invokeHostFunctionResourceLimitExceeded'],
    ['too few bytes to read', { diskReadBytes: 1 }, 'invokeHostFunctionResourceLimitExceeded'],
    ['too few bytes to write', { writeBytes: 1 }, 'invokeHostFunctionResourceLimitExceeded'],
  ])('that declares %s fails', async (_, change, code) => {
    const transaction = redeclared(await prepared(served, transfer(), asCustomer), change)
    expect(codeOf((await sent(served, transaction)).resultXdr)).toBe(code)
  })

  it('a contract transaction cannot leave its footprint or write its read-only part', async () => {
    const fits = await prepared(served, transfer(), asCustomer)
    const { readOnly, readWrite } = declared(fits).resources.footprint
    for (const footprint of [
      new xdr.LedgerFootprint({ readOnly, readWrite: readWrite.slice(1) }),
      new xdr.LedgerFootprint({ readOnly: [...readOnly, ...readWrite], readWrite: [] }),
    ]) {
      const current = await prepared(served, transfer(), asCustomer)
      const found = await sent(served, redeclared(current, { footprint }))
      expect(codeOf(found.resultXdr)).toBe('invokeHostFunctionTrapped')
    }
  })

  it('a contract transaction that cannot pay for its events fails and pays its fee', async () => {
    const transaction = await prepared(served, transfer(), asCustomer)
    const signed = readStoredEnvelope(transaction.toEnvelope().toXdr(), network)
    const resourceFee = nonRefundableFee(declared(transaction), measureOf(signed))
    const found = await sent(served, redeclared(transaction, {}, { resourceFee }))
    expect(codeOf(found.resultXdr)).toBe('invokeHostFunctionInsufficientRefundableFee')
    expect(found.resultXdr.feeCharged).toBe(100n + resourceFee)
  })
})

/** A prepared transaction's operation with the source's authorization. */
const transferAgreed = (transaction: Transaction): xdr.Operation => {
  const envelope = transaction.toEnvelope()
  const operation = envelope.type === 'envelopeTypeTx' ? envelope.v1.tx.operations[0] : undefined
  if (operation === undefined) throw new Error('no operation')
  return operation
}

describe('a node refuses a contract transaction', () => {
  const refused = (transaction: Transaction): string => refusalOf(submit(served.sandbox, transaction))
  const signedAs = (builder: TransactionBuilder): Transaction => {
    const transaction = builder.build()
    transaction.sign(customer)
    return transaction
  }
  const cloned = async (fee = '100') => {
    const fits = await prepared(served, transfer(), asCustomer)
    return TransactionBuilder.cloneFrom(fits, { fee, networkPassphrase: testPassphrase, sorobanData: declared(fits) })
  }

  it('refuses a contract transaction with a memo', async () =>
    expect(refused(signedAs((await cloned()).addMemo(Memo.text('x'))))).toBe('txSorobanInvalid'))

  it('refuses a contract transaction of a muxed account', async () => {
    const muxed = new MuxedAccount(await served.client.getAccount(customer.publicKey()), '7')
    const fits = await prepared(served, transfer(), asCustomer)
    const builder = new TransactionBuilder(muxed, {
      fee: '100',
      networkPassphrase: testPassphrase,
      timebounds: { minTime: 0, maxTime: 0 },
      sorobanData: declared(fits),
    }).addOperation(transferAgreed(fits))
    expect(refused(signedAs(builder))).toBe('txSorobanInvalid')
  })

  it('refuses a contract transaction with a second operation or without declared resources', async () => {
    expect(refused(signedAs((await cloned()).addOperation(transfer())))).toBe('txMalformed')
    const bare = await unprepared(served, transfer(), asCustomer)
    bare.sign(customer)
    expect(refused(bare)).toBe('txMalformed')
  })

  it.each<[string, Change]>([
    ['more instructions than the network has', { instructions: 100_000_001 }],
    ['more bytes to read', { diskReadBytes: 200_001 }],
    ['more bytes to write', { writeBytes: 132_097 }],
    [
      'a key twice',
      {
        footprint: new xdr.LedgerFootprint({
          readOnly: [],
          readWrite: [1, 1].map(() =>
            xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: keyNumber(1).xdrAccountId() })),
          ),
        }),
      },
    ],
    [
      'more than 50 entries to write',
      {
        footprint: new xdr.LedgerFootprint({
          readOnly: [],
          readWrite: Array.from({ length: 51 }, (_, at) =>
            xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: keyNumber(at + 1).xdrAccountId() })),
          ),
        }),
      },
    ],
  ])('that declares %s', async (_, change) => {
    const transaction = redeclared(await prepared(served, transfer(), asCustomer), change, { resourceFee: 50_000_000n })
    expect(refused(transaction)).toBe('txSorobanInvalid')
  })

  it('refuses a contract transaction that offers less than its resources cost, or exactly that', async () => {
    const transaction = await prepared(served, transfer(), asCustomer)
    expect(refused(redeclared(transaction, {}, { resourceFee: 1_000n }))).toBe('txSorobanInvalid')
    expect(refused(signedAs(await cloned('99')))).toBe('txInsufficientFee')
  })
})

describe('a fee bump', () => {
  it('a fee bump may be muxed, pays for a contract transaction, and receives the refund', async () => {
    const inner = await prepared(served, transfer(), asCustomer)
    const before = { customer: balance(), channel: balance(channel) }
    const bump = TransactionBuilder.buildFeeBumpTransaction(channel, '200', inner, testPassphrase)
    bump.sign(channel)
    const { hash, status } = await served.client.sendTransaction(bump)
    expect(status).toBe('PENDING')
    served.sandbox.close()
    const result = xdr.TransactionResult.fromXdr(appliedOf(served.sandbox, hash).result)
    expect(result.result.type).toBe('txFeeBumpInnerSuccess')
    expect(balance()).toBe(before.customer)
    expect(balance(channel)).toBe(before.channel - result.feeCharged)
    expect(result.feeCharged < BigInt(bump.fee)).toBe(true)
  })
})

describe('a token refuses, by the number that the network gives', () => {
  const refusal = async (operation: xdr.Operation, options: CallOptions = asCustomer): Promise<string> => {
    const simulated = await served.client.simulateTransaction(await unprepared(served, operation, options))
    return rpc.Api.isSimulationError(simulated) ? (simulated.error.split('\n')[0] ?? '') : 'nothing'
  }

  it('token error 6: no account', async () =>
    expect(await refusal(tokenCall(xlmContract, 'balance', [keyNumber(99)], asCustomer))).toBe(
      'HostError: Error(Contract, #6)',
    ))

  it('token error 8: a negative amount', async () =>
    expect(await refusal(transfer(-1n))).toBe('HostError: Error(Contract, #8)'))

  it('token error 9: more than the allowance', async () => {
    const options = { source: operator }
    const pull = tokenCall(usdcContract, 'transfer_from', [operator, customer, payee, 1n], options)
    expect(await refusal(pull, options)).toBe('HostError: Error(Contract, #9)')
  })

  it('token error 10: more than the balance', async () =>
    expect(await refusal(transfer(100_000_000_001n))).toBe('HostError: Error(Contract, #10)'))

  it('token error 11: a deauthorized balance', async () => {
    withdrawConsent()
    expect(await refusal(transfer())).toBe('HostError: Error(Contract, #11)')
  })

  it('token error 13: an account without a trustline', async () =>
    expect(await refusal(transfer(1n, operator))).toBe('HostError: Error(Contract, #13)'))

  it("token error 14: less XLM than a new account's reserve", async () => {
    const few = tokenCall(xlmContract, 'transfer', [customer, keyNumber(98), 9_999_999n], asCustomer)
    expect(await refusal(few)).toBe('HostError: Error(Contract, #14)')
    const enough = tokenCall(xlmContract, 'transfer', [customer, keyNumber(98), 10_000_000n], asCustomer)
    expect(await called(served, enough, asCustomer)).toBeNull()
    expect(balance(keyNumber(98))).toBe(10_000_000n)
  })
})
