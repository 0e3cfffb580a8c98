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

describe('troubles', () => {
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

  it('raises an alarm once for a trouble that every pass meets, and again after a pass without it', () => {
    passWith(penniless)
    passWith(penniless)
    expect(raised).toEqual([penniless])
    passWith()
    expect(troubles.present()).toEqual([])
    passWith(penniless)
    expect(raised).toEqual([penniless, penniless])
  })
  it('keeps a trouble about a fee cap while its transaction is open, even through passes that do not meet it', () => {
    passWith(capped)
    passWith()
    expect(troubles.present()).toEqual([capped])
    passWith(capped)
    expect(raised).toEqual([capped])
    released.clear()
    passWith()
    expect(troubles.present()).toEqual([])
  })
  it('keeps a trouble about a contradiction as long as the process runs', () => {
    passWith(contradicted)
    released.clear()
    passWith()
    expect(troubles.present()).toEqual([contradicted])
  })
})
