import { isMissed } from './testing/kills/kill-all.ts'
import { openStage, type Stage } from './testing/kills/stage.ts'
import { type KillRun, killWhileRotating } from './testing/rotation-kills/kill-run.ts'
import { judge } from './testing/rotation-kills/verdict.ts'
import { temporaryDirectory } from './testing/service.ts'

const seed = Number(process.env.QUITTANCE_TEST_SEED ?? Date.now() % 1_000_000)
const kills = 6

describe(`services that are killed ${kills} times while keys rotate (seed ${seed})`, () => {
  const directory = temporaryDirectory()
  let stage: Stage
  let run: KillRun
  let verdict: Awaited<ReturnType<typeof judge>>
  beforeAll(async () => {
    stage = await openStage(directory.path)
    run = await killWhileRotating(stage, kills, seed)
    verdict = await judge(stage, run)
  }, 1_800_000)
  afterAll(async () => {
    await stage.close()
    directory.remove()
  })

  it('gives each key its weight once, leaves no earlier key any, and charges and refunds exactly once', () => {
    expect(Object.entries(verdict.wrong).filter(([, found]) => found.length > 0)).toEqual([])
    expect(verdict.rotated).toBeGreaterThan(0)
    expect(verdict.charged).toBeGreaterThan(0)
  })

  it('kills services at every planned step', () => {
    expect(Object.keys(run.kills).filter(isMissed)).toEqual([])
  })
})
