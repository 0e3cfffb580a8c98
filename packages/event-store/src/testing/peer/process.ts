import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./main.ts', import.meta.url))

export type PeerProcess = {
  readonly connectionString: string
  readonly port: number
  /** Stops its execution, so that its connections stay open and accept nothing. */
  readonly freeze: () => void
  /** Kills it (by default with SIGKILL) and resolves once it has ended. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>
}

/** Starts a peer in its own process; resolves once it listens. Errors: throws if it ends before that. */
export const startPeerProcess = async (directory: string, port: number): Promise<PeerProcess> => {
  const child = spawn(process.execPath, ['--no-warnings', script, directory, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(child.stdout, 'data'), exited])
  const connectionString = String(line).trim()
  const bound = /^esdb:\/\/127\.0\.0\.1:(\d+)\?/.exec(connectionString)?.[1]
  if (bound === undefined) throw new Error(`The peer did not start: ${connectionString}`)
  return {
    connectionString,
    port: Number(bound),
    freeze: () => {
      child.kill('SIGSTOP')
    },
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal)
      await exited
    },
  }
}
