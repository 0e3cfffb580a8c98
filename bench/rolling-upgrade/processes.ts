import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiledOnce } from '@quittance/http/testing/child-process'
import type { LastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { metricsAreAt } from '@quittance/http/testing/readiness'
import { factsIn } from '@quittance/http/testing/service'

/** A version of the programs: the folder of a checkout with its dependencies. */
export type Version = { readonly name: string; readonly folder: string }

export const thisVersion: Version = {
  name: 'this version',
  folder: fileURLToPath(new URL('../..', import.meta.url)),
}

type Program = 'http' | 'worker'

/** One running process. */
export type Running = {
  readonly program: Program
  readonly name: string
  /** The address of a server. */
  readonly url: string
  readonly child: ChildProcess
}

type Place = { readonly dataDir: string; readonly databaseUrl: string; readonly network: LastingNetwork }

/** A worker says that it is ready; a server says its addresses. */
const readyWords: Readonly<Record<Program, RegExp>> = {
  http: /Address +(http\S+)[\s\S]+Metrics +(http\S+)\s/,
  worker: /"the worker is ready"/,
}

/** Processes of either version on one database, which are replaced one at a time. */
export const openProcesses = ({ dataDir, databaseUrl, network }: Place) => {
  const running: Array<Running> = []
  const wrong: Array<string> = []
  const replaced: Array<string> = []

  const start = async (program: Program, version: Version): Promise<Running> => {
    network.announce('all')
    const child = spawn(process.execPath, ['--no-warnings', join(version.folder, 'apps', program, 'src', 'main.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...compiledOnce,
        QUITTANCE_DATABASE_URL: databaseUrl,
        QUITTANCE_DATA_DIR: dataDir,
        QUITTANCE_PORT: '0',
        QUITTANCE_PAYER_RATE_LIMIT: '1000000',
        QUITTANCE_LOG_LEVEL: program === 'http' ? 'error' : 'info',
      },
    })
    const name = `${program} of ${version.name}`
    let [said, complaints] = ['', '']
    child.stderr.on('data', (chunk) => {
      complaints += String(chunk)
    })
    const found = await new Promise<RegExpExecArray>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        said += String(chunk)
        const words = readyWords[program].exec(said)
        if (words !== null) resolve(words)
      })
      child.once('close', (code) => reject(new Error(`${name} ended with ${code}: ${complaints}${said}`)))
    })
    const [, url = '', metricsUrl = ''] = found
    if (url !== '') metricsAreAt(url, metricsUrl)
    const started = { program, name, url, child }
    running.push(started)
    return started
  }

  /** Ends a process in order. Clients send it nothing more: a load balancer has seen at `/ready` that it stops. */
  const stop = async (leaving: Running): Promise<void> => {
    const ended = once(leaving.child, 'close')
    running.splice(running.indexOf(leaving), 1)
    leaving.child.kill('SIGTERM')
    const [code, signal] = await ended
    if (code !== 0) wrong.push(`${leaving.name} ended with ${code ?? signal}`)
  }

  return {
    wrong,
    replaced,
    start,
    /** The key of the merchant that the first server has made. */
    apiKey: (): string => factsIn(dataDir).api_key,
    urls: (): ReadonlyArray<string> => running.flatMap(({ program, url }) => (program === 'http' ? [url] : [])),
    /** Replaces all processes by those of a version: each time, the new one is ready before the old one is stopped. */
    roll: async (to: Version, between: () => Promise<void>): Promise<void> => {
      for (const leaving of [...running]) {
        await start(leaving.program, to)
        await between()
        await stop(leaving)
        replaced.push(`${leaving.name} by ${to.name}`)
        await between()
      }
    },
    end: async (): Promise<void> => {
      await Promise.all([...running].map(stop))
    },
  }
}
