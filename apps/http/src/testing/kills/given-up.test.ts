import { givenUpRightly, givenUpWrongly } from './given-up.ts'

const hashes = ['a', 'b', 'c', 'd', 'e']
const detached = (transactionHash: string, reason = 'dead') => ({
  type: 'IntentDetached',
  data: { transactionHash, reason },
})
const died = hashes.map((hash) => detached(hash))
const givenUp = { type: 'IntentGivenUp', data: { reason: 'attempts_exhausted' } }

/** The refunds that were given up, rightly and wrongly, if the intent of the only one has these events after it was recorded. */
const verdictOn = (
  events: ReadonlyArray<{ readonly type: string; readonly data: unknown }>,
  { onLedger = '', alive = '' } = {},
) => {
  const recorded = { type: 'IntentRecorded', data: { owner: 'rf_1' } }
  const end = (hash: string) => (hash === alive ? 'TransactionReleased' : 'TransactionDied')
  const judged: Parameters<typeof givenUpRightly>[0] = {
    events: () => new Map([['intent-1', [recorded, ...events]]]),
    histories: () => new Map(hashes.map((hash) => [`stellartx-${hash}`, [end(hash)]])),
    network: { sandbox: { read: { findTransaction: (hash) => (hash === onLedger ? {} : undefined) } } },
  }
  return { rightly: [...givenUpRightly(judged)], wrongly: givenUpWrongly(judged) }
}

describe('a payment that was given up', () => {
  const rightly = { rightly: ['rf_1'], wrongly: [] }

  it('may be given up after five dead transactions in a row', () =>
    expect(verdictOn([...died, givenUp])).toEqual(rightly))

  it('may have been withdrawn unsent between them', () =>
    expect(verdictOn([...died.slice(0, 3), detached('f', 'withdrawn'), ...died.slice(3), givenUp])).toEqual(rightly))

  it.each([
    ['after four', [...died.slice(1), givenUp], {}],
    ['after one that failed on the ledger', [...died.slice(1), detached('a', 'transaction_failed'), givenUp], {}],
    ['after one that a ledger holds', [...died, givenUp], { onLedger: 'c' }],
    ['after one that the log does not call dead', [...died, givenUp], { alive: 'e' }],
    ['after one that the log does not know', [...died.slice(1), detached('unknown'), givenUp], {}],
    ['for another reason', [...died, { ...givenUp, data: { reason: 'insufficient_funds' } }], {}, 'insufficient_funds'],
  ])('is wrongly given up %s', (_, events, facts, reason = 'attempts_exhausted') =>
    expect(verdictOn(events, facts)).toEqual({ rightly: [], wrongly: [`rf_1: ${reason}`] }),
  )

  it('is not given up while it waits', () => expect(verdictOn(died)).toEqual({ rightly: [], wrongly: [] }))
})
