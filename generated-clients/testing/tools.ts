import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attempt, run } from './run.ts'

/** Linters of OpenAPI documents, generators of clients, and what the clients need. */
const fromNpm = [
  '@hey-api/openapi-ts@0.95.0',
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  '@types/node@24.10.1',
  'openapi-fetch@0.17.0',
  'openapi-typescript@7.13.0',
  'typescript@5.9.3',
]
const fromPython = ['openapi-python-client==0.29.1']

/** Makes a Python environment. Installs what it needs of the system where that is missing, or throws. */
const environment = async (cwd: string): Promise<void> => {
  const make = () => attempt({ cwd }, 'python3', '-m', 'venv', 'python')
  if ((await make()).status === 0) return
  await attempt({ cwd }, 'apt-get', 'update', '-qq')
  const installed = await attempt({ cwd }, 'apt-get', 'install', '-y', '-qq', 'python3', 'python3-venv')
  const made = await make()
  if (made.status === 0) return
  throw new Error(
    `the generator for Python needs python3 with its module venv, which cannot be installed here:\n${installed.output}${made.output}`,
  )
}

/** A folder outside the repository with the tools. */
export const installedTools = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-clients-'))
  const cwd = folder
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const python = join(folder, 'python/bin')
  const node = join(folder, 'node_modules/.bin')
  await Promise.all([
    run({ cwd }, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...fromNpm),
    environment(cwd).then(() => run({ cwd }, join(python, 'pip'), 'install', '--quiet', ...fromPython)),
  ])
  return {
    folder,
    /** Runs an installed tool, or a program of Python. */
    tool: (name: string, ...parameters: ReadonlyArray<string>) =>
      attempt({ cwd, path: `${node}:${python}` }, name, ...parameters),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
