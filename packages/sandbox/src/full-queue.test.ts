import { right } from '@quittance/domain/testing/outcomes'
import { Asset, type Keypair, Operation, type Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { headerIn } from './ledger/close-meta.ts'
import type { Sandbox } from './sandbox-api.ts'
import {
  appliedOf,
  funded,
  keyNumber,
  refusalOf,
  sandboxInMemory,
  signed,
  submit,
  testPassphrase,
} from './testing/fixture.ts'

const [payer, other, third, payee] = [keyNumber(1), keyNumber(2), keyNumber(3), keyNumber(4)]
let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, payer, other, third, payee)
})

const pay = Operation.payment({ destination: payee.publicKey(), asset: Asset.native(), amount: '1' })
/** A payment that bids so many stroops per operation. */
const payment = (from: Keypair, bid: number, operations = 1): Transaction =>
  signed(sandbox, from, Array<typeof pay>(operations).fill(pay), { fee: bid.toString() })
const bumpOf = (inner: Transaction, from: Keypair, bid: number) => {
  const bump = TransactionBuilder.buildFeeBumpTransaction(from, bid.toString(), inner, testPassphrase)
  bump.sign(from)
  return bump
}
const send = (transaction: Pick<Transaction, 'toEnvelope'>) =>
  refusalOf(right(sandbox.submit(transaction.toEnvelope().toXdr('base64'))))
const hashOf = (transaction: Pick<Transaction, 'hash'>) => Buffer.from(transaction.hash()).toString('hex')
const isIncluded = (transaction: Pick<Transaction, 'hash'>) =>
  sandbox.read.findTransaction(hashOf(transaction)) !== undefined
const chargedFor = (transaction: Transaction) =>
  xdr.TransactionResult.fromXdr(appliedOf(sandbox, hashOf(transaction)).result).feeCharged
const close = (times = 1): void => {
  for (let at = 0; at < times; at += 1) sandbox.close()
}
const surge = (base_fee: number): void => {
  right(sandbox.faults.set({ fee_surge: { base_fee, accepts_less: true } }))
}
const narrow = (operations: number): void => {
  right(sandbox.faults.set({ ledger_room: { operations } }))
}

describe('a transaction that bids too little for four ledgers', () => {
  it('drops a transaction after four ledgers, bans it for ten, then accepts it again', () => {
    surge(1_000)
    const low = payment(payer, 100)
    expect(send(low)).toBe('PENDING')
    close(3)
    expect(send(low)).toBe('DUPLICATE')
    close()
    const answers = Array.from({ length: 10 }, () => {
      const answer = send(low)
      close()
      return answer
    })
    expect(answers).toEqual(Array(10).fill('TRY_AGAIN_LATER'))
    expect(isIncluded(low)).toBe(false)
    right(sandbox.faults.set({}))
    expect(send(low)).toBe('PENDING')
    close()
    expect(isIncluded(low)).toBe(true)
  })

  it("a dropped transaction's account may submit a fee bump of it, which has another hash", () => {
    surge(1_000)
    const low = payment(payer, 100)
    send(low)
    close(4)
    const bump = bumpOf(low, payer, 1_000)
    expect([send(low), send(bump)]).toEqual(['TRY_AGAIN_LATER', 'PENDING'])
    close()
    expect(isIncluded(bump)).toBe(true)
  })

  it('a replacing fee bump inherits the waiting time of the transaction it replaces', () => {
    surge(5_000)
    const low = payment(payer, 100)
    send(low)
    close(3)
    const bump = bumpOf(low, payer, 1_000)
    expect([send(bump), send(low)]).toEqual(['PENDING', 'DUPLICATE'])
    close()
    expect([send(bump), send(low)]).toEqual(['TRY_AGAIN_LATER', 'PENDING'])
  })
})

describe('a full ledger', () => {
  it('a full ledger takes the highest bids and charges the lowest of them', () => {
    narrow(2)
    const [low, high, higher] = [payment(payer, 100), payment(other, 700), payment(third, 5_000)]
    for (const each of [low, high, higher]) expect(send(each)).toBe('PENDING')
    close()
    expect([low, high, higher].map(isIncluded)).toEqual([false, true, true])
    expect([high, higher].map(chargedFor)).toEqual([700n, 700n])
    close()
    expect(chargedFor(low)).toBe(100n)
  })

  it('charges the minimum fee where all transactions fit', () => {
    narrow(2)
    const [high, higher] = [payment(other, 700), payment(third, 5_000)]
    for (const each of [high, higher]) send(each)
    close()
    expect([high, higher].map(chargedFor)).toEqual([100n, 100n])
  })

  it('takes a smaller transaction where a higher bid does not fit', () => {
    narrow(2)
    const [first, large, small] = [payment(payer, 500), payment(other, 400, 2), payment(third, 300)]
    for (const each of [first, large, small]) send(each)
    close()
    expect([first, large, small].map(isIncluded)).toEqual([true, false, true])
  })

  it('prefers earlier transactions among equal bids', () => {
    narrow(1)
    const equals = [payment(payer, 100), payment(third, 100)]
    for (const each of equals) send(each)
    close()
    expect(equals.map(isIncluded)).toEqual([true, false])
  })
})

describe('a full queue', () => {
  it('a full queue evicts and bans the lowest bid for a higher one', () => {
    narrow(1)
    const [low, high, higher] = [payment(payer, 100), payment(other, 200), payment(third, 300)]
    expect([low, high, higher].map(send)).toEqual(['PENDING', 'PENDING', 'PENDING'])
    expect(send(low)).toBe('TRY_AGAIN_LATER')
    close(2)
    expect([low, high, higher].map(isIncluded)).toEqual([false, true, true])
    close(7)
    expect(send(low)).toBe('TRY_AGAIN_LATER')
    close()
    expect(send(low)).toBe('PENDING')
  })

  it('a full queue refuses and bans a bid that is not higher, and answers the required fee', () => {
    narrow(1)
    for (const each of [payment(payer, 200), payment(other, 300)]) send(each)
    const equal = payment(third, 200)
    const answer = submit(sandbox, equal)
    expect(refusalOf(answer)).toBe('txInsufficientFee')
    const result = answer.status === 'ERROR' ? answer.errorResult : ''
    expect(xdr.TransactionResult.fromXdr(result, 'base64').feeCharged).toBe(201n)
    expect(send(equal)).toBe('TRY_AGAIN_LATER')
    expect(send(bumpOf(equal, third, 301))).toBe('PENDING')
  })

  it('after an eviction, bids must exceed the evicted one until the next ledger', () => {
    narrow(1)
    for (const each of [payment(payer, 100, 2), payment(other, 200)]) send(each)
    const late = payment(third, 100)
    expect(send(late)).toBe('txInsufficientFee')
    close(10)
    expect(send(late)).toBe('PENDING')
  })

  it("the queue holds at most two ledgers' worth", () => {
    narrow(1)
    expect(send(payment(payer, 10_000, 3))).toBe('TRY_AGAIN_LATER')
  })
})

it('refuses a sequence number below the queued one', () => {
  const first = payment(payer, 100)
  const second = signed(sandbox, payer, [pay], { sequence: BigInt(first.sequence) + 1n })
  send(first)
  expect(send(second)).toBe('TRY_AGAIN_LATER')
  expect(send(signed(sandbox, payer, [pay], { sequence: BigInt(first.sequence) - 1n }))).toBe('txBadSeq')
})

describe('the header of a ledger', () => {
  it("a ledger header names the ledger's capacity, even while a knob narrows it", () => {
    const told = () => {
      const closed = sandbox.read.ledgersFrom(sandbox.close().sequence, 1)
      return closed.map(({ meta }) => headerIn(meta).header.maxTxSetSize)
    }
    expect(told()).toEqual([1_000])
    narrow(20)
    expect(told()).toEqual([20])
    right(sandbox.faults.set({}))
    expect(told()).toEqual([1_000])
  })
})
