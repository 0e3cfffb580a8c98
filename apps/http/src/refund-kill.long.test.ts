import { straysOn } from './testing/kills/books.ts'
import { isMissed } from './testing/kills/kill-all.ts'
import { openStage, type Stage } from './testing/kills/stage.ts'
import { type KillRun, killWhileRefunding } from './testing/refund-kills/kill-run.ts'
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

  it('have paid each refund and each return once: none twice, none lost, nothing else, by the ledger', () => {
    const { paidTwice, lost, paidForNothing } = verdict
    expect({ paidTwice, lost, paidForNothing }).toEqual({ paidTwice: [], lost: [], paidForNothing: [] })
    expect(run.wanted.length).toBe(2 * kills)
    expect(straysOn(stage.network.sandbox, run.account).length).toBeGreaterThan(0)
  })

  it('made one refund of each payment, and always gave the same answer', () => {
    expect(verdict.answeredDifferently).toEqual([])
  })

  it('leave transactions and intents with exactly one outcome, that of the ledger', () => {
    expect(verdict.notEndedOnce).toEqual([])
  })

  it('leave a log and books that verify', () => {
    expect(verdict.notProven).toEqual([])
  })

  it('died at every planned step, beside another service and alone', () => {
    expect(Object.keys(run.kills).filter(isMissed)).toEqual([])
    expect(run.kills).toMatchObject({ 'while alone': 3, 'beside another service': 5 })
  })
})
