import type { SettlementTrouble, Worker } from '@quittance/billing'
import { ExceptionId, stroops } from '@quittance/domain'
import { exampleId, hashOf, merchantAccount } from '@quittance/domain/testing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { alarmText } from './alarm.ts'
import { anchorsReadiness } from './anchors-readiness.ts'
import { payoutsReadiness, payoutTroubles } from './payouts-readiness.ts'

const troubles: ReadonlyArray<SettlementTrouble> = [
  { _tag: 'FeeSourceCannotPay', account: merchantAccount },
  { _tag: 'FeeCapReached', transactionHash: hashOf(1), feeCap: stroops(1n) },
  { _tag: 'ExceptionWaits', exceptionId: exampleId(ExceptionId, 1) },
]
const workerWith = (known: ReadonlyArray<SettlementTrouble>): Omit<Worker, 'named' | 'contractLives' | 'protocol'> => ({
  step: TE.right(undefined),
  nextDue: async () => null,
  halted: () => null,
  troubles: () => known,
})

describe('the readiness of outgoing money', () => {
  it('names each trouble of outgoing money with its network and its subject', () => {
    const workers = { testnet: workerWith([]), mainnet: workerWith(troubles) }
    expect(payoutsReadiness(payoutTroubles(workers))).toEqual({
      status: 'degraded',
      troubles: [
        { environment: 'mainnet', reason: 'FeeSourceCannotPay', subject: merchantAccount },
        { environment: 'mainnet', reason: 'FeeCapReached', subject: hashOf(1) },
        { environment: 'mainnet', reason: 'ExceptionWaits', subject: exampleId(ExceptionId, 1) },
      ],
    })
  })
  it('reports payouts as ok without troubles, and where an environment has no worker', () =>
    expect(payoutsReadiness(payoutTroubles({ testnet: workerWith([]), mainnet: null }))).toEqual({
      status: 'ok',
      troubles: [],
    }))
  it('names where the log cannot be anchored apart from money', () => {
    const cannotAnchor: SettlementTrouble = { _tag: 'CannotAnchor', cause: 'there is no operator account' }
    const found = payoutTroubles({ testnet: workerWith([]), mainnet: workerWith([cannotAnchor]) })
    expect(payoutsReadiness(found)).toEqual({ status: 'ok', troubles: [] })
    expect(anchorsReadiness(found)).toEqual({ status: 'degraded', failing: ['mainnet'] })
    expect(anchorsReadiness([])).toEqual({ status: 'ok', failing: [] })
  })
  it('logs each trouble with a text of its own', () => {
    const texts = troubles.map(alarmText)
    expect(new Set(texts).size).toBe(texts.length)
  })
})
