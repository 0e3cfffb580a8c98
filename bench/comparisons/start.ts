import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startVictim } from '@quittance/http/testing/kills/victim'
import { factsIn } from '@quittance/http/testing/service'
import type { Comparison } from '../comparing/comparison.ts'
import { memoryOf } from '../shop.ts'

const idleMs = 10_000

/** Starts a service on a new data directory, and measures it once it has answered. */
const eachStarted =
  (measure: (dataDir: string, startedAt: number) => Promise<number>): Comparison['open'] =>
  async ({ folder }) => {
    let round = 0
    return {
      ours: async () => {
        round += 1
        const dataDir = join(folder, `${round}`)
        const startedAt = performance.now()
        const service = startVictim(dataDir, null, {})
        const url = await service.url
        if (url === null) throw new Error('the service ended before it was ready')
        const { status } = await fetch(`${url}/health`)
        if (status !== 200) throw new Error(`the first answer was ${status}`)
        const figure = await measure(dataDir, startedAt)
        service.kill()
        await service.died
        return figure
      },
      peer: null,
      close: async () => undefined,
    }
  }

const shared = { file: 'start.ts', peer: null, packages: [] } as const

export const firstAnswer: Comparison = {
  ...shared,
  name: 'first-answer',
  measures:
    'From the start of a service of `npm start` until it has answered `GET /health`, on a new data directory, in which it founds its sandbox. An earlier start has compiled its code.',
  unit: 'milliseconds',
  ours: 'first answer',
  aim: { _tag: 'at most', figure: 1_000 },
  missedBecause:
    'loading the code and founding the sandbox take some 0.9 s of processor time ([decision 98](decisions/0098-programs-start-from-bundles.md)), nearly all of it in one thread, so the figure is as good as the machine is free. Loading less before the first answer would close it.',
  open: eachStarted(async (_, startedAt) => performance.now() - startedAt),
}

export const idleMemory: Comparison = {
  ...shared,
  name: 'idle-memory',
  measures: `Resident memory of a service of \`npm start\` with its sandbox, ${idleMs / 1_000} seconds after its first answer, while nobody asks for anything.`,
  unit: 'MiB',
  ours: 'idle service',
  aim: { _tag: 'at most', figure: 150 },
  missedBecause:
    'in one look, 62 of 162 MiB were mapped files, such as the program of Node itself, which several processes share; a process of Node that does nothing has 42. The other 100 are memory of its own: heap, compiled code and the sandbox’s network. Not loading what a service does not use yet, such as the sandbox’s contracts, would close a part of it.',
  open: eachStarted(async (dataDir) => {
    await pause(idleMs)
    return memoryOf(factsIn(dataDir).pid)
  }),
}
