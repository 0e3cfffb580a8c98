import { right } from '@quittance/domain/testing/outcomes'
import { Account, Asset, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import {
  accountEntry,
  appliedOf,
  type Build,
  funded,
  keyNumber,
  outcomeOf,
  refusalOf,
  sandboxInMemory,
  signed,
  startMs,
  submit,
  testPassphrase,
  wallClockAt,
} from '../testing/fixture.ts'

const payer = keyNumber(1)
const payee = keyNumber(2)
const payment = Operation.payment({ destination: payee.publicKey(), asset: Asset.native(), amount: '1' })

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, payer, payee)
})

const pay = (build?: Build) => outcomeOf(sandbox, signed(sandbox, payer, [payment], build))
const closeTime = () => sandbox.read.range().latest.closeTime

describe('a transaction is refused', () => {
  it.each<[string, Build, string]>([
    ['signed by somebody else', { signers: [payee] }, 'txBadAuth'],
    ['signed for another network', { passphrase: 'Test SDF Network ; September 2015' }, 'txBadAuth'],
    ['signed by one more than needed', { signers: [payer, payee] }, 'txBadAuthExtra'],
    ['with a fee below the base fee', { fee: '99' }, 'txInsufficientFee'],
    ['before its time', { minTime: startMs / 1_000 + 1_000 }, 'txTooEarly'],
    ['after its time', { maxTime: startMs / 1_000 - 1 }, 'txTooLate'],
  ])('%s', (_, build, code) => {
    expect(pay(build)).toBe(code)
    expect(accountEntry(sandbox, payer).balance).toBe(100_000_000_000n)
  })

  it('refuses a used sequence number and a gap', () => {
    const next = accountEntry(sandbox, payer).seqNum + 1n
    expect(pay({ sequence: next + 1n })).toBe('txBadSeq')
    expect(pay({ sequence: next - 1n })).toBe('txBadSeq')
    expect(pay({ sequence: next })).toBe('txSuccess')
  })

  it('refuses a transaction that was already applied', () => {
    const transaction = signed(sandbox, payer, [payment])
    expect(outcomeOf(sandbox, transaction)).toBe('txSuccess')
    expect(outcomeOf(sandbox, transaction)).toBe('TRY_AGAIN_LATER')
    for (let ledgers = 0; ledgers < 9; ledgers += 1) sandbox.close()
    expect(outcomeOf(sandbox, transaction)).toBe('txBadSeq')
    expect(accountEntry(sandbox, payee).balance).toBe(100_010_000_000n)
  })

  it('refuses a missing account, an empty transaction and an unaffordable fee', () => {
    const stranger = keyNumber(9)
    expect(outcomeOf(sandbox, signed(sandbox, stranger, [payment], { sequence: 1n }))).toBe('txNoAccount')
    expect(outcomeOf(sandbox, signed(sandbox, payer, []))).toBe('txMissingOperation')
    const create = Operation.createAccount({ destination: stranger.publicKey(), startingBalance: '1' })
    expect(outcomeOf(sandbox, signed(sandbox, payer, [create]))).toBe('txSuccess')
    expect(outcomeOf(sandbox, signed(sandbox, stranger, [payment]))).toBe('txInsufficientBalance')
  })

  it('refuses an unsupported operation', () => {
    const inflation = Operation.inflation({})
    const answer = submit(sandbox, signed(sandbox, payer, [payment, inflation], { fee: '200' }))
    expect(refusalOf(answer)).toBe('opNotSupported')
  })
})

describe('time bounds', () => {
  it("time bounds include both ends, by the next ledger's close time", () => {
    expect(pay({ minTime: closeTime() + 1 })).toBe('txTooEarly')
    expect(pay({ maxTime: closeTime() })).toBe('txTooLate')
    expect(pay({ minTime: closeTime(), maxTime: closeTime() + 1 })).toBe('txSuccess')
  })

  it('drops a queued transaction silently when its time bounds expire', async () => {
    const wall = wallClockAt(startMs)
    sandbox = sandboxInMemory(wall)
    await funded(sandbox, payer, payee)
    const before = accountEntry(sandbox, payer)
    const late = submit(sandbox, signed(sandbox, payer, [payment], { maxTime: closeTime() + 1 }))
    expect(late.status).toBe('PENDING')
    wall.add(10_000)
    expect(sandbox.close().transactions).toBe(0)
    expect(sandbox.read.findTransaction(late.hash)).toBeUndefined()
    expect(accountEntry(sandbox, payer)).toEqual(before)
    expect(pay()).toBe('txSuccess')
  })
})

describe('preconditions', () => {
  const withPreconditions = (change: (builder: TransactionBuilder) => TransactionBuilder, sequence?: bigint) => {
    const last = sequence === undefined ? accountEntry(sandbox, payer).seqNum : sequence - 1n
    const builder = new TransactionBuilder(new Account(payer.publicKey(), last.toString()), {
      fee: '100',
      networkPassphrase: testPassphrase,
      timebounds: { minTime: 0, maxTime: 0 },
    })
    const transaction = change(builder.addOperation(payment)).build()
    transaction.sign(payer)
    return outcomeOf(sandbox, transaction)
  }

  it('ledger bounds limit the ledgers of a transaction', () => {
    const { ledger } = sandbox.clock()
    expect(withPreconditions((builder) => builder.setLedgerbounds(ledger + 2, 0))).toBe('txTooEarly')
    expect(withPreconditions((builder) => builder.setLedgerbounds(0, ledger + 1))).toBe('txTooLate')
    expect(withPreconditions((builder) => builder.setLedgerbounds(ledger + 1, ledger + 2))).toBe('txSuccess')
  })

  it('minSeqNum lets a transaction skip sequence numbers', () => {
    const { seqNum } = accountEntry(sandbox, payer)
    const least = (number: bigint) => (builder: TransactionBuilder) => builder.setMinAccountSequence(number.toString())
    expect(withPreconditions(least(seqNum + 1n), seqNum + 10n)).toBe('txBadSeq')
    expect(withPreconditions(least(seqNum), seqNum + 10n)).toBe('txSuccess')
    expect(accountEntry(sandbox, payer).seqNum).toBe(seqNum + 10n)
  })

  it("preconditions may require ledgers and seconds since the account's last use", () => {
    pay()
    const gap = (builder: TransactionBuilder) => builder.setMinAccountSequenceLedgerGap(2)
    const age = (builder: TransactionBuilder) => builder.setMinAccountSequenceAge(2n)
    expect(withPreconditions(gap)).toBe('txBadMinSeqAgeOrGap')
    expect(withPreconditions(age)).toBe('txBadMinSeqAgeOrGap')
    sandbox.close()
    expect(withPreconditions(gap)).toBe('txSuccess')
    sandbox.close()
    sandbox.close()
    expect(withPreconditions(age)).toBe('txSuccess')
  })
})

describe('a transaction with several sources', () => {
  const theirs = Operation.payment({
    source: payee.publicKey(),
    destination: payer.publicKey(),
    asset: Asset.native(),
    amount: '2',
  })

  it('a transaction needs the signature of each source', () => {
    expect(outcomeOf(sandbox, signed(sandbox, payer, [payment, theirs], { fee: '200' }))).toBe('opBadAuth')
    const both = signed(sandbox, payer, [payment, theirs], { fee: '200', signers: [payer, payee] })
    expect(outcomeOf(sandbox, both)).toBe('txSuccess')
    expect(accountEntry(sandbox, payee).balance).toBe(99_990_000_000n)
  })

  it('a transaction may act for an account that it creates', () => {
    const newcomer = keyNumber(5)
    const create = Operation.createAccount({ destination: newcomer.publicKey(), startingBalance: '5' })
    const back = Operation.payment({
      source: newcomer.publicKey(),
      destination: payer.publicKey(),
      asset: Asset.native(),
      amount: '1',
    })
    const build = { fee: '200', signers: [payer, newcomer] }
    expect(outcomeOf(sandbox, signed(sandbox, payer, [create, back], build))).toBe('txSuccess')
    expect(accountEntry(sandbox, newcomer).balance).toBe(40_000_000n)
    const early = signed(
      sandbox,
      payer,
      [Operation.manageData({ source: keyNumber(6).publicKey(), name: 'a', value: '1' })],
      {
        signers: [payer, keyNumber(6)],
      },
    )
    expect(outcomeOf(sandbox, early)).toBe('opNoAccount')
  })
})

describe('an envelope of the old form', () => {
  it('accepts an envelope of the form v0 as the same transaction', () => {
    const transaction = signed(sandbox, payer, [payment])
    const envelope = transaction.toEnvelope()
    if (envelope.type !== 'envelopeTypeTx') throw new Error(envelope.type)
    const { tx, signatures } = envelope.v1
    const old = new xdr.TransactionV0({
      sourceAccountEd25519: payer.rawPublicKey(),
      fee: tx.fee,
      seqNum: tx.seqNum,
      timeBounds: new xdr.TimeBounds({ minTime: 0n, maxTime: 0n }),
      memo: tx.memo,
      operations: tx.operations,
      ext: xdr.TransactionV0Ext.v0(),
    })
    const v0 = xdr.TransactionEnvelope.envelopeTypeTxV0(new xdr.TransactionV0Envelope({ tx: old, signatures }))
    const answer = right(sandbox.submit(v0.toXdr('base64')))
    expect(answer).toEqual({ status: 'PENDING', hash: Buffer.from(transaction.hash()).toString('hex') })
    sandbox.close()
    expect(appliedOf(sandbox, answer.hash).succeeded).toBe(true)
  })
})
