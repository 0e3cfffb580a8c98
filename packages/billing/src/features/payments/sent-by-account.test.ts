import { type AccountId, type IncomingPayment, MuxedId, stroops } from '@quittance/domain'
import { decoded, exampleCredit, merchantAccount as otherAccount, payerAccount } from '@quittance/domain/testing'
import { muxedIdOf, soleSender } from './sent-by-account.ts'

const dustLimit = 1_000n
const from = (account: AccountId, amount: bigint, more: Partial<IncomingPayment> = {}): IncomingPayment => ({
  ...exampleCredit,
  from: account,
  amount: stroops(amount),
  ...more,
})
const muxed = (id: string) => ({
  origin: { kind: 'payment' as const, fromMuxedId: decoded(MuxedId, id), fromContract: null, muxedId: null },
})
const several = (largest: bigint) => ({
  sum: { count: 12, largest: stroops(largest), senders: 'several' as const } as IncomingPayment['sum'] & object,
})
const honest = from(payerAccount, 50_000n)

describe('the only sender of a payment', () => {
  it.each<readonly [string, ReadonlyArray<IncomingPayment>, bigint | null]>([
    ['one account', [honest, from(payerAccount, 2n)], 50_002n],
    ['dust of another', [from(otherAccount, 1n), honest], 50_000n],
    [
      'many times dust of another, below the limit together',
      [from(otherAccount, 500n), honest, from(otherAccount, 499n)],
      50_000n,
    ],
    [
      'many times dust of another, at the limit together',
      [from(otherAccount, 500n), honest, from(otherAccount, 500n)],
      null,
    ],
    ['dust of several others', [from(payerAccount, 12_000n, several(999n)), honest], 50_000n],
    ['more than dust among several others', [from(payerAccount, 12_000n, several(1_000n)), honest], null],
    [
      'two who share an account',
      [from(payerAccount, 50_000n, muxed('1')), from(payerAccount, 50_000n, muxed('2'))],
      null,
    ],
    ['dust alone, of two', [from(payerAccount, 1n), from(otherAccount, 1n)], null],
    ['dust alone, of one', [from(payerAccount, 1n)], 1n],
    ['nothing', [], null],
  ])('%s', (_, accepted, amount) =>
    expect(soleSender(accepted, dustLimit)).toEqual(amount === null ? null : { account: payerAccount, amount }),
  )

  it('is unknown beside dust of an asset that nobody can value', () =>
    expect(soleSender([from(otherAccount, 1n), honest], null)).toBeNull())

  it('is refunded to the muxed address that brought the most', () => {
    const accepted = [from(payerAccount, 50_000n, muxed('7')), from(payerAccount, 1n, muxed('8'))]
    expect(muxedIdOf(accepted, payerAccount)).toBe('7')
    expect(muxedIdOf(accepted, otherAccount)).toBeNull()
  })
})
