import { killWhileRestoring, type RestoreRun, roundsOfDeck } from './testing/restore-kills/kill-run.ts'
import { judge, type Verdict } from './testing/restore-kills/verdict.ts'
import { temporaryDirectory } from './testing/service.ts'

const seed = Number(process.env.QUITTANCE_TEST_SEED ?? Date.now() % 1_000_000)

describe(`a service that is killed, and whose backups are restored (seed ${seed})`, () => {
  const directory = temporaryDirectory()
  let run: RestoreRun
  let verdict: Verdict
  beforeAll(async () => {
    run = await killWhileRestoring(directory.path, roundsOfDeck, seed)
    verdict = await judge(run)
  }, 900_000)
  afterAll(async () => {
    await run?.service.kill()
    directory.remove()
  })

  it('loses no money, pays nothing twice, and keeps books that verify', () => {
    expect(Object.entries(verdict.wrong).filter(([, found]) => found.length > 0)).toEqual([])
  })

  it('kills services, backups and restores', () => {
    const { counts } = run
    expect(counts['killed service']).toBeGreaterThanOrEqual(roundsOfDeck - 1)
    expect(counts).toMatchObject({ 'killed start': 1, 'log found rolled back': expect.any(Number) })
    expect(run.shop.orders.length).toBeGreaterThan(roundsOfDeck)
  })
})
