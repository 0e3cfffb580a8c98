import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compiledOnce, type Environment } from '../child-process.ts'
import { metricsAreAt } from '../readiness.ts'
import { type Death, sideVariable, stepVariable } from './deaths.ts'

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
const keepCompiled = new URL('../keep-compiled.ts', import.meta.url).href
/** As in `npm start`. */
const youngGeneration = '--max-semi-space-size=4'
const dieAtAppend = new URL('./die-at-append.ts', import.meta.url).href

/** The service of `npm start`, in a process that will be killed. */
export type Victim = {
  readonly death: Death | null
  /** Its address once it listens; null if it was killed before. */
  readonly url: Promise<string | null>
  readonly died: Promise<void>
  readonly kill: () => void
  readonly signal: (name: NodeJS.Signals) => void
}

const variablesOf = (death: Death | null): Readonly<Record<string, string>> =>
  death?._tag === 'append' ? { [stepVariable]: death.step, [sideVariable]: death.side } : {}

/** `died` rejects when the process ends by itself. */
export const startVictim = (dataDir: string, death: Death | null, settings: Environment): Victim => {
  const child = spawn(
    process.execPath,
    ['--no-warnings', youngGeneration, '--import', keepCompiled, '--import', dieAtAppend, main],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...compiledOnce,
        ...variablesOf(death),
        ...settings,
        QUITTANCE_PORT: '0',
        QUITTANCE_DATA_DIR: dataDir,
        QUITTANCE_LOG_LEVEL: 'error',
      },
    },
  )
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += String(chunk)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const greeted = new Promise<string>((resolve) => {
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += String(chunk)
      const [, url] = /Address +(http\S+)/.exec(said) ?? []
      const [, metricsUrl] = /Metrics +(http\S+)\s/.exec(said) ?? []
      if (url === undefined || metricsUrl === undefined) return
      metricsAreAt(url, metricsUrl)
      resolve(url)
    })
  })
  return {
    death,
    url: Promise.race([greeted, ended.then(() => null)]),
    died: ended.then((code) => {
      if (code !== null) throw new Error(`a service ended by itself: ${complaints}`)
    }),
    kill: () => void child.kill('SIGKILL'),
    signal: (name) => void child.kill(name),
  }
}
