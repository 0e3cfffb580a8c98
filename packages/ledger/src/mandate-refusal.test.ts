import { LedgerSequence, stroops } from '@quittance/domain'
import { type Charged, refusalOfNumber, refusalOfSimulation } from './mandate-refusal.ts'
import { named } from './named.ts'
import { sequence } from './testing/ledgers.ts'

const hard = (cause: string) => ({ _tag: 'hard', cause })
const technical = (cause: string) => ({ _tag: 'soft_technical', cause })
const ourFault = { _tag: 'our_fault' }

/** Nothing is wrong with this customer. */
const fine: Charged = {
  standing: {
    record: null,
    isArchived: false,
    allowance: { amount: 100n, liveUntil: 99 },
    lastExpiry: 99,
    wallet: { spendable: stroops(100n), hasTrustline: true, isAuthorized: true },
    asOf: sequence(20),
  },
  allowanceExpiryLedger: named(LedgerSequence, 99),
  canBeReceived: true,
  failed: null,
}
const standing = (changed: Partial<Charged['standing']>): Charged => ({
  ...fine,
  standing: { ...fine.standing, ...changed },
})

const numbers: ReadonlyArray<readonly [number, object]> = [
  [1, ourFault],
  [2, ourFault],
  [3, ourFault],
  [4, ourFault],
  [5, ourFault],
  [6, hard('account_gone')],
  [7, ourFault],
  [8, ourFault],
  [9, hard('allowance_too_small')],
  [10, { _tag: 'soft_money' }],
  [11, hard('frozen')],
  [12, technical('not_the_customer')],
  [13, hard('trustline_gone')],
  [14, technical('not_the_customer')],
  [15, ourFault],
  [100, ourFault],
  [101, { _tag: 'already_enrolled' }],
  [102, ourFault],
  [103, ourFault],
  [104, ourFault],
  [105, ourFault],
  [106, ourFault],
  [107, hard('above_cap')],
  [108, technical('stale')],
  [109, technical('stale')],
  [110, ourFault],
  [111, hard('cancelled')],
  [112, hard('mandate_expired')],
  [113, { _tag: 'already_charged' }],
  [114, { _tag: 'period_taken' }],
  [115, ourFault],
  [116, technical('too_early')],
  [117, technical('too_late')],
  [118, technical('token_failed')],
  [0, ourFault],
  [99, ourFault],
  [119, technical('stale')],
  [120, technical('too_early')],
  [121, ourFault],
  [4_294_967_295, ourFault],
]

describe('the number of a contract', () => {
  it.each(numbers)('%d means %j', (number, refusal) => expect(refusalOfNumber(number, null)).toEqual(refusal))

  it.each<[number, string, Charged, object]>([
    [6, 'is gone', standing({ wallet: null }), hard('account_gone')],
    [13, 'is gone, with all that it trusted', standing({ wallet: null }), hard('account_gone')],
    [10, 'is gone, with its balance', standing({ wallet: null }), hard('account_gone')],
    [9, 'approved less', standing({ allowance: { amount: 99n, liveUntil: 99 } }), hard('allowance_too_small')],
    [9, 'approves nothing any more', standing({ allowance: null }), hard('allowance_revoked')],
    [9, 'approved until now', standing({ allowance: null, asOf: sequence(99) }), hard('allowance_revoked')],
    [9, 'approved until yesterday', standing({ allowance: null, asOf: sequence(100) }), hard('mandate_expired')],
  ])('%d of a customer who %s', (number, _, seen, refusal) => expect(refusalOfNumber(number, seen)).toEqual(refusal))
  it.each([6, 9, 10, 11, 13])('%d is held against a customer who has put everything right since', (number) =>
    expect(refusalOfNumber(number, fine)).toEqual(refusalOfNumber(number, null)),
  )
  it.each([6, 10, 11, 13])('%d is technical where the payee cannot receive', (number) =>
    expect(refusalOfNumber(number, { ...fine, canBeReceived: false })).toEqual(technical('not_the_customer')),
  )
  describe('judged by an entry of the customer that is older than the refusal', () => {
    const wallet = { spendable: stroops(100n), hasTrustline: true, isAuthorized: true, changedIn: 9 }
    const failed = { ledger: sequence(10), amount: stroops(100n) }
    const seenWith = (changed: object, more: Partial<Charged> = {}): Charged => ({
      ...standing({ wallet: { ...wallet, ...changed } }),
      failed,
      ...more,
    })
    it.each([6, 10, 11, 13])('%d is technical, also where the payee can receive again', (number) =>
      expect(refusalOfNumber(number, seenWith({}))).toEqual(technical('not_the_customer')),
    )
    it.each<[number, object, object]>([
      [10, { spendable: stroops(99n) }, { _tag: 'soft_money' }],
      [11, { isAuthorized: false }, hard('frozen')],
    ])('%d is held against %j, also where the payee cannot receive any more', (number, changed, refusal) =>
      expect(refusalOfNumber(number, seenWith(changed, { canBeReceived: false }))).toEqual(refusal),
    )
    it.each<[string, Charged]>([
      ['was changed in the ledger of the refusal', seenWith({ changedIn: 10 })],
      ['was changed after it', seenWith({ changedIn: 11 })],
      ['was read from a node that is behind it', seenWith({}, { failed: { ...failed, ledger: sequence(21) } })],
      ['was refused in a simulation', seenWith({}, { failed: null })],
    ])('an entry that %s acquits nobody', (_, seen) => {
      for (const number of [6, 10, 11, 13]) expect(refusalOfNumber(number, seen)).toEqual(refusalOfNumber(number, null))
    })
  })
  it('9 is held against the customer even where the payee cannot receive', () =>
    expect(refusalOfNumber(9, { ...fine, canBeReceived: false })).toEqual(hard('allowance_too_small')))
})

describe('a simulation that failed', () => {
  const failed = (contractError: number | null, type: string) => ({
    _tag: 'SimulationFailed' as const,
    asOf: sequence(20),
    contractError,
    hostError: { type, code: 'ExceededLimit' },
    cause: 'a test',
  })
  it.each<[ReturnType<typeof failed>, object]>([
    [failed(10, 'Contract'), { _tag: 'soft_money' }],
    [failed(null, 'Budget'), technical('network')],
    [failed(null, 'Unknown'), technical('network')],
    [failed(null, 'Storage'), ourFault],
    [failed(null, 'Auth'), ourFault],
  ])('%j', (simulation, refusal) => expect(refusalOfSimulation(simulation, null)).toEqual(refusal))
})
