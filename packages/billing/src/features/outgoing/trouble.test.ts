import { LedgerSequence, stroops, TransactionHash } from '@quittance/domain'
import { accountOf, decoded } from '@quittance/domain/testing'
import { openTroubles, type SettlementTrouble } from './trouble.ts'

const transactionHash = decoded(TransactionHash, 'a'.repeat(64))
const capped: SettlementTrouble = { _tag: 'FeeCapReached', transactionHash, feeCap: stroops(100_000n) }
const penniless: SettlementTrouble = { _tag: 'FeeSourceCannotPay', account: accountOf(1) }
const contradicted: SettlementTrouble = {
  _tag: 'OutcomeContradicted',
  transactionHash,
  ledger: decoded(LedgerSequence, 7),
  cause: 'a test',
}

describe('a trouble', () => {
  let raised: Array<SettlementTrouble>
  let released: Set<string>
  let troubles: ReturnType<typeof openTroubles>
  beforeEach(() => {
    raised = []
    released = new Set([transactionHash])
    troubles = openTroubles(
      (trouble) => raised.push(trouble),
      (hash) => released.has(hash),
    )
  })
  const passWith = (...met: ReadonlyArray<SettlementTrouble>) => {
    met.forEach(troubles.raise)
    troubles.settled()
  }

  it('raises an alarm once while every pass meets it, and again after a pass that did not', () => {
    passWith(penniless)
    passWith(penniless)
    expect(raised).toEqual([penniless])
    passWith()
    expect(troubles.present()).toEqual([])
    passWith(penniless)
    expect(raised).toEqual([penniless, penniless])
  })
  it('about a fee cap lasts while its transaction is on its way, even through passes that do not meet it', () => {
    passWith(capped)
    passWith()
    expect(troubles.present()).toEqual([capped])
    passWith(capped)
    expect(raised).toEqual([capped])
    released.clear()
    passWith()
    expect(troubles.present()).toEqual([])
  })
  it('about a contradiction lasts as long as the process', () => {
    passWith(contradicted)
    released.clear()
    passWith()
    expect(troubles.present()).toEqual([contradicted])
  })
})
