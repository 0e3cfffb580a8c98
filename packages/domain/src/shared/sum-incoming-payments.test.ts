import fc from 'fast-check'
import { exampleCredit, hashOf, merchantAccount, native, payerAccount, usdc } from '../testing/examples.ts'
import type { IncomingPayment } from './incoming-payment.ts'
import { stroops } from './stroops.ts'
import { entryOf, groupsOf, mostRecordedSingly } from './sum-incoming-payments.ts'

const origin = { kind: 'payment', fromMuxedId: null, fromContract: null, muxedId: null } as const
const paid = (number: number, changed: Partial<IncomingPayment> = {}): IncomingPayment => ({
  ...exampleCredit,
  origin,
  transactionHash: hashOf(number),
  amount: stroops(BigInt(number)),
  ...changed,
})
const many = (count: number, changed: (number: number) => Partial<IncomingPayment> = () => ({})) =>
  Array.from({ length: count }, (_, index) => paid(index + 1, changed(index + 1)))
const entriesOf = (...given: Parameters<typeof groupsOf>) => groupsOf(...given).flatMap(entryOf)

describe('the entries of the payments of a ledger', () => {
  it('are the payments themselves as long as they are few', () => {
    const few = many(mostRecordedSingly)
    expect(entriesOf(few)).toEqual(few)
  })
  it('are one sum for each sender, which names the first of them', () => {
    const [first, ...others] = many(mostRecordedSingly + 1)
    const other = paid(100, { from: merchantAccount })
    expect(entriesOf([first as IncomingPayment, other, ...others])).toEqual([
      { ...first, amount: 45n, sum: { count: 9, largest: 9n, senders: 'one' } },
      other,
    ])
  })
  it('tell apart assets, muxed senders and keys', () => {
    const alike = many(mostRecordedSingly + 1)
    const differing = [
      paid(20, { assetId: native }),
      paid(21, { origin: { ...origin, kind: 'path_payment' } }),
      paid(22, { from: merchantAccount }),
      paid(23),
    ]
    const entries = entriesOf([...alike, ...differing], undefined, ({ transactionHash }) =>
      transactionHash === hashOf(23) ? 'announced' : '',
    )
    expect(entries.slice(1)).toEqual(differing)
  })
  it('keep the largest sender apart, and sum all others as those of several', () => {
    const small = many(10, (number) => ({ from: number % 2 === 0 ? payerAccount : merchantAccount }))
    const large = paid(100, { origin: { ...origin, kind: 'path_payment' } })
    const { origin: _, ...first } = paid(1, { from: merchantAccount })
    expect(entriesOf([...small, large], 1)).toEqual([
      { ...first, amount: 55n, sum: { count: 10, largest: 10n, senders: 'several' } },
      large,
    ])
  })
  it('are few, hold every stroop, and are the same in each run', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            from: fc.constantFrom(payerAccount, merchantAccount),
            assetId: fc.constantFrom(usdc, native),
            amount: fc.bigInt({ min: 1n, max: 1_000n }).map(stroops),
            muxed: fc.option(fc.nat(20)),
          }),
          { maxLength: 60 },
        ),
        fc.integer({ min: 1, max: 8 }),
        (drawn, most) => {
          const payments = drawn.map(({ muxed, ...each }, index) =>
            paid(index + 1, muxed === null ? each : { ...each, origin: { ...origin, kind: 'path_payment' } }),
          )
          const entries = entriesOf(payments, most)
          const total = (all: ReadonlyArray<IncomingPayment>) =>
            [usdc, native].map((asset) =>
              all.reduce((sum, { assetId, amount }) => (assetId === asset ? sum + amount : sum), 0n),
            )
          expect(total(entries)).toEqual(total(payments))
          expect(entries.reduce((count, { sum }) => count + (sum?.count ?? 1), 0)).toBe(payments.length)
          expect(entries.length).toBeLessThanOrEqual(Math.max(mostRecordedSingly, 2 * (most + 1)))
          expect(entriesOf(payments, most)).toEqual(entries)
        },
      ),
    ))
})
