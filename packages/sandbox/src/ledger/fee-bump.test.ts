import { right } from '@quittance/domain/testing/outcomes'
import {
  Account,
  Asset,
  type FeeBumpTransaction,
  type Keypair,
  MuxedAccount,
  Operation,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import {
  accountEntry,
  appliedOf,
  codeOf,
  funded,
  keyNumber,
  refusalOf,
  sandboxInMemory,
  signed,
  submit,
  testPassphrase,
} from '../testing/fixture.ts'

const customer = keyNumber(1)
const payer = keyNumber(2)
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const pay = (amount: string) => Operation.payment({ destination: payer.publicKey(), asset: Asset.native(), amount })

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, customer, payer)
})

/** `fee` is per operation, in stroops; the bump itself counts as one. */
const bump = (inner: Transaction, fee = '100', by: Keypair = payer, signers: ReadonlyArray<Keypair> = [by]) => {
  const transaction = TransactionBuilder.buildFeeBumpTransaction(by, fee, inner, testPassphrase)
  transaction.sign(...signers)
  return transaction
}
const send = (transaction: FeeBumpTransaction) => right(sandbox.submit(transaction.toEnvelope().toXdr('base64')))
const resultOf = (hash: string) => xdr.TransactionResult.fromXdr(appliedOf(sandbox, hash).result)

const innerOf = ({ result }: xdr.TransactionResult) => {
  if (result.type !== 'txFeeBumpInnerSuccess' && result.type !== 'txFeeBumpInnerFailed') throw new Error(result.type)
  return result.value
}

describe('a fee bump', () => {
  it('a fee bump charges its payer for one more operation and uses the inner sequence number', () => {
    const before = { customer: accountEntry(sandbox, customer), payer: accountEntry(sandbox, payer) }
    const inner = signed(sandbox, customer, [pay('1')])
    const { hash } = send(bump(inner))
    sandbox.close()
    const result = resultOf(hash)
    expect(result.feeCharged).toBe(200n)
    expect(result.result.type).toBe('txFeeBumpInnerSuccess')
    expect(innerOf(result).transactionHash.toString()).toBe(hexOf(inner.hash()))
    expect(innerOf(result).result).toMatchObject({ feeCharged: 0n, result: { type: 'txSuccess' } })
    expect(accountEntry(sandbox, customer).balance).toBe(before.customer.balance - 10_000_000n)
    expect(accountEntry(sandbox, customer).seqNum).toBe(before.customer.seqNum + 1n)
    expect(accountEntry(sandbox, payer).balance).toBe(before.payer.balance + 10_000_000n - 200n)
    expect(accountEntry(sandbox, payer).seqNum).toBe(before.payer.seqNum)
  })

  it('a fee bump is found by its own hash and by the inner one', () => {
    const inner = signed(sandbox, customer, [pay('1')])
    const transaction = bump(inner)
    const { hash } = send(transaction)
    sandbox.close()
    expect(hash).toBe(hexOf(transaction.hash()))
    expect(appliedOf(sandbox, hexOf(inner.hash()))).toEqual(appliedOf(sandbox, hash))
  })

  it('a fee bump lets an account act that cannot pay a fee', () => {
    const free = accountEntry(sandbox, customer).balance - 10_000_000n - 100n
    const all = `${free / 10_000_000n}.${(free % 10_000_000n).toString().padStart(7, '0')}`
    submit(sandbox, signed(sandbox, customer, [pay(all)]))
    sandbox.close()
    const inner = signed(sandbox, customer, [Operation.bumpSequence({ bumpTo: '0' })])
    expect(refusalOf(submit(sandbox, inner))).toBe('txInsufficientBalance')
    const { hash } = send(bump(inner))
    sandbox.close()
    expect(codeOf(resultOf(hash))).toBe('txFeeBumpInnerSuccess')
  })

  it('a fee bump is charged when the inner transaction fails, and carries its result', () => {
    const { balance } = accountEntry(sandbox, payer)
    const { hash } = send(bump(signed(sandbox, customer, [pay('20000')])))
    sandbox.close()
    const { result } = innerOf(resultOf(hash)).result
    expect(result.type === 'txFailed' && result.results[0]?.type).toBe('opInner')
    expect(accountEntry(sandbox, payer).balance).toBe(balance - 200n)
    expect(appliedOf(sandbox, hash).succeeded).toBe(false)
  })

  it("a fee bump is refused with the inner transaction's code", () => {
    const answer = send(bump(signed(sandbox, customer, [pay('1')], { sequence: 1n })))
    if (answer.status !== 'ERROR') throw new Error(answer.status)
    const result = xdr.TransactionResult.fromXdr(answer.errorResult, 'base64')
    expect(result.result.type).toBe('txFeeBumpInnerFailed')
    expect(innerOf(result).result.result.type).toBe('txBadSeq')
  })

  it.each([
    ['a signature of whoever pays', 'txBadAuth', () => bump(signed(sandbox, customer, [pay('1')]), '100', payer, [])],
    ['no other signature', 'txBadAuthExtra', () => bump(inner(), '100', payer, [payer, customer])],
    ['an account that pays', 'txNoAccount', () => bump(inner(), '100', keyNumber(9))],
    ['the means to pay what it offers', 'txInsufficientBalance', () => bump(inner(), '60000000000')],
  ])('needs %s', (_, code, transaction) => {
    expect(refusalOf(send(transaction()))).toBe(code)
  })
  const inner = () => signed(sandbox, customer, [pay('1')])

  it('a fee bump must offer at least the inner bid per operation', () => {
    const answer = send(withFee(bump(signed(sandbox, customer, [pay('1')], { fee: '300' }), '300'), 599n))
    if (answer.status !== 'ERROR') throw new Error(answer.status)
    const result = xdr.TransactionResult.fromXdr(answer.errorResult, 'base64')
    expect(result).toMatchObject({ feeCharged: 600n, result: { type: 'txInsufficientFee' } })
  })

  /** The same fee bump with another fee, signed again: the SDK refuses to build one that offers too little. */
  const withFee = (transaction: FeeBumpTransaction, fee: bigint): FeeBumpTransaction => {
    const before = transaction.toEnvelope()
    if (before.type !== 'envelopeTypeTxFeeBump') throw new Error(before.type)
    const tx = new xdr.FeeBumpTransaction({ ...before.feeBump.tx, fee })
    const envelope = new xdr.FeeBumpTransactionEnvelope({ tx, signatures: [] })
    const text = xdr.TransactionEnvelope.envelopeTypeTxFeeBump(envelope).toXdr('base64')
    const rebuilt = TransactionBuilder.fromXDR(text, testPassphrase)
    if (!('innerTransaction' in rebuilt)) throw new Error('no fee bump')
    rebuilt.sign(payer)
    return rebuilt
  }
})

describe('a fee bump in the queue', () => {
  it('a queued transaction is replaced by a fee bump of the same sequence number at ten times the fee', () => {
    const inner = signed(sandbox, customer, [pay('1')])
    submit(sandbox, inner)
    const answer = send(bump(inner, '999'))
    if (answer.status !== 'ERROR') throw new Error(answer.status)
    const result = xdr.TransactionResult.fromXdr(answer.errorResult, 'base64')
    expect(result).toMatchObject({ feeCharged: 2_000n, result: { type: 'txInsufficientFee' } })
    const replacing = send(bump(inner, '1000'))
    expect(replacing.status).toBe('PENDING')
    expect(sandbox.close().transactions).toBe(1)
    expect(codeOf(resultOf(replacing.hash))).toBe('txFeeBumpInnerSuccess')
  })

  it("a queued fee bump's inner transaction is a duplicate, and other sequence numbers wait", () => {
    const inner = signed(sandbox, customer, [pay('1')])
    send(bump(inner))
    expect(submit(sandbox, inner).status).toBe('DUPLICATE')
    const { seqNum } = accountEntry(sandbox, customer)
    expect(send(bump(signed(sandbox, customer, [pay('1')], { sequence: seqNum + 2n }))).status).toBe('TRY_AGAIN_LATER')
  })

  it('a payer must afford all the queued fees it pays', async () => {
    const third = keyNumber(3)
    await funded(sandbox, third)
    // 6,000 XLM each, for two operations.
    const [one, other] = [customer, third].map((key) => bump(signed(sandbox, key, [pay('1')]), '30000000000'))
    expect([one, other].map((each) => each && refusalOf(send(each)))).toEqual(['PENDING', 'txInsufficientBalance'])
  })
})

describe('a muxed account', () => {
  const muxed = (key: Keypair, id: string) => new MuxedAccount(new Account(key.publicKey(), '0'), id).accountId()

  it('a muxed account acts as its account, as source of transactions, operations and fee bumps', () => {
    const { balance, seqNum } = accountEntry(sandbox, customer)
    const source = new MuxedAccount(new Account(customer.publicKey(), seqNum.toString()), '7')
    const transaction = new TransactionBuilder(source, { fee: '100', networkPassphrase: testPassphrase })
      .addOperation(
        Operation.payment({
          source: muxed(customer, '8'),
          destination: muxed(payer, '9'),
          asset: Asset.native(),
          amount: '1',
        }),
      )
      .setTimeout(0)
      .build()
    transaction.sign(customer)
    const bumped = TransactionBuilder.buildFeeBumpTransaction(muxed(payer, '3'), '100', transaction, testPassphrase)
    bumped.sign(payer)
    const { hash } = send(bumped)
    sandbox.close()
    expect(codeOf(resultOf(hash))).toBe('txFeeBumpInnerSuccess')
    expect(accountEntry(sandbox, customer)).toMatchObject({ balance: balance - 10_000_000n, seqNum: seqNum + 1n })
  })
})
