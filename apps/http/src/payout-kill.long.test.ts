import { isMissed } from './testing/kills/kill-all.ts'
import { openStage, type Stage } from './testing/kills/stage.ts'
import { type KillRun, killWhilePayingOut } from './testing/payout-kills/kill-run.ts'
import { judge, type Verdict } from './testing/payout-kills/verdict.ts'
import { temporaryDirectory } from './testing/service.ts'

const seed = Number(process.env.QUITTANCE_TEST_SEED ?? Date.now() % 1_000_000)
const kills = 8

describe(`services that are killed ${kills} times while they pay out (seed ${seed})`, () => {
  const directory = temporaryDirectory()
  let stage: Stage
  let run: KillRun
  let verdict: Verdict
  beforeAll(async () => {
    stage = await openStage(directory.path)
    run = await killWhilePayingOut(stage, kills, seed)
    verdict = await judge(stage, run)
  }, 1_800_000)
  afterAll(async () => {
    await stage.close()
    directory.remove()
  })

  it('pays each payout, by hand and by schedule, exactly once by the ledger, and keeps books that verify', () => {
    expect(Object.entries(verdict).filter(([, found]) => found.length > 0)).toEqual([])
    expect(run.wanted.length).toBeGreaterThan(0)
    expect(run.payouts.length).toBeGreaterThan(run.wanted.length)
  })

  it('kills services at every planned step', () => {
    expect(Object.keys(run.kills).filter(isMissed)).toEqual([])
  })
})
