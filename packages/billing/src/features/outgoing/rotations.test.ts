import { type AccountId, Intent, LedgerSequence, OperationIndex, unixMs } from '@quittance/domain'
import { accountOf, decoded, hashOf } from '@quittance/domain/testing'
import { rotationDetails, rotationsOf } from './rotations.ts'

const account = accountOf(1)
const [first, second] = [accountOf(2), accountOf(3)]

/** A rotation that a ledger held, and of whose end its owner heard later. */
const rotated = (to: AccountId, ledger: number, reportedAt: number) => {
  const closedAt = unixMs(ledger * 5_000)
  const place = {
    transactionHash: hashOf(ledger),
    operationIndex: decoded(OperationIndex, 0),
    ledger: decoded(LedgerSequence, ledger),
    closedAt,
  }
  const events = [
    { type: 'IntentRecorded' as const, data: rotationDetails(account, to, null) },
    { type: 'IntentAttached' as const, data: place },
    { type: 'IntentSettled' as const, data: place },
    { type: 'IntentReported' as const, data: {} },
  ]
  const state = events.reduce(Intent.decider.evolve, Intent.decider.initial)
  if (state.status === 'absent') throw new Error('an intent was not recorded')
  const row = { ...state, createdAt: closedAt, updatedAt: unixMs(reportedAt) }
  return { id: `int_${ledger}`, merchantId: 'mer_1', environment: 'testnet' as const, row }
}

describe('the rotations of an account', () => {
  it.each([
    ['later', 61_000, 60_000],
    ['at the same time', 60_000, 60_000],
  ])(
    'come in the order of their ledgers, also where the end of an earlier one is reported %s',
    async (_, one, other) => {
      const found = [rotated(second, 9, other), rotated(first, 8, one)]
      const newest = await rotationsOf({ intents: { withKey: async () => found } }, 'testnet', account)
      expect(newest.map(({ action }) => action.to)).toEqual([first, second])
    },
  )
})
