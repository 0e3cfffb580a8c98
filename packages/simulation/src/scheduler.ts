import { AsyncLocalStorage } from 'node:async_hooks'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** What happens to an effect: its reply is lost, it is never done though the caller cannot tell, or its process dies. */
export type EffectOutcome = 'done' | 'replyLost' | 'neverDone' | 'diedBefore' | 'diedAfter'

/** Thrown where a dead process would continue synchronously. */
class Died extends Error {
  override readonly name = 'Died'
}

/** A process, whose memory is gone once it is dead. */
export type Process = { readonly name: string; isAlive: boolean }

/** What a process works on. `at`: how many effects were performed before it began. */
export type Work = { readonly process: Process; readonly name: string; readonly at: number }

/** The system that performs an effect: a reply of the store or a node may be lost, above all that to a submission. */
export type EffectTarget = 'itself' | 'store' | 'node' | 'submission'

/** An effect that a process waits for. */
type Effect = {
  readonly process: Process
  readonly name: string
  readonly target: EffectTarget
  readonly perform: (outcome: EffectOutcome) => Promise<string>
}

/**
 * Runs processes one effect at a time. Between two effects a process touches nothing that another could see, so any order
 * of effects is one in which real processes could have run. Calls `interrupted` when a process ends or its store fails.
 */
export const createScheduler = (
  chooseOutcome: (target: EffectTarget) => EffectOutcome,
  note: (line: string) => void,
  interrupted: () => void = () => undefined,
) => {
  let waiting: ReadonlyArray<Effect> = []
  const unfinished = new Set<Work>()
  const defects: Array<string> = []
  const running = new AsyncLocalStorage<Work>()
  let performed = 0
  const kill = (process: Process): void => {
    interrupted()
    process.isAlive = false
    waiting = waiting.filter((effect) => effect.process !== process)
  }
  /** Queues an effect. `failure` is the reply when the real one is lost; null where no reply can be lost. */
  const later =
    <L, A>(
      process: Process,
      name: string,
      task: TaskEither<L, A>,
      target: EffectTarget,
      failure: L | null,
    ): TaskEither<L, A> =>
    () =>
      new Promise((resolve, reject) => {
        const perform = async (outcome: EffectOutcome): Promise<string> => {
          const reply = outcome === 'neverDone' || outcome === 'diedBefore' ? null : await task()
          const isDelivered = outcome === 'done' || failure === null
          // A dead process never continues: its promise stays pending.
          if (reply !== null && isDelivered && outcome !== 'diedAfter') resolve(reply)
          else if (failure !== null && (outcome === 'replyLost' || outcome === 'neverDone')) resolve(E.left(failure))
          return `${outcome} ${reply === null ? '' : tagOf(reply)}`
        }
        const effect = {
          process,
          name,
          target,
          perform: (outcome: EffectOutcome) =>
            perform(outcome).catch((defect: unknown) => {
              reject(defect)
              return `${outcome}, threw`
            }),
        }
        if (process.isAlive) waiting = [...waiting, effect]
      })
  /** Queues the end of a timer that a process sets. The answer takes it back; null outside a process. */
  const timer = (end: () => void): (() => void) | null => {
    const process = running.getStore()?.process
    if (process === undefined) return null
    const perform = async (outcome: EffectOutcome): Promise<string> => {
      if (outcome === 'done') end()
      return outcome
    }
    const effect: Effect = { process, name: 'a timer', target: 'itself', perform }
    if (process.isAlive) waiting = [...waiting, effect]
    return () => {
      waiting = waiting.filter((each) => each !== effect)
    }
  }
  /**
   * Performs an effect at once: what it does, it does when it is called, even if it answers a promise. Its process may die
   * right before or right after that, and nothing else is done to it.
   */
  const now = <A>(process: Process, name: string, work: () => A): A => {
    if (!process.isAlive) throw new Died()
    const outcome = chooseOutcome('itself')
    note(`${process.name}: ${name}: ${outcome}`)
    if (outcome === 'done') return work()
    // Nobody hears any more how it ended.
    if (outcome === 'diedAfter') (async () => work())().catch(() => undefined)
    kill(process)
    throw new Died()
  }
  /** Starts work of a process; `heard` receives its result, unless the process dies first. */
  const start = <A>(process: Process, name: string, work: () => Promise<A>, heard: (result: A) => void): void => {
    const begun = { process, name, at: performed }
    unfinished.add(begun)
    note(`${process.name} begins ${name}`)
    running
      .run(begun, work)
      .then((result) => {
        unfinished.delete(begun)
        if (process.isAlive) heard(result)
      })
      .catch((defect: unknown) => {
        unfinished.delete(begun)
        if (!process.isAlive) return
        defects.push(`${process.name}, ${name}: ${defect instanceof Error ? defect.stack : defect}`)
      })
  }
  /** Performs one of the waiting effects, then waits until no process can continue by itself. */
  const runEffect = async (chosen: number): Promise<void> => {
    const effect = waiting[chosen]
    if (effect === undefined) throw new Error('no effect is waiting')
    waiting = waiting.filter((each) => each !== effect)
    performed += 1
    const { process, name, target } = effect
    const outcome = chooseOutcome(target)
    if (target === 'store' && outcome !== 'done') interrupted()
    const result = await effect.perform(outcome)
    if (outcome === 'diedBefore' || outcome === 'diedAfter') kill(process)
    note(`${process.name}: ${name}: ${result}`)
    await settled()
  }
  return {
    later,
    timer,
    now,
    start,
    runEffect,
    kill,
    settled,
    waiting: () => waiting.length,
    /** How many effects were performed. */
    performed: () => performed,
    /** The work that calls; null outside a process. */
    current: (): Work | null => running.getStore() ?? null,
    /** Unfinished work of living processes; when no effect is waiting, something else blocks it. */
    stuck: () => [...unfinished].flatMap(({ process, name }) => (process.isAlive ? [`${process.name}, ${name}`] : [])),
    defects,
  }
}

export type Scheduler = ReturnType<typeof createScheduler>

/** Resolves once every promise that can continue has done so: an immediate runs after all of them. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const tagOf = (outcome: E.Either<unknown, unknown>): string => {
  if (E.isRight(outcome)) return 'Right'
  const { left } = outcome
  return typeof left === 'object' && left !== null && '_tag' in left ? `Left ${String(left._tag)}` : 'Left'
}
