import { spawn } from 'node:child_process'

/** How a block of commands ended, and everything that it printed. */
type Ran = { readonly status: number; readonly output: string }

/**
 * A shell in a folder that runs commands as a reader types them, so that variables, the folder and processes in the
 * background stay from one block to the next.
 */
export const openShell = (cwd: string, env: NodeJS.ProcessEnv) => {
  const shell = spawn('bash', ['--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => shell.once('close', () => resolve()))
  let unread = ''
  let heard = Promise.withResolvers<void>()
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    unread += text
    heard.resolve()
    heard = Promise.withResolvers()
  })
  /** Waits for a text, and answers what was printed before it. */
  const until = async (text: string): Promise<string> => {
    for (;;) {
      const at = unread.indexOf(text)
      if (at >= 0) {
        const before = unread.slice(0, at)
        unread = unread.slice(at + text.length)
        return before
      }
      await Promise.race([heard.promise, ended])
      if (shell.exitCode !== null) throw new Error(`the shell ended before it printed ${text}: ${unread}`)
    }
  }
  shell.stdin.write('exec 2>&1\n')
  return {
    run: async (commands: string): Promise<Ran> => {
      shell.stdin.write(`${commands}\nprintf '\\n--- ended with %d ---\\n' $?\n`)
      const output = await until('\n--- ended with ')
      return { status: Number(await until(' ---\n')), output }
    },
    until: async (text: string): Promise<void> => void (await until(text)),
    /** Ends the shell and what runs in its background. */
    close: async (): Promise<void> => {
      shell.stdin.end('kill $(jobs -p) 2>/dev/null; wait; exit\n')
      await ended
    },
  }
}
