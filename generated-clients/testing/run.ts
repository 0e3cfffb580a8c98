import { spawn } from 'node:child_process'

export type Outcome = { readonly status: number | null; readonly output: string }

type Place = { readonly cwd: string; readonly path?: string }

/** Runs a command to its end, while this process goes on. `output` is all that it printed; `path` is searched first. */
export const attempt = (
  { cwd, path }: Place,
  command: string,
  ...parameters: ReadonlyArray<string>
): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = {
      ...process.env,
      ...(path === undefined ? {} : { PATH: `${path}:${process.env.PATH}` }),
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    }
    const child = spawn(command, parameters, { cwd, env, timeout: 200_000 })
    const printed: Array<string> = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(String(chunk)))
    child.on('error', ({ message }) => resolve({ status: null, output: message }))
    child.on('close', (status) => resolve({ status, output: printed.join('') }))
  })

/** As `attempt`, and answers the output. Throws unless the command succeeds. */
export const run = async (place: Place, command: string, ...parameters: ReadonlyArray<string>): Promise<string> => {
  const { status, output } = await attempt(place, command, ...parameters)
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}:\n${output}`)
  return output
}
