import { Asset, Operation, xdr } from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import {
  accountEntry,
  funded,
  keyNumber,
  outcomeOf,
  sandboxInMemory,
  signed,
  trustline,
  usdc,
  usdcIssuer,
} from '../testing/fixture.ts'

const payer = keyNumber(1)
const payee = keyNumber(2)
const native = Asset.native()
/** 10,000 XLM less the reserve of 1 XLM and the fee. */
const spendable = '9998.99999'

const pay = (sandbox: Sandbox, amount: string, asset = native, from = payer, to = payee) =>
  outcomeOf(sandbox, signed(sandbox, from, [Operation.payment({ destination: to.publicKey(), asset, amount })]))

const trust = (sandbox: Sandbox, key: typeof payer, limit = '20000') =>
  outcomeOf(sandbox, signed(sandbox, key, [Operation.changeTrust({ asset: usdc, limit })]))

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, payer, payee)
})

describe('a payment in XLM', () => {
  it('a native payment moves the amount and charges the payer the fee', () => {
    expect(pay(sandbox, '1')).toBe('txSuccess')
    expect(accountEntry(sandbox, payer).balance).toBe(99_989_999_900n)
    expect(accountEntry(sandbox, payee).balance).toBe(100_010_000_000n)
  })

  it('a native payment may take all but the reserve', () => {
    expect(pay(sandbox, spendable)).toBe('txSuccess')
    expect(accountEntry(sandbox, payer).balance).toBe(10_000_000n)
  })

  it('a native payment one stroop into the reserve is underfunded and still costs its fee', () => {
    expect(pay(sandbox, '9998.9999901')).toBe('paymentUnderfunded')
    expect(accountEntry(sandbox, payer).balance).toBe(99_999_999_900n)
  })

  it('a native payment needs an existing destination', () => {
    expect(pay(sandbox, '1', native, payer, keyNumber(3))).toBe('paymentNoDestination')
  })

  it('a native payment to oneself costs only the fee, whatever the amount', () => {
    expect(pay(sandbox, '20000', native, payer, payer)).toBe('txSuccess')
    expect(accountEntry(sandbox, payer).balance).toBe(99_999_999_900n)
  })

  it('a payment of zero is malformed and refused before it costs anything', () => {
    const payment = new xdr.PaymentOp({
      destination: payee.xdrMuxedAccount(),
      asset: native.toXdrObject(),
      amount: 0n,
    })
    const operation = new xdr.Operation({ sourceAccount: null, body: xdr.OperationBody.payment(payment) })
    expect(outcomeOf(sandbox, signed(sandbox, payer, [operation]))).toBe('paymentMalformed')
    expect(accountEntry(sandbox, payer).balance).toBe(100_000_000_000n)
  })
})

describe('a payment in an issued asset', () => {
  const give = (amount: string, to = payer) => pay(sandbox, amount, usdc, usdcIssuer, to)

  it('an issued payment moves the amount between trustlines', () => {
    trust(sandbox, payer)
    trust(sandbox, payee)
    expect(give('100')).toBe('txSuccess')
    expect(pay(sandbox, '40', usdc)).toBe('txSuccess')
    expect(trustline(sandbox, payer, usdc).balance).toBe(600_000_000n)
    expect(trustline(sandbox, payee, usdc).balance).toBe(400_000_000n)
  })

  it('a payment to the issuer destroys the amount', () => {
    trust(sandbox, payer)
    give('100')
    expect(pay(sandbox, '40', usdc, payer, usdcIssuer)).toBe('txSuccess')
    expect(trustline(sandbox, payer, usdc).balance).toBe(600_000_000n)
  })

  it("an issued payment needs the payee's trustline", () => {
    trust(sandbox, payer)
    give('100')
    expect(pay(sandbox, '1', usdc)).toBe('paymentNoTrust')
  })

  it("an issued payment needs the payer's trustline", () => {
    trust(sandbox, payee)
    expect(pay(sandbox, '1', usdc)).toBe('paymentSrcNoTrust')
    trust(sandbox, payer)
    give('1')
    expect(pay(sandbox, '1.0000001', usdc)).toBe('paymentUnderfunded')
    expect(pay(sandbox, '1', usdc)).toBe('txSuccess')
  })

  it('an issued payment fills a trustline to its limit and not beyond', () => {
    trust(sandbox, payer, '10')
    expect(give('10.0000001')).toBe('paymentLineFull')
    expect(give('10')).toBe('txSuccess')
    expect(give('0.0000001')).toBe('paymentLineFull')
  })

  it('an issued payment needs both trustlines authorized', () => {
    trust(sandbox, payer)
    give('10')
    outcomeOf(sandbox, signed(sandbox, usdcIssuer, [Operation.setOptions({ setFlags: 1 })]))
    trust(sandbox, payee)
    expect(trustline(sandbox, payee, usdc).flags).toBe(0)
    expect(pay(sandbox, '1', usdc)).toBe('paymentNotAuthorized')
    expect(pay(sandbox, '1', usdc, payee, payer)).toBe('paymentSrcNotAuthorized')
  })
})
