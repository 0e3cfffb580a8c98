import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./lock-holding-process.ts', import.meta.url))

/** Locks a database file in a process of its own; answers the release. */
export const lockElsewhere = async (path: string): Promise<() => Promise<void>> => {
  const child = spawn(process.execPath, ['--no-warnings', script, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error(`${path} cannot be locked`))),
  ])
  return async () => {
    child.stdin.end()
    await ended
  }
}
