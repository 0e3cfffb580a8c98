import type { SettlementTrouble, Worker } from '@quittance/billing'
import { ExceptionId, stroops } from '@quittance/domain'
import { exampleId, hashOf, merchantAccount } from '@quittance/domain/testing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { alarmText } from './alarm-text.ts'
import { payoutTroubles, withPayouts } from './payouts-readiness.ts'

const troubles: ReadonlyArray<SettlementTrouble> = [
  { _tag: 'FeeSourceCannotPay', account: merchantAccount },
  { _tag: 'FeeCapReached', transactionHash: hashOf(1), feeCap: stroops(1n) },
  { _tag: 'ExceptionWaits', exceptionId: exampleId(ExceptionId, 1) },
]
const workerWith = (known: ReadonlyArray<SettlementTrouble>): Omit<Worker, 'named'> => ({
  step: TE.right(undefined),
  nextDue: async () => null,
  halted: () => null,
  troubles: () => known,
})

describe('the readiness of what goes out', () => {
  it('names each trouble with its network and what a person has to look at', async () => {
    const workers = { testnet: workerWith([]), mainnet: workerWith(troubles) }
    const readiness = withPayouts(
      async () => ({ status: 'ready' }),
      () => payoutTroubles(workers),
    )
    expect(await readiness()).toEqual({
      status: 'ready',
      payouts: {
        status: 'degraded',
        troubles: [
          { environment: 'mainnet', reason: 'FeeSourceCannotPay', subject: merchantAccount },
          { environment: 'mainnet', reason: 'FeeCapReached', subject: hashOf(1) },
          { environment: 'mainnet', reason: 'ExceptionWaits', subject: exampleId(ExceptionId, 1) },
        ],
      },
    })
  })
  it('is well without any, and where nothing is worked off', async () => {
    const readiness = withPayouts(
      async () => ({}),
      () => payoutTroubles({ testnet: workerWith([]), mainnet: null }),
    )
    expect(await readiness()).toEqual({ payouts: { status: 'ok', troubles: [] } })
  })
  it('has words of its own in the log for each', () => {
    const texts = troubles.map(alarmText)
    expect(new Set(texts).size).toBe(texts.length)
  })
})
