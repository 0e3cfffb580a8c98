import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** What becomes of an effect: lost is its answer, or it is never done though nobody can tell; or its process dies. */
export type Fate = 'done' | 'replyLost' | 'neverDone' | 'diedBefore' | 'diedAfter'

/** Thrown where a dead process would have gone on at once. */
class Died extends Error {
  override readonly name = 'Died'
}

/** A process: what it keeps in memory is gone once it is dead. */
export type Process = { readonly name: string; isAlive: boolean }

/** What a process has asked for, and does not go on without. */
type Effect = {
  readonly process: Process
  readonly name: string
  readonly asked: Asked
  readonly meet: (fate: Fate) => Promise<string>
}

/** Whose answer an effect waits for: the store's or a node's may be lost, above all to a transaction that is handed in. */
export type Asked = 'itself' | 'store' | 'node' | 'submission'

/** Answers what becomes of an effect. */
export type Fates = (asked: Asked) => Fate

/**
 * Lets processes go on one effect at a time. What a process does between two effects takes no time and touches nothing
 * that another could see, so any order of effects is an order in which real processes could have run.
 */
export const createScheduler = (fates: Fates, note: (line: string) => void) => {
  let waiting: ReadonlyArray<Effect> = []
  const unfinished = new Set<{ readonly process: Process; readonly name: string }>()
  const defects: Array<string> = []

  const kill = (process: Process): void => {
    process.isAlive = false
    waiting = waiting.filter((effect) => effect.process !== process)
  }

  /** Asks for an effect. `failure` is what the process is told where it gets no answer; null where it asks itself. */
  const later =
    <L, A>(process: Process, name: string, task: TaskEither<L, A>, asked: Asked, failure: L | null): TaskEither<L, A> =>
    () =>
      new Promise((resolve, reject) => {
        const meet = async (fate: Fate): Promise<string> => {
          const answer = fate === 'neverDone' || fate === 'diedBefore' ? null : await task()
          const isTold = fate === 'done' || failure === null
          // Of the dead nothing is heard again: the promise stays as it is.
          if (answer !== null && isTold && fate !== 'diedAfter') resolve(answer)
          else if (failure !== null && (fate === 'replyLost' || fate === 'neverDone')) resolve(E.left(failure))
          return `${fate} ${answer === null ? '' : tagOf(answer)}`
        }
        const effect = {
          process,
          name,
          asked,
          meet: (fate: Fate) =>
            meet(fate).catch((defect: unknown) => {
              reject(defect)
              return `${fate}, threw`
            }),
        }
        if (process.isAlive) waiting = [...waiting, effect]
      })

  /** An effect that is done at once, since whoever asks for it cannot wait: its process may only die of it. */
  const now = <A>(process: Process, name: string, work: () => A): A => {
    if (!process.isAlive) throw new Died()
    const fate = fates('itself')
    note(`${process.name}: ${name}: ${fate}`)
    if (fate === 'done') return work()
    if (fate === 'diedAfter') work()
    kill(process)
    throw new Died()
  }

  /** Begins what a process does; `heard` gets its answer, unless the process dies of it. */
  const start = <A>(process: Process, name: string, work: () => Promise<A>, heard: (answer: A) => void): void => {
    const begun = { process, name }
    unfinished.add(begun)
    note(`${process.name} begins ${name}`)
    work()
      .then((answer) => {
        unfinished.delete(begun)
        if (process.isAlive) heard(answer)
      })
      .catch((defect: unknown) => {
        unfinished.delete(begun)
        if (!process.isAlive) return
        defects.push(`${process.name}, ${name}: ${defect instanceof Error ? defect.stack : defect}`)
      })
  }

  /** Lets one of the effects that are waited for meet its fate, and waits until nobody can go on by himself. */
  const goOn = async (chosen: number): Promise<void> => {
    const effect = waiting[chosen]
    if (effect === undefined) throw new Error('nobody waits for an effect')
    waiting = waiting.filter((each) => each !== effect)
    const { process, name, asked } = effect
    const fate = fates(asked)
    const outcome = await effect.meet(fate)
    if (fate === 'diedBefore' || fate === 'diedAfter') kill(process)
    note(`${process.name}: ${name}: ${outcome}`)
    await settled()
  }

  return {
    later,
    now,
    start,
    goOn,
    kill,
    settled,
    waiting: () => waiting.length,
    /** What cannot go on though no effect is waited for: something else than an effect holds it up. */
    heldUp: () => [...unfinished].flatMap(({ process, name }) => (process.isAlive ? [`${process.name}, ${name}`] : [])),
    defects,
  }
}

export type Scheduler = ReturnType<typeof createScheduler>

/** Resolves once every promise that can go on has done so: an immediate comes after all of them. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const tagOf = (outcome: E.Either<unknown, unknown>): string => {
  if (E.isRight(outcome)) return 'Right'
  const { left } = outcome
  return typeof left === 'object' && left !== null && '_tag' in left ? `Left ${String(left._tag)}` : 'Left'
}
