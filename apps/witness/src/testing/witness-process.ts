import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** How a process ended, and what it wrote. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Starts a witness with these settings alone. `url` resolves when it listens, and rejects if it ends before. */
export const startWitness = (settings: Readonly<Record<string, string>>) => {
  const env = { QUITTANCE_WITNESS_PORT: '0', ...settings }
  const child = spawn(process.execPath, ['--no-warnings', main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  const listening = Promise.withResolvers<string>()
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    const [, url] = / listens on (\S+)\n/.exec(stdout) ?? []
    if (url !== undefined) listening.resolve(url)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended: Promise<Ended> = once(child, 'close').then(([code]) => {
    listening.reject(new Error(`The witness ended: ${stderr}`))
    return { code, stdout, stderr }
  })
  listening.promise.catch(() => undefined) // Tests of a refused start await the end alone.
  const stop = async (signal: NodeJS.Signals): Promise<Ended> => {
    child.kill(signal)
    return await ended
  }
  return { url: listening.promise, ended, stop }
}
