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
      async (hash) => released.has(hash),
    )
  })
  const passWith = async (...met: ReadonlyArray<SettlementTrouble>) => {
    met.forEach(troubles.raise)
    await troubles.settled()
  }

  it('raises an alarm once for a trouble that every pass meets, and again after a pass without it', async () => {
    await passWith(penniless)
    await passWith(penniless)
    expect(raised).toEqual([penniless])
    await passWith()
    expect(troubles.present()).toEqual([])
    await passWith(penniless)
    expect(raised).toEqual([penniless, penniless])
  })
  it('keeps a trouble about a fee cap while its transaction is open, even through passes that do not meet it', async () => {
    await passWith(capped)
    await passWith()
    expect(troubles.present()).toEqual([capped])
    await passWith(capped)
    expect(raised).toEqual([capped])
    released.clear()
    await passWith()
    expect(troubles.present()).toEqual([])
  })
  it('keeps a trouble about a contradiction as long as the process runs', async () => {
    await passWith(contradicted)
    released.clear()
    await passWith()
    expect(troubles.present()).toEqual([contradicted])
  })
})
