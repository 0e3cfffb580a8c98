import { straysOn } from './testing/kills/books.ts'
import { isMissed } from './testing/kills/kill-all.ts'
import { openStage, type Stage } from './testing/kills/stage.ts'
import { type KillRun, killWhileRefunding, refundsForKill } from './testing/refund-kills/kill-run.ts'
import { judge, type Verdict } from './testing/refund-kills/verdict.ts'
import { temporaryDirectory } from './testing/service.ts'

const seed = Number(process.env.QUITTANCE_TEST_SEED ?? Date.now() % 1_000_000)
const kills = 8

describe(`services that are killed ${kills} times while they give money back (seed ${seed})`, () => {
  const directory = temporaryDirectory()
  let stage: Stage
  let run: KillRun
  let verdict: Verdict
  beforeAll(async () => {
    stage = await openStage(directory.path)
    run = await killWhileRefunding(stage, kills, seed)
    verdict = await judge(stage, run)
  }, 1_800_000)
  afterAll(async () => {
    await stage.close()
    directory.remove()
  })

  it('pays each refund and each return exactly once by the ledger, despite kills', () => {
    const { paidTwice, lost, paidForNothing, givenUpWrongly } = verdict
    expect([...paidTwice, ...lost, ...paidForNothing, ...givenUpWrongly]).toEqual([])
    expect(run.wanted.length).toBe(refundsForKill * kills)
    expect(straysOn(stage.network.sandbox, run.account).length).toBeGreaterThan(0)
  })

  it('makes one refund of each payment, and always gives the same answer, despite kills', () => {
    expect(verdict.answeredDifferently).toEqual([])
  })

  it('ends transactions and intents with exactly one outcome, that of the ledger, despite kills', () => {
    expect(verdict.notEndedOnce).toEqual([])
  })

  it('keeps a log and books that verify, despite kills', () => {
    expect(verdict.notProven).toEqual([])
  })

  it('kills services at every planned step, beside another service and alone', () => {
    expect(Object.keys(run.kills).filter(isMissed)).toEqual([])
    expect(run.kills).toMatchObject({ 'while alone': 3, 'beside another service': 5 })
  })
})
