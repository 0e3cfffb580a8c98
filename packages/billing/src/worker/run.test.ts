import * as E from 'fp-ts/lib/Either.js'
import { type LoopReport, runDeliverer, runWorker } from './run.ts'
import type { StepFailure } from './worker.ts'

type Answer = E.Either<StepFailure, void> | Error

const busy: Answer = E.left({ _tag: 'StoreUnavailable', cause: null })
const elsewhere: Answer = E.left({ _tag: 'HeldElsewhere', role: 'worker/testnet' })
const lost: Answer = E.left({ _tag: 'RoleLost', role: 'worker/testnet' })
const done: Answer = E.right(undefined)
const locked = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
const bug = new Error('a bug')

/** What is reported while turns answer so, one after the other; the last one aborts the loop. */
const reported = async (
  answers: ReadonlyArray<Answer>,
  run: (
    turn: () => Promise<E.Either<StepFailure, void>>,
    stop: AbortSignal,
    tell: (report: LoopReport) => void,
  ) => Promise<void>,
): Promise<ReadonlyArray<LoopReport>> => {
  const stop = new AbortController()
  const reports: Array<LoopReport> = []
  const left = [...answers]
  const turn = async () => {
    const answer = left.shift()
    if (left.length === 0) stop.abort()
    if (answer instanceof Error) throw answer
    return answer ?? E.right(undefined)
  }
  await run(turn, stop.signal, (report) => reports.push(report))
  return reports
}

describe('the loop of a worker', () => {
  const ofWorker = (...answers: ReadonlyArray<Answer>) =>
    reported(answers, (step, signal, tell) => runWorker({ step }, signal, tell))

  it('reports nothing while steps succeed', async () => expect(await ofWorker(done, done)).toEqual([]))
  it('reports what holds steps up once, and that they continue', async () =>
    expect(await ofWorker(done, busy, busy, done, done)).toEqual([
      { _tag: 'HeldUp', reason: 'StoreUnavailable' },
      { _tag: 'Continues' },
    ]))
  it('goes on after a locked file and after a bug, which it tells apart', async () =>
    expect(await ofWorker(locked, bug, bug, done)).toEqual([
      { _tag: 'HeldUp', reason: 'Error: database is locked' },
      { _tag: 'Defect', cause: bug },
      { _tag: 'Continues' },
    ]))
  it('reports once that it stands by, which holds nothing up, and that it has taken over', async () =>
    expect(await ofWorker(elsewhere, elsewhere, done, lost, elsewhere)).toEqual([
      { _tag: 'StandsBy' },
      { _tag: 'Continues' },
      { _tag: 'StandsBy' },
    ]))
  it('takes no step once the signal has aborted', async () => {
    const step = () => Promise.reject(bug)
    const reports: Array<LoopReport> = []
    await runWorker({ step }, AbortSignal.abort(), (report) => reports.push(report))
    expect(reports).toEqual([])
  })
})

describe('the loop of a deliverer', () => {
  it('reports what holds deliveries up once, and that they continue', async () => {
    const reports = await reported([done, locked, locked, bug, done], (turn, signal, tell) =>
      runDeliverer(
        {
          run: async (_, raise, continues = () => undefined) => {
            while (!signal.aborted) await turn().then(continues, raise)
          },
        },
        signal,
        tell,
      ),
    )
    expect(reports).toEqual([
      { _tag: 'HeldUp', reason: 'Error: database is locked' },
      { _tag: 'Defect', cause: bug },
      { _tag: 'Continues' },
    ])
  })
})
