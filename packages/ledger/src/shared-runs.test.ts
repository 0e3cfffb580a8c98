import { sharedRuns } from './shared-runs.ts'

/** A task whose runs end when the test says so, in the order in which they began. */
const heldTask = () => {
  const runs: Array<PromiseWithResolvers<number>> = []
  const task = (): Promise<number> => {
    const run = Promise.withResolvers<number>()
    runs.push(run)
    return run.promise
  }
  return { task, runs }
}

describe('a task that runs one at a time', () => {
  it('shares one later run among all calls during a run', async () => {
    const { task, runs } = heldTask()
    const run = sharedRuns(task)
    const answers = [run(), run(), run()]
    expect(runs.length).toBe(1)
    runs[0]?.resolve(1)
    await answers[0]
    await Promise.resolve()
    const late = run()
    expect(runs.length).toBe(2)
    runs[1]?.resolve(2)
    expect(await Promise.all(answers)).toEqual([1, 2, 2])
    await Promise.resolve()
    runs[2]?.resolve(3)
    expect(await late).toBe(3)
  })
  it('continues after a run that threw', async () => {
    const { task, runs } = heldTask()
    const run = sharedRuns(task)
    const [first, second] = [run(), run()]
    runs[0]?.reject(new Error('broken'))
    await expect(first).rejects.toThrow('broken')
    await Promise.resolve()
    runs[1]?.resolve(2)
    expect(await second).toBe(2)
  })
})
