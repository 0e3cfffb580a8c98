import * as E from 'fp-ts/lib/Either.js'
import { outcomesInLedger, receivedInLedger } from './one-ledger.ts'
import { otherwiseClosed, recordedLedgers, startNodes, withoutChanges } from './testing/ledger-nodes.ts'
import { sequence } from './testing/ledgers.ts'
import { payee } from './testing/sandbox.ts'

describe('reading one ledger by itself', () => {
  const watched = new Set([payee.accountId])
  const reading = async (change: (ledgers: Awaited<ReturnType<typeof recordedLedgers>>) => typeof ledgers) => {
    const nodes = await startNodes([ledgers, change(ledgers)], 300)
    const read = await receivedInLedger(nodes.gateway, watched, new Set())(last)()
    await nodes.stop()
    return read
  }
  let ledgers: Awaited<ReturnType<typeof recordedLedgers>>
  let last = sequence(1)
  beforeAll(async () => {
    ledgers = await recordedLedgers(2, 'chk_1')
    last = sequence(ledgers.length)
  })

  it('returns the incoming payments', async () => {
    expect(await reading((all) => all)).toMatchObject({
      right: { incomingPayments: [{ ledger: last, destination: payee.accountId }] },
    })
  })
  it('returns null where two nodes disagree', async () => {
    expect(await reading((all) => all.map(withoutChanges))).toEqual(E.right(null))
  })
  it('asks the node that still holds the ledger', async () => {
    const nodes = await startNodes([ledgers.slice(-1), ledgers], 300)
    const before = sequence(last - 1)
    const of = (at: typeof last) => receivedInLedger(nodes.gateway, watched, new Set())(at)()
    expect(await of(before)).toMatchObject({ right: { incomingPayments: [{ ledger: before }] } })
    for (const shown of nodes.shown) shown.ledgers = ledgers.slice(-1)
    expect(await of(before)).toEqual(E.right(null))
    expect(await of(sequence(last + 1))).toEqual(E.right(null))
    for (const shown of nodes.shown) shown.mood = 'silence'
    expect(await of(last)).toMatchObject({ left: { _tag: 'LedgerUnreachable' } })
    await nodes.stop()
  })
  it('returns the outcomes of a transaction, and whether the next ledger continues this one', async () => {
    const before = sequence(last - 1)
    const forged = ledgers.map((each) => (each.sequence === before ? otherwiseClosed(each) : each))
    const nodes = await startNodes([ledgers], 300)
    const received = await receivedInLedger(nodes.gateway, watched, new Set())(before)()
    const credit = E.isRight(received) ? received.right?.incomingPayments[0] : undefined
    if (credit === undefined) throw new Error('no credit')
    const told = (at: typeof last) => outcomesInLedger(nodes.gateway, credit.transactionHash)(at)()
    const outcomes = [{ _tag: 'Succeeded', ledger: before, transactionHash: credit.transactionHash }]
    expect(await told(before)).toMatchObject({ right: { outcomes, isContinued: true } })
    expect(await told(last)).toEqual(E.right({ outcomes: [], isContinued: false }))
    for (const shown of nodes.shown) shown.ledgers = forged
    expect(await told(before)).toMatchObject({ right: { outcomes, isContinued: false } })
    for (const shown of nodes.shown) shown.ledgers = ledgers.slice(-1)
    expect(await told(before)).toEqual(E.right(null))
    await nodes.stop()
    const two = await startNodes([ledgers, forged], 300)
    expect(await outcomesInLedger(two.gateway, credit.transactionHash)(before)()).toEqual(E.right(null))
    await two.stop()
  })
})
