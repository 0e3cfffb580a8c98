/** `npm run check:packages`: every published package says the same about itself, and has what a publisher must add. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { publishedPackages, readManifest, root, type Workspace, workspaces } from './packages.ts'

const { version, license, repository } = readManifest('.')

const versionProblems = ({ manifest }: Workspace): ReadonlyArray<string> => [
  ...(manifest.version === version ? [] : [`has version ${manifest.version}, not ${version}`]),
  ...Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(([name, range]) => name.startsWith('@quittance/') && range !== version)
    .map(([name, range]) => `depends on ${name} ${range}, not ${version}`),
]

const manifestProblems = ({ folder, manifest }: Workspace): ReadonlyArray<string> => {
  const expected = {
    private: true, // The sources are never published, only what is built from them.
    type: 'module',
    license,
    repository: { ...repository, directory: folder },
    sideEffects: false,
    publishConfig: { access: 'public' },
  }
  const stated: Readonly<Record<string, unknown>> = manifest
  return [
    ...Object.entries(expected)
      .filter(([field, value]) => !isDeepStrictEqual(stated[field], value))
      .map(([field, value]) => `needs "${field}": ${JSON.stringify(value)}`),
    ...['description', 'engines'].filter((field) => stated[field] === undefined).map((field) => `has no "${field}"`),
    ...['dist', 'src']
      .filter((file) => !manifest.files?.includes(file))
      .map((file) => `does not list ${file} in "files"`),
    ...['README.md', ...(manifest.files ?? [])]
      .filter((file) => file !== 'dist' && !existsSync(join(root, folder, file)))
      .map((file) => `has no ${file}`),
  ]
}

const published = new Set(publishedPackages().map(({ manifest }) => manifest.name))
const dependencyProblems = ({ manifest }: Workspace): ReadonlyArray<string> =>
  Object.keys(manifest.dependencies ?? {})
    .filter((name) => name.startsWith('@quittance/') && !published.has(name))
    .map((name) => `depends on ${name}, which is not published`)

const problems = [
  ...workspaces().flatMap((each) => versionProblems(each).map((problem) => `${each.manifest.name} ${problem}`)),
  ...publishedPackages().flatMap((each) =>
    [...manifestProblems(each), ...dependencyProblems(each)].map((problem) => `${each.manifest.name} ${problem}`),
  ),
  ...(existsSync(join(root, 'LICENSE')) ? [] : ['LICENSE is missing']),
]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
